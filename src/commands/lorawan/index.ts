export { commands } from "./qr.ts";
