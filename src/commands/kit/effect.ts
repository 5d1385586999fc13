import type { Command } from "./define.ts";

/** Verbs that only look. A verb that is not among them counts as one that changes something. */
const reading = new Set([
  "addons",
  "allocation",
  "analyses",
  "audit",
  "chart",
  "check",
  "console",
  "count",
  "current",
  "detect",
  "devices",
  "diff",
  "domain",
  "explain",
  "get",
  "history",
  "info",
  "inspect",
  "keys",
  "limits",
  "list",
  "path",
  "payment-method",
  "plan",
  "preview",
  "pricing",
  "resolve",
  "saml",
  "schedule",
  "schema",
  "services",
  "show",
  "statistics",
  "status",
  "stream",
  "subscription",
  "summary",
  "types",
  "validate",
  "watch",
  "whoami",
]);

/**
 * Whether a command changes anything, on the platform or on this machine. What cannot be told counts as a change.
 *
 * @param noun first word: the verb of a command without further words
 */
export function changes(noun: string, command: Command): boolean {
  if (command.effect !== undefined) return command.effect === "changes";
  if (command.groups?.includes("dryRun") === true || command.passThrough === true) return true;
  return !reading.has(command.path.at(-1) ?? noun);
}

/** Whether it asks before it does its work. */
export function needsConfirmation(noun: string, command: Command): boolean {
  return command.groups?.includes("confirm") === true && changes(noun, command);
}
