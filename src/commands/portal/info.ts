import type { RunUserInfo } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { exampleHost, portalUser, userDetails, userOptions } from "./user.ts";

const userColumns: readonly Column<RunUserInfo>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "email" },
  { key: "active", kind: "flag" },
  { key: "company" },
  { key: "phone" },
  { key: "language" },
  { key: "timezone" },
  { key: "last_login", kind: "time" },
  { key: "tags", kind: "tags" },
  { key: "otp", kind: "json" },
  { key: "options", kind: "json", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
];

export const info = defineCommand({
  path: ["info"],
  result: one(userColumns),
  aliases: ["get"],
  effect: "reads",
  summary: "Show the logged-in portal user",
  details: userDetails,
  options: userOptions,
  examples: [
    `iot portal info --portal ${exampleHost} --user "name:Oda Operator"`,
    'iot portal info --user "name:Dirk Driver" --json',
  ],
  exitCodes: [6],
  related: ["iot portal login", "iot run user get"],
  async run(ctx, input) {
    const user = await portalUser(ctx, input);
    await ctx.out.item(await user.act((client, at) => client.info(at)), { columns: userColumns });
  },
});
