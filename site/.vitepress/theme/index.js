// The fonts of the system: nothing to load.
export { default } from "vitepress/theme-without-fonts";

import "./style.css";
