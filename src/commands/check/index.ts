export { commands } from "./check.ts";
