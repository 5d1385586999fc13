import { defined } from "../../../lib/core/defined.ts";
import { type Command, defineCommand } from "../../kit/command/define.ts";
import { one } from "../../kit/command/result.ts";
import { runUserFinder } from "../../kit/finders/run-user.ts";
import { lookUp, resolveOrPick } from "../../kit/resource/resolve-id.ts";
import { rememberSecret } from "../../kit/say/redact.ts";

const columns = [
  { key: "token", kind: "id" },
  { key: "run_user", kind: "id" },
  { key: "name" },
  { key: "expire_date", kind: "time" },
] as const;

const login = defineCommand({
  path: ["user", "login"],
  result: one(columns),
  effect: "changes",
  summary: "Create a token to log in to the portal as a user",
  details:
    "The token is printed once, in full. It has the same access as the user. Without " +
    "--expire the platform chooses how long it is valid.",
  args: [{ name: "id", summary: "Full id, or a unique name:…, tag:key=value" }],
  options: [{ name: "expire", kind: "expiry", summary: "8h, 2027-01-31 or never" }],
  examples: [
    'iot run user login "name:Oda Operator" --expire 1h',
    'iot run user login "name:Dirk Driver" --expire 30m --json',
  ],
  related: ["iot run user list", "iot portal info"],
  async run(ctx, input) {
    const query = defined({ expire_time: input.options.expire });
    const target = await resolveOrPick(ctx, runUserFinder, input.args.id);
    const search = query.expire_time === undefined ? "" : `?expire_time=${encodeURIComponent(query.expire_time)}`;
    if (await ctx.dryRun({ method: "GET", path: `/run/users/${target.id}/login${search}` })) return;
    const { run } = await ctx.client();
    const made = await lookUp(ctx, runUserFinder, target.id, () => run.loginAsUser(target.id, query));
    // Messages of this run never repeat it; the result does.
    rememberSecret(made.token);
    if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(made.token);
    else await ctx.out.item({ ...made }, { columns, idKey: "token" });
    await ctx.done(`Created a login token for user "${await target.name()}"`);
  },
});

export const commands: readonly Command[] = [login];
