export { type ConvertOptions, Migration } from "./migration.ts";
