// The fonts of the system: nothing to load.
import Theme from "vitepress/theme-without-fonts";
import Layout from "./Layout.vue";
import "./style.css";

export default { extends: Theme, Layout };
