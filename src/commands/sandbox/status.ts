import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { isObject } from "../kit/files/files.ts";
import { healthOf } from "./place.ts";
import { listRunning, shownSandbox } from "./state.ts";

interface StatusRow extends Omit<ReturnType<typeof shownSandbox>, "tokens" | "logins" | "inspection_headers"> {
  readonly state: "running" | "no answer";
  /** Whether it rejects what rests on an assumption; absent without a response. */
  readonly strict?: boolean;
  /** Date of its clock. */
  readonly clock?: string;
  /** How far a running clock was moved. */
  readonly clock_offset_ms?: number;
}

/** What only the running process knows. */
function settingsOf(
  health: Readonly<Record<string, unknown>>,
): Pick<StatusRow, "strict" | "clock" | "clock_offset_ms"> {
  const { strict, clock } = health;
  const { now, offset_ms: offset } = isObject(clock) ? clock : {};
  return {
    ...(typeof strict === "boolean" && { strict }),
    ...(typeof now === "string" && { clock: now }),
    ...(typeof offset === "number" && { clock_offset_ms: offset }),
  };
}

const statusColumns: readonly Column<StatusRow>[] = [
  { key: "port", kind: "number" },
  { key: "url" },
  { key: "state" },
  { key: "pid", kind: "number" },
  { key: "started_at", kind: "time" },
  { key: "strict", kind: "flag" },
  { key: "clock", kind: "time", exact: true, rank: 3 },
  { key: "clock_offset_ms", kind: "number", rank: 3 },
  { key: "data_dir" },
];

export const statusCommand: Command = defineCommand({
  path: ["status"],
  asks: "nothing",
  result: rows(statusColumns),
  effect: "reads",
  summary: "List the sandboxes of this user",
  groups: ["limit"],
  examples: ["iot sandbox status", "iot sandbox status --json"],
  related: ["iot sandbox start", "iot sandbox stop"],
  async run(ctx) {
    const rows: StatusRow[] = [];
    for (const running of listRunning(ctx)) {
      const { tokens: _, logins: __, inspection_headers: ___, ...shown } = shownSandbox(running);
      const health = await healthOf(running);
      rows.push({ ...shown, state: health === undefined ? "no answer" : "running", ...settingsOf(health ?? {}) });
    }
    await ctx.out.list(rows, { columns: statusColumns, empty: "No sandbox is running.", idKey: "port" });
  },
});
