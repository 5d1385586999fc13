import { argument, option, optionFlag } from "../kit/command/arguments.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { type BodyField, bodyOptions, needMembers, readBody, secretValue } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { askAnonymously } from "./anonymous.ts";

const columns = [{ key: "email", kind: "id" }, { key: "status" }] as const;

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the owner" },
  { flag: "email", value: "address", summary: "e-mail, used to log in" },
  { flag: "timezone", value: "zone", summary: "time zone: Europe/Lisbon (UTC)" },
  { flag: "company", summary: "company" },
  { flag: "country", value: "code", summary: "country: PT" },
  { flag: "newsletter", summary: "send news by mail", kind: "switch" },
  { flag: "developer", summary: "the owner is a developer", kind: "switch" },
];

function emailOf(text: string): string {
  if (/^[^\s@/?#]+@[^\s@/?#]+$/.test(text)) return text;
  throw usageError(`${quote(text)} is no e-mail address.`, {
    why: "The platform finds accounts by their e-mail.",
    next: "Write it like jo@example.org.",
  });
}

const create = defineCommand({
  path: ["create"],
  asks: "anonymous",
  result: one(columns),
  effect: "changes",
  summary: "Sign up: create an account with one profile",
  details:
    "Needs no token. The platform sends a mail with a one-time token; iot account confirm takes it, and iot auth login works " +
    "from then on. The password comes from stdin, a prompt, or the member password of --input.",
  options: [...bodyOptions(fields), { name: "password-stdin", summary: "read the password from stdin" }],
  groups: ["dryRun"],
  examples: [
    "iot account create --name Jo --email jo@example.test --timezone Europe/Lisbon --password-stdin < password.txt",
    "iot account create --name Kim --email kim@example.test --password-stdin --dry-run < password.txt",
  ],
  exitCodes: [1, 3],
  related: ["iot account confirm", "iot account resend", "iot auth login"],
  async run(ctx, input) {
    const given = await readBody(ctx, input, fields);
    needMembers(given, "account", { name: "--name Jo", email: "--email jo@example.org" });
    const email = emailOf(String(given["email"]));
    const known = optionFlag(input, "password-stdin") ? undefined : given["password"];
    const password =
      typeof known === "string" ? known : await secretValue(ctx, input, "password", "Password of the new account");
    rememberSecret(password);
    const body = { timezone: "UTC", ...given, email, password, cpassword: password };
    if (await ctx.dryRun({ method: "POST", path: "/account", body: { ...body, password: "…", cpassword: "…" } }))
      return;
    const status = await askAnonymously(ctx, "POST", "/account", body);
    await ctx.out.item({ email, status }, { columns, idKey: "email" });
    ctx.say.info(`Created account ${email} in ${(await ctx.target()).label}.`);
    ctx.say.hint('The mail holds a token: give it to "iot account confirm".');
  },
});

const confirmColumns = [{ key: "status", kind: "id" }] as const;

const confirm = defineCommand({
  path: ["confirm"],
  asks: "anonymous",
  result: one(confirmColumns),
  effect: "changes",
  summary: "Confirm a new account with the token of the mail",
  args: [{ name: "token", summary: "one-time token of the mail", required: true }],
  groups: ["dryRun"],
  examples: [
    "iot account confirm 00000000-0000-4000-8000-000000000000 --dry-run",
    "iot account confirm 00000000-0000-4000-8000-000000000000 --dry-run --json",
  ],
  exitCodes: [1, 6],
  related: ["iot account create", "iot account resend"],
  async run(ctx, input) {
    const token = (argument(input, "token") ?? "").trim();
    rememberSecret(token);
    const path = `/account/confirm/${encodeURIComponent(token)}`;
    if (await ctx.dryRun({ method: "GET", path })) return;
    const status = await askAnonymously(ctx, "GET", path);
    await ctx.out.item({ status }, { columns: confirmColumns, idKey: "status" });
    ctx.say.info(`Confirmed the account in ${(await ctx.target()).label}; "iot auth login" works now.`);
  },
});

const emailArgument = { name: "email", summary: "e-mail of the account" } as const;

const resend = defineCommand({
  path: ["resend"],
  asks: "anonymous",
  result: one(columns),
  effect: "changes",
  summary: "Send the mail that confirms an account once more",
  args: [{ ...emailArgument, required: true }],
  groups: ["dryRun"],
  examples: ["iot account resend demo@example.test", "iot account resend demo@example.test --dry-run"],
  exitCodes: [1, 6],
  related: ["iot account confirm"],
  async run(ctx, input) {
    const email = emailOf(argument(input, "email") ?? "");
    const path = `/account/resend_confirmation/${encodeURIComponent(email)}`;
    if (await ctx.dryRun({ method: "GET", path })) return;
    const status = await askAnonymously(ctx, "GET", path);
    await ctx.out.item({ email, status }, { columns, idKey: "email" });
    ctx.say.info(`Asked ${(await ctx.target()).label} to send the mail to ${email}.`);
  },
});

/** Sets a new password with the one-time token of the mail, which opens this one call. */
async function setPassword(ctx: CommandContext, input: CommandInput, token: string): Promise<void> {
  rememberSecret(token);
  const password = await secretValue(ctx, input, "password", "New password");
  rememberSecret(password);
  if (await ctx.dryRun({ method: "POST", path: "/account/passwordreset", body: { password: "…" } })) return;
  const { api, events, label } = await ctx.target();
  const { Resources } = await import("../../lib/resources/resources.ts");
  const client = new Resources({ ...ctx.clientOptions(), token, region: { api, sse: events } });
  const status = await client.account.passwordChange(password);
  await ctx.out.item({ email: null, status }, { columns, idKey: "email" });
  ctx.say.info(`Set a new password in ${label}.`);
}

const passwordReset = defineCommand({
  path: ["password-reset"],
  asks: "anonymous",
  result: one(columns),
  effect: "changes",
  summary: "Ask for a mail that lets you set a new password, or set it",
  details:
    "With an e-mail the platform sends the mail. With --code, the one-time token of that mail, the new password is read from " +
    "stdin or a prompt. Needs no token of yours; who is logged in can use iot account update --password-stdin.",
  args: [emailArgument],
  options: [
    { name: "code", value: "token", summary: "one-time token of the mail" },
    { name: "password-stdin", summary: "read the new password from stdin" },
  ],
  groups: ["dryRun"],
  examples: [
    "iot account password-reset demo@example.test",
    "iot account password-reset --code 00000000-0000-4000-8000-000000000000 --password-stdin --dry-run < password.txt",
  ],
  exitCodes: [1, 3, 4, 6],
  related: ["iot account update", "iot auth login"],
  async run(ctx, input) {
    const code = option(input, "code");
    const given = argument(input, "email");
    if ((code === undefined) === (given === undefined)) {
      throw usageError("Give an e-mail, or the --code of the mail.", {
        why: "An e-mail asks for the mail; the code of the mail sets the new password.",
        next: "Run iot account password-reset jo@example.org first.",
      });
    }
    if (code !== undefined) return setPassword(ctx, input, code);
    const email = emailOf(given ?? "");
    const path = `/account/passwordreset/${encodeURIComponent(email)}`;
    if (await ctx.dryRun({ method: "GET", path })) return;
    const status = await askAnonymously(ctx, "GET", path);
    await ctx.out.item({ email, status }, { columns, idKey: "email" });
    ctx.say.info(`Asked ${(await ctx.target()).label} to send the mail to ${email}.`);
  },
});

export const commands: readonly Command[] = [create, confirm, resend, passwordReset];
