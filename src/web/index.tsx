import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { widgetStyles } from "../lib/widgets/draw/page.ts";
import { App } from "./app.tsx";
import { applyTheme, printInLight } from "./components/theme-switch.tsx";
import { enter } from "./key.ts";
import { followHistory } from "./router.ts";

applyTheme();
printInLight();
// The content security policy allows no style element.
const drawings = new CSSStyleSheet();
drawings.replaceSync(widgetStyles());
document.adoptedStyleSheets.push(drawings);
const root = document.getElementById("root");
const hasLeft = await enter().catch(() => false);
if (root !== null && !hasLeft) {
  followHistory();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
