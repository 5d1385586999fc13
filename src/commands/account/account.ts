import type { AccountInfo } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { deleted, deletedRows, one } from "../kit/command/result.ts";
import { type BodyField, bodyOptions, needChange, readBody, secretValue } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";

const columns: readonly Column<AccountInfo>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "email" },
  { key: "company" },
  { key: "plan" },
  { key: "timezone" },
  { key: "language" },
  { key: "phone" },
  { key: "active", kind: "flag" },
  { key: "blocked", kind: "flag" },
  { key: "otp", header: "second_factors", kind: "json" },
  { key: "last_login", kind: "time" },
  { key: "created_at", kind: "time" },
  { key: "newsletter", kind: "flag", hidden: true },
  { key: "send_invoice", kind: "flag", hidden: true },
  { key: "options", kind: "json", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const get = defineCommand({
  path: ["get"],
  aliases: ["info"],
  result: one(columns),
  effect: "reads",
  summary: "Show the account that owns the token",
  examples: ["iot account get", "iot account get --json --jq .timezone"],
  related: ["iot account update", "iot auth whoami", "iot billing subscription"],
  async run(ctx) {
    const { account } = await ctx.client();
    await ctx.out.item(await account.info(), { columns });
  },
});

const fields: readonly BodyField[] = [
  { name: "name", kind: "content", summary: "name of the account owner" },
  { name: "email", kind: "email", summary: "email address, used to log in" },
  { name: "company", kind: "content", summary: "company" },
  { name: "timezone", kind: "zone", summary: "time zone: Europe/Lisbon" },
  { name: "language", kind: "content", value: "code", summary: "language: en-us, pt-br" },
  { name: "phone", kind: "content", value: "number", summary: "phone number for SMS: +351…" },
  { name: "newsletter", summary: "receive the newsletter by email", off: "no-news" },
  { name: "send-invoice", summary: "receive invoices by email", off: "no-invoice" },
  { name: "options", summary: 'number and time formats: {"time_format": "24"}', kind: "json" },
];

const update = defineCommand({
  path: ["update"],
  aliases: ["edit"],
  result: one(columns),
  effect: "changes",
  summary: "Update the account or change its password",
  options: [...bodyOptions(fields), { name: "password-stdin", summary: "set a new password, read from stdin" }],
  examples: [
    "iot account update --timezone Europe/Lisbon --language en-us",
    'iot account update --company "Demo Plant Ltd" --dry-run',
  ],
  exitCodes: [1, 3],
  related: ["iot account get"],
  async run(ctx, input) {
    const { password: _, ...body } = await readBody(ctx, input, fields);
    const password = input.options.passwordStdin
      ? await secretValue(ctx, input, "password", "New password")
      : undefined;
    rememberSecret(password);
    if (password === undefined) needChange(body, "--timezone Europe/Lisbon");
    const hasBody = Object.keys(body).length > 0;
    const plan = [
      ...(hasBody ? [{ method: "PUT", path: "/account", body }] : []),
      ...(password === undefined ? [] : [{ method: "POST", path: "/account/passwordreset", body: { password: "…" } }]),
    ];
    if (await ctx.dryRun(plan)) return;
    const { account } = await ctx.client();
    if (hasBody) await account.edit(body);
    if (password !== undefined) await account.passwordChange(password);
    const after = await account.info();
    await ctx.out.item(after, { columns });
    const what = [...(hasBody ? Object.keys(body) : []), ...(password === undefined ? [] : ["password"])];
    await ctx.done(`Updated ${what.join(", ")} of account ${after.email}`);
  },
});

const remove = defineCommand({
  path: ["delete"],
  aliases: ["rm"],
  result: deleted,
  effect: "deletes",
  summary: "Delete the account and all its profiles",
  details:
    "Deletes every profile the account owns, with its devices, data, dashboards, analyses, files and users, and all " +
    "tokens. Confirm by typing the email address of the account.",
  examples: ["iot account delete --dry-run", "iot account delete --dry-run --json"],
  exitCodes: [1],
  related: ["iot profile delete", "iot backup create", "iot profile export"],
  async run(ctx) {
    if (await ctx.dryRun({ method: "DELETE", path: "/account" })) return;
    const { account, profiles } = await ctx.client();
    const { id, email } = await account.info();
    const own = (await profiles.list()).filter((profile) => profile.account === id);
    await ctx.confirm({
      level: 2,
      action: `Delete account ${email} and everything in it`,
      name: email,
      items: own.map((profile) => `profile ${profile.name} (${profile.id})`),
    });
    await account.delete();
    await ctx.out.list([{ id, name: email }], deletedRows);
    await ctx.done(`Deleted account ${email}`);
  },
});

export const commands: readonly Command[] = [get, update, remove];
