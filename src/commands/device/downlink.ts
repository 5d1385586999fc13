import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { namedDevice, namedDeviceArgument } from "./place.ts";
import { pollFor, waitOptions } from "./poll.ts";

interface DownlinkRow {
  readonly device: string;
  readonly payload: string;
  readonly port: number;
  readonly confirmed: boolean;
  readonly message: string;
}

const downlinkColumns: readonly Column<DownlinkRow>[] = [
  { key: "device", kind: "id" },
  { key: "payload" },
  { key: "port", kind: "number" },
  { key: "confirmed", kind: "flag" },
  { key: "message" },
];

export const sendDownlink = defineCommand({
  path: ["downlink"],
  result: one(downlinkColumns),
  effect: "changes",
  summary: "Send a downlink to a device through its network",
  details:
    "The device needs a serial number and at least one uplink. Sets its parameters downlink and port first, as the network " +
    "expects. --wait waits until the parameter downlink is marked as sent.",
  args: [namedDeviceArgument],
  options: [
    { name: "payload", value: "hex", summary: "payload in hexadecimal, two digits per byte: 01FF" },
    {
      name: "port",
      kind: "integer",
      least: 0,
      most: 255,
      summary: "port (LoRaWAN: FPort, 1 to 223)",
      default: "1",
    },
    { name: "confirmed", summary: "request an acknowledgement from the device" },
    ...waitOptions("1m"),
  ],
  examples: [
    'iot device downlink "name:Soil probe" --payload 0109 --port 5',
    'iot device downlink "name:Soil probe" --payload 01FF --confirmed --dry-run',
  ],
  exitCodes: [1, 130],
  related: ["iot device param list", "iot device inspect"],
  async run(ctx, input) {
    const { port, confirmed } = input.options;
    const payload = payloadOf(input.options.payload);
    const device = await namedDevice(ctx, input);
    const params = [
      { key: "downlink", value: payload, sent: false },
      { key: "port", value: String(port), sent: false },
    ];
    const plan = [
      { method: "POST", path: `/device/${device.id}/params`, body: params },
      { method: "POST", path: "/downlink", body: { device: device.id, payload, port, confirmed } },
    ];
    if (await ctx.dryRun(plan)) return;
    const { sendDownlink } = await import("../../lib/utils/send-downlink.ts");
    const client = await ctx.client();
    const message = await sendDownlink(client, device.id, { payload, port, confirmed });
    if (input.options.wait) {
      await pollFor(ctx, input, "the device to receive the message", async () => {
        const now = await client.devices.paramList(device.id);
        return now.find(({ key, value }) => key === "downlink" && value === payload)?.sent === true ? true : undefined;
      });
    }
    await ctx.out.item(
      { device: device.id, payload, port, confirmed, message },
      { columns: downlinkColumns, idKey: "device" },
    );
    await ctx.done(`${message} for device "${await device.name()}"`);
  },
});

function payloadOf(text: string | undefined): string {
  const hex = text?.replace(/[\s:]/g, "").replace(/^0x/i, "") ?? "";
  if (/^([0-9a-f]{2})+$/i.test(hex)) return hex;
  throw usageError(text === undefined ? "No payload given." : `--payload ${quote(text)} is not hexadecimal.`, {
    next: "Use two digits per byte: --payload 01FF.",
  });
}
