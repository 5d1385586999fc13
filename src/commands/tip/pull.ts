import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Arguments } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import { usageError } from "../kit/failures/command-error.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { openTip, tipDeviceArgument, tipOptions, withTip } from "../kit/tip/connect.ts";

const columns: readonly Column<JsonObject>[] = [
  { key: "variable", rank: 1 },
  { key: "value", rank: 1, schema: { type: ["string", "number", "boolean", "object"] } },
  { key: "unit" },
  { key: "time", kind: "time" },
  { key: "group", rank: 3 },
  { key: "location", kind: "json" },
  { key: "metadata", kind: "json" },
];

const args = [
  tipDeviceArgument,
  { name: "variable", summary: "variables whose last values are read", variadic: true },
] as const satisfies Arguments;

export const pull = defineCommand({
  path: ["pull"],
  result: rows(columns),
  effect: "reads",
  summary: "Read last values as a device, by TagoTiP",
  details: "Variables without a value are left out; if none has one, the command exits with 6.",
  args,
  options: tipOptions,
  examples: ["iot tip pull serial:sensor-01 temperature", "iot tip pull serial:sensor-01 temperature --secure --json"],
  exitCodes: [2, 3, 6, 7, 9],
  related: ["iot tip send", "iot device data list"],
  async run(ctx, input) {
    const names = input.args.variable;
    if (names.length === 0) throw usageError("No variable given.", { next: "Add the variables to read." });
    const variables = await withTip(await openTip(ctx, input), (client) => client.pull(names));
    const found = variables.map(({ type: _, time, ...variable }) => ({
      ...variable,
      ...(time !== undefined && { time: new Date(time).toISOString() }),
    }));
    await ctx.out.list(found, { columns, empty: "None has a value.", idKey: "variable" });
  },
});
