export { commands } from "./types.ts";
