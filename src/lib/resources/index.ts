export * from "./account.ts";
export * from "./dashboards.ts";
export type * from "./data-types.ts";
export * from "./devices.ts";
export * from "./profile.ts";
export { Resources } from "./resources.ts";
export * from "./widgets.ts";
