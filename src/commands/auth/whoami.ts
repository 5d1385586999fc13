import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { describeToken, type TokenFacts } from "../kit/settings/exchange.ts";
import { profileOf } from "../kit/settings/where.ts";

const whoamiColumns: readonly Column<TokenFacts & { readonly profile_name: string }>[] = [
  { key: "type" },
  { key: "name" },
  { key: "permission" },
  { key: "profile", kind: "id" },
  { key: "profile_name" },
  { key: "account", kind: "id" },
  { key: "expires", kind: "time" },
];

export const whoami = defineCommand({
  path: ["whoami"],
  result: one(whoamiColumns),
  effect: "reads",
  summary: "Show profile, permission and expiry of the token in use",
  examples: ["iot auth whoami", "iot auth whoami --json"],
  exitCodes: { only: [4, 10] },
  related: ["iot auth status"],
  async run(ctx) {
    const connection = await ctx.connection();
    const facts = await describeToken(ctx, connection, connection.token);
    const profile = await profileOf(ctx, connection, connection.token);
    const row = { ...facts, profile: profile?.id ?? facts.profile, profile_name: profile?.name ?? "" };
    await ctx.out.item(row, { columns: whoamiColumns, idKey: "profile" });
  },
});
