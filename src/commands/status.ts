import type { Column } from "./kit/command/columns.ts";
import { defineCommand } from "./kit/command/define.ts";
import { one } from "./kit/command/result.ts";
import { objectOf } from "./kit/files/files.ts";

interface Status {
  readonly api: string;
  readonly environment: string;
  readonly version: string;
  readonly duration_ms: number;
}

const columns: readonly Column<Status>[] = [
  { key: "environment" },
  { key: "api" },
  { key: "version" },
  { key: "duration_ms", kind: "number" },
];

function versionOf(result: unknown): string {
  if (typeof result === "string") return result;
  const { version } = objectOf(result);
  return typeof version === "string" ? version : "unknown";
}

const status = defineCommand({
  path: [],
  asks: "anonymous",
  result: one(columns),
  effect: "reads",
  summary: "Check that the platform responds and show its version",
  examples: ["iot status", "iot status --json"],
  exitCodes: [1],
  related: ["iot doctor", "iot env current"],
  async run(ctx) {
    const { api, label } = await ctx.target();
    const started = ctx.clock.elapsed();
    const { rawRequest } = await import("../lib/api/raw.ts");
    const region = { api, sse: "" };
    const { result } = await rawRequest({ region, ...ctx.clientOptions() }, { method: "GET", path: "/status" });
    const version = versionOf(result);
    const row: Status = { api, environment: label, version, duration_ms: ctx.clock.elapsed() - started };
    await ctx.out.item(row, { columns, idKey: "api" });
  },
});

export const commands = [status];
