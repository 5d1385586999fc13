import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { answers } from "./place.ts";
import { listRunning, type RunningSandbox } from "./state.ts";

interface StatusRow extends Omit<RunningSandbox, "tokens" | "logins" | "inspectionHeaders"> {
  readonly state: "running" | "no answer";
}

const statusColumns: readonly Column<StatusRow>[] = [
  { key: "port", kind: "number" },
  { key: "url" },
  { key: "state" },
  { key: "pid", kind: "number" },
  { key: "startedAt", kind: "time" },
  { key: "dataDir" },
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
      const { tokens: _, logins: __, inspectionHeaders: ___, ...shown } = running;
      rows.push({ ...shown, state: (await answers(running)) ? "running" : "no answer" });
    }
    await ctx.out.list(rows, { columns: statusColumns, empty: "No sandbox is running.", idKey: "port" });
  },
});
