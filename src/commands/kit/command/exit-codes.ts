import type { Command } from "./define.ts";

/** Codes a command can end with because of what it asks for: no token, no permission, no network. */
const asked = { nothing: [], anonymous: [10], token: [4], platform: [4, 5, 10] } as const;

/** The exit codes of a command beyond 0 to 2: those of its arguments, groups and requests, and its own. */
export function exitCodesOf(command: Pick<Command, "args" | "groups" | "asks" | "exitCodes">): readonly number[] {
  const { args = [], groups = [], asks = "platform", exitCodes = [] } = command;
  if ("only" in exitCodes) return exitCodes.only;
  const codes = new Set<number>([...asked[asks], ...exitCodes]);
  if (args.some(({ name }) => name === "id")) codes.add(6);
  if (groups.includes("confirm")) codes.add(130);
  return [...codes].sort((a, b) => a - b);
}
