import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Arguments, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { senderOf, senderOptions, TRANSPORTS, tipDeviceArgument } from "../kit/tip/connect.ts";

interface Handed {
  readonly serial: string;
  readonly over: string;
  readonly command: string;
}

const columns: readonly Column<Handed>[] = [{ key: "serial" }, { key: "over" }, { key: "command" }];

const args = [
  tipDeviceArgument,
  { name: "text", summary: "the command, without | and control characters", required: true },
] as const satisfies Arguments;

const [authorizationOption] = senderOptions;

const options = [
  {
    name: "over",
    value: "transport",
    summary: "how the device is connected: udp, tcp, http or mqtt (tcp)",
    choices: TRANSPORTS,
  },
  authorizationOption,
] as const satisfies Options;

export const command = defineCommand({
  path: ["command"],
  result: one(columns),
  effect: "changes",
  summary: "Send a command to a device with TagoTiP",
  details:
    "For TCP it reaches the open connections of the device, for MQTT those who have subscribed; over UDP and HTTP it waits until the device " +
    "asks. Nothing confirms it.",
  args,
  options,
  examples: [
    "iot tip command serial:sensor-01 valve=open",
    "iot tip command serial:sensor-01 reboot --over udp --dry-run",
  ],
  exitCodes: [2, 3, 6, 9],
  related: ["iot tip listen", "iot tip ping", "iot device downlink"],
  async run(ctx, input) {
    const { over = "tcp" } = input.options;
    const { serial, authorization = "" } = await senderOf(ctx, {
      ...input,
      options: { ...input.options, hash: undefined },
    });
    const text = input.args.text;
    if (/[|\p{Cc}]/u.test(text))
      throw usageError("The command has | or a control character.", { next: "Use other characters." });
    if (await ctx.dryRun({ method: "POST", path: "/tip/cmd", body: { serial, protocol: over, body: text } })) return;
    const { api, events } = await ctx.target();
    const { Services } = await import("../../lib/analysis/services.ts");
    const services = new Services({ ...ctx.clientOptions(), token: authorization, region: { api, sse: events } });
    await services.tagotip.cmd({ serial, protocol: over, body: text });
    await ctx.out.item({ serial, over, command: text }, { columns, idKey: "serial" });
    await ctx.done(`Sent a command to ${serial}`);
  },
});
