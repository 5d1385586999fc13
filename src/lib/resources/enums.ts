/** Values that types of the library and schemas of bodies share. Imports nothing, so that the schemas stay small. */

/** Kinds of actions. */
export const actionTypes = [
  "condition",
  "resource",
  "interval",
  "schedule",
  "mqtt_topic",
  "usage_alert",
  "condition_geofence",
] as const;

/** Periods of the chunks of an immutable device. */
export const chunkPeriods = ["day", "week", "month", "quarter"] as const;

/** Types of the fields of an entity. */
export const entityFieldTypes = ["uuid", "string", "int", "float", "json", "timestamp", "text", "boolean"] as const;

/** Ways to get a one-time code. */
export const otpTypes = ["authenticator", "sms", "email"] as const;

/** What a token may do. */
export const permissions = ["full", "write", "read"] as const;

/** Plans of an account. */
export const planNames = ["free", "starter", "scale"] as const;

/** Systems that receive push notifications. */
export const pushPlatforms = ["ios", "android"] as const;

/** Services that are counted and paid for. */
export const serviceKeys = [
  "input",
  "output",
  "analysis",
  "data_records",
  "sms",
  "email",
  "run_users",
  "push_notification",
  "file_storage",
] as const;

/** Runtimes of analyses that have snippets. */
export const snippetRuntimes = ["node-legacy", "python-legacy", "node-rt2025", "python-rt2025", "deno-rt2025"] as const;

/** Resources whose changes trigger an action. */
export const triggerResources = [
  "device",
  "bucket",
  "file",
  "analysis",
  "action",
  "am",
  "user",
  "financial",
  "profile",
] as const;

/** Resources whose usage triggers an action, besides the services. */
export const usageResources = ["device", "dashboard", "action", "tcore", "team_members", "am"] as const;

/** Resources that rules are about; `tcore` is taken too. */
export const ruleResources: readonly string[] = [
  "device",
  "dashboard",
  "entity",
  "analysis",
  "action",
  "run_user",
  "file",
  "access_management",
  "account",
  "secrets",
  "dictionary",
  "network",
  "connector",
  "service_authorization",
  "run",
  "notification",
  "email",
  "sms",
  "mqtt",
  "attachment",
  "sql",
  "tcore",
];

/** What access rules apply to. */
export const ruleTargets: readonly string[] = ["analysis", "run_user"];
