export { commands } from "./job.ts";
