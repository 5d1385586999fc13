export { commands } from "./mcp.ts";
