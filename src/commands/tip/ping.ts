import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { openTip, tipDeviceArgument, tipOptions, withTip } from "../kit/tip/connect.ts";

interface Pinged {
  readonly serial: string;
  readonly over: string;
  readonly round_trip_ms: number;
  readonly command?: string;
}

const columns: readonly Column<Pinged>[] = [
  { key: "serial" },
  { key: "over" },
  { key: "round_trip_ms", kind: "number" },
  { key: "command" },
];

export const ping = defineCommand({
  path: ["ping"],
  result: one(columns),
  // It takes a command that waits.
  effect: "changes",
  summary: "Ping as a device, by TagoTiP, and take a command",
  details:
    "Prints how long the response took, and over UDP and HTTP the command that waited for the device, which is then gone.",
  args: [tipDeviceArgument],
  options: tipOptions,
  examples: ["iot tip ping serial:sensor-01", "iot tip ping serial:sensor-01 --secure --json"],
  exitCodes: [2, 3, 6, 7, 9],
  related: ["iot tip listen", "iot tip command"],
  async run(ctx, input) {
    const opened = await openTip(ctx, input);
    if (await ctx.dryRun({ method: "PING", path: `tip:${opened.over}/${opened.sender.serial}` })) return;
    const startedMs = ctx.clock.elapsed();
    const { command } = await withTip(opened, (client) => client.ping());
    const tripMs = Math.round((ctx.clock.elapsed() - startedMs) * 10) / 10;
    const { sender, over } = opened;
    const row = { serial: sender.serial, over, round_trip_ms: tripMs, ...(command !== undefined && { command }) };
    await ctx.out.item(row, { columns, idKey: "serial" });
  },
});
