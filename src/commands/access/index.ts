export { commands } from "./access.ts";
