export { commands } from "./account.ts";
