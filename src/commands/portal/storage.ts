import { countOf } from "../../text/count.ts";
import { argument } from "../kit/command/arguments.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { portalPath, portalUser, userDetails, userOptions } from "./user.ts";

const keyArgument = { name: "key", summary: "key of the value", required: true } as const;
const oda = '--user "name:Oda Operator"';
const text = value({ type: "string" });

const get = defineCommand({
  path: ["storage", "get"],
  result: text,
  effect: "reads",
  summary: "Get a value from a portal user's storage",
  details: userDetails,
  args: [keyArgument],
  options: userOptions,
  examples: [`iot portal storage get theme ${oda}`, `iot portal storage get theme ${oda} --json`],
  exitCodes: [6],
  related: ["iot portal storage set"],
  async run(ctx, input) {
    const key = argument(input, "key") ?? "";
    const user = await portalUser(ctx, input);
    const found = await user.act((client, host) => client.SDB.getItem(host, key));
    if (found === null) {
      throw notFoundError(`Key ${quote(key)} not found in the user's storage.`, {
        code: "storage.not_found",
        next: 'Set it with "iot portal storage set".',
      });
    }
    await ctx.out.value(found);
  },
});

const set = defineCommand({
  path: ["storage", "set"],
  result: text,
  effect: "changes",
  summary: "Set a value in a portal user's storage",
  details: userDetails,
  args: [
    keyArgument,
    { name: "value", file: "@", summary: "value, @file or @- for stdin", required: true, allowEmpty: true },
  ],
  options: userOptions,
  examples: [`iot portal storage set theme light ${oda}`, `iot portal storage set layout @report.js ${oda} --dry-run`],
  exitCodes: [3, 6],
  related: ["iot portal storage get"],
  async run(ctx, input) {
    const key = argument(input, "key") ?? "";
    const given = argument(input, "value") ?? "";
    const content = given.startsWith("@") ? await ctx.readInput(given, "<value>") : given;
    const user = await portalUser(ctx, input);
    const path = portalPath(user.host, "sdb", key);
    if (await ctx.dryRun({ method: "POST", path, body: content })) return;
    await user.act((client, host) => client.SDB.setItem(host, key, content));
    await ctx.out.value(content);
    ctx.say.info(`Stored ${countOf(content.length, "character")} as ${quote(key)} at ${user.host}.`);
  },
});

const remove = defineCommand({
  path: ["storage", "delete"],
  result: { shape: "none" },
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete a value from a portal user's storage",
  details: userDetails,
  args: [keyArgument],
  options: userOptions,
  examples: [`iot portal storage delete layout ${oda} --yes`, `iot portal storage delete theme ${oda} --dry-run`],
  exitCodes: [6],
  related: ["iot portal storage get"],
  async run(ctx, input) {
    const key = argument(input, "key") ?? "";
    const user = await portalUser(ctx, input);
    if (await ctx.dryRun({ method: "DELETE", path: portalPath(user.host, "sdb", key) })) return;
    await ctx.confirm({ level: 1, action: `Delete the value ${quote(key)} at ${user.host}`, name: key });
    await user.act((client, host) => client.SDB.removeItem(host, key));
    ctx.say.info(`Deleted ${quote(key)} at ${user.host}.`);
  },
});

export const storageCommands: readonly Command[] = [get, set, remove];
