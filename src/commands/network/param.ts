import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { keyValue } from "../kit/command/values.ts";
import { deviceArgument, deviceOf, ownTokenDetails } from "./own-device.ts";
import { networkClient, networkOption } from "./own-token.ts";

const paramColumns: readonly Column<{ readonly key: string; readonly value: string; readonly sent: boolean }>[] = [
  { key: "key" },
  { key: "value" },
  { key: "sent", kind: "flag" },
];

export const param = defineCommand({
  path: ["param"],
  result: rows(paramColumns),
  effect: "changes",
  summary: "Set parameters of a device as its network",
  details: `Parameters are always added: a network cannot read the existing ones. ${ownTokenDetails}`,
  args: [deviceArgument, { name: "pairs", summary: "key=value, one or more", required: true, variadic: true }],
  options: [{ name: "sent", summary: "mark the parameters as sent" }, networkOption],
  examples: [
    'iot network param "name:Soil probe" downlink=0109 port=2',
    'iot network param "name:Soil probe" class=C --sent --dry-run',
  ],
  exitCodes: [6],
  related: ["iot device param list", "iot network publish"],
  async run(ctx, input) {
    const sent = input.options.sent;
    const params = input.args.pairs.map((text) => ({ ...keyValue(text, "A parameter"), sent }));
    const { id } = await deviceOf(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: `/integration/network/${id}/params`, body: params })) return;
    const network = await networkClient(ctx, input, id);
    await network.deviceParamSet(id, params);
    await ctx.out.list(params, { columns: paramColumns, empty: "Nothing was set.", idKey: "key" });
    const keys = params.map(({ key }) => key).join(", ");
    await ctx.done(`Set ${keys} of device ${id}`);
  },
});
