import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { about, deviceOption, selfDevice } from "./place.ts";

interface InfoRow {
  readonly id: string;
}

const infoColumns: readonly Column<InfoRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
  { key: "type" },
  { key: "network", kind: "id" },
  { key: "connector", kind: "id" },
  { key: "tags", kind: "tags" },
  { key: "last_input", kind: "time" },
  { key: "last_output", kind: "time" },
  { key: "created_at", kind: "time" },
];

export const selfInfo = defineCommand({
  path: ["info"],
  aliases: ["get"],
  result: one(infoColumns),
  effect: "reads",
  summary: "Show the device whose token is in use",
  details: about,
  options: [deviceOption],
  examples: [
    'iot self info --device "name:Freezer 1"',
    'IOT_TOKEN=$(iot device token list "name:Freezer 1" --filter permission=full -o id --reveal | head -n 1) iot self info',
  ],
  exitCodes: [6],
  related: ["iot self data list", "iot auth whoami"],
  async run(ctx, input) {
    await ctx.out.item(await (await selfDevice(ctx, input)).info(), { columns: infoColumns });
  },
});
