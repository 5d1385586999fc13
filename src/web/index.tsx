import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { applyTheme } from "./components/theme-switch.tsx";

applyTheme();
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
