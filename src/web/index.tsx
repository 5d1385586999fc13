import { createRoot } from "react-dom/client";
import { widgetStyles } from "../lib/widgets/draw/index.ts";
import { App } from "./app.tsx";
import { applyTheme } from "./components/theme-switch.tsx";

applyTheme();
// The content security policy allows no style element.
const drawings = new CSSStyleSheet();
drawings.replaceSync(widgetStyles());
document.adoptedStyleSheets.push(drawings);
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
