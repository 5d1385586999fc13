import type { RunUserInfo } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import { bodyOf, secondFactorOf } from "../auth/exchange.ts";
import { argument, option, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand, type OptionSpec } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { type BodyField, bodyOptions, needMembers, readBody, secretValue } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { anonymousCall, needHost, portalOption, portalPath, portalUser, userDetails, userOptions } from "./user.ts";

const host = "65a1000000000000000f0001.tago.run";

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

const info = defineCommand({
  path: ["info"],
  result: one(userColumns),
  aliases: ["get"],
  effect: "reads",
  summary: "Show the user as the portal knows it",
  details: userDetails,
  options: userOptions,
  examples: [
    `iot portal info --portal ${host} --user "name:Oda Operator"`,
    'iot portal info --user "name:Dirk Driver" --json',
  ],
  exitCodes: [6],
  related: ["iot portal login", "iot run user get"],
  async run(ctx, input) {
    const user = await portalUser(ctx, input);
    await ctx.out.item(await user.act((client, at) => client.info(at)), { columns: userColumns });
  },
});

const passwordOption: OptionSpec = {
  name: "password-stdin",
  summary: "read the password from stdin instead of asking for it",
};

/** The password, from stdin or asked for; never shown. */
export async function readPassword(ctx: CommandContext, input: CommandInput, question: string): Promise<string> {
  const password = await secretValue(ctx, input, "password", question);
  rememberSecret(password);
  return password;
}

const signupFields: readonly BodyField[] = [
  { flag: "name", summary: "name" },
  { flag: "email", value: "address", summary: "e-mail" },
  { flag: "timezone", value: "zone", summary: "time zone (UTC)" },
  { flag: "company", summary: "company" },
  { flag: "phone", value: "number", summary: "phone number" },
  { flag: "language", value: "code", summary: "language: en-us" },
  { flag: "newsletter", kind: "switch", summary: "wants to hear of news" },
  { flag: "tag", member: "tags", kind: "tags", summary: "value of a further field of the form" },
];

const signupColumns: readonly Column<{ readonly user: string }>[] = [{ key: "user", kind: "id" }];

const signup = defineCommand({
  path: ["signup"],
  asks: "anonymous",
  result: one(signupColumns),
  effect: "changes",
  summary: "Sign up as a new user of a portal",
  details:
    "The password is asked for without echo, or read from stdin. What happens then is up to the portal: the user gets a mail " +
    'with a token for "iot portal confirm", or waits for somebody who administers the portal.',
  options: [portalOption, ...bodyOptions(signupFields), passwordOption],
  groups: ["dryRun"],
  examples: [
    `iot portal signup --portal ${host} --name Jo --email jo.new@example.test --password-stdin < password.txt`,
    `iot portal signup --portal ${host} --name Kim --email kim@example.test --tag site=plant --password-stdin --dry-run < password.txt`,
  ],
  exitCodes: [1, 3, 5, 6],
  related: ["iot portal confirm", "iot portal login"],
  async run(ctx, input) {
    const at = needHost(input);
    const body = { timezone: "UTC", ...(await readBody(ctx, input, signupFields)) };
    needMembers(body, "user", { name: "--name Jo", email: "--email jo@example.test" });
    const password = await passwordOf(ctx, input, body);
    const path = portalPath(at, "signup");
    if (await ctx.dryRun({ method: "POST", path, body: { ...body, password: "…" } })) return;
    const answer = await anonymousCall(ctx, { method: "POST", path, body: { ...body, password } });
    const user = isObject(answer) ? String(answer["user"] ?? answer["id"] ?? "") : String(answer);
    await ctx.out.item({ user }, { columns: signupColumns, idKey: "user" });
    ctx.say.info(`Signed up at ${at}.`);
    ctx.say.hint("Confirm it with the token of the mail: iot portal confirm --portal <host> <token>.");
  },
});

/** The password of `--input`, of stdin, or asked for. */
async function passwordOf(
  ctx: CommandContext,
  input: CommandInput,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const given = optionFlag(input, "password-stdin") ? undefined : body["password"];
  if (typeof given !== "string") return readPassword(ctx, input, "Password:");
  rememberSecret(given);
  return given;
}

const confirm = defineCommand({
  path: ["confirm"],
  asks: "anonymous",
  result: { shape: "none" },
  effect: "changes",
  summary: "Confirm a new user with the token of the mail",
  args: [{ name: "token", summary: "token of the mail; it works once", required: true }],
  options: [portalOption],
  groups: ["dryRun"],
  examples: [
    `iot portal confirm --portal ${host} 5eed-token-of-the-mail --dry-run`,
    `iot portal confirm --portal ${host} 5eed-token-of-the-mail --dry-run --json`,
  ],
  exitCodes: [1, 6],
  related: ["iot portal signup", "iot portal login"],
  async run(ctx, input) {
    const at = needHost(input);
    const path = portalPath(at, "confirm", argument(input, "token") ?? "");
    if (await ctx.dryRun({ method: "GET", path })) return;
    await anonymousCall(ctx, { method: "GET", path });
    ctx.say.info(`Confirmed the user at ${at}.`);
  },
});

const loginColumns: readonly Column<Record<string, unknown>>[] = [
  { key: "token", kind: "id" },
  { key: "run_user", kind: "id" },
  { key: "expire_date", kind: "time" },
];

const login = defineCommand({
  path: ["login"],
  asks: "anonymous",
  effect: "local",
  result: one(loginColumns),
  summary: "Log in as a user of a portal",
  details:
    "The token is printed once, in full: it is the result. Nothing is kept on this machine; give the token to the other " +
    "commands in IOT_TOKEN. Where a second factor is asked for, give its code with --otp; --send-code has a new one sent.",
  options: [
    portalOption,
    { name: "email", value: "address", summary: "e-mail of the user" },
    passwordOption,
    { name: "otp-type", value: "type", summary: "kind of second factor", choices: ["authenticator", "sms", "email"] },
    { name: "otp", value: "code", summary: "one-time code" },
    { name: "send-code", summary: "have a one-time code sent by --otp-type, and log in later" },
  ],
  examples: [
    `iot portal login --portal ${host} --email operator@example.test --password-stdin < operator.txt`,
    `IOT_TOKEN=$(iot portal login --portal ${host} --email operator@example.test --password-stdin < operator.txt) iot portal info --portal ${host}`,
  ],
  exitCodes: [4, 6, 130],
  related: ["iot portal info", "iot run user login"],
  async run(ctx, input) {
    const at = needHost(input);
    const email = option(input, "email") ?? (await (await ctx.prompts("--email")).text("E-mail"));
    const password = await readPassword(ctx, input, "Password:");
    const otpType = option(input, "otp-type");
    const otp = option(input, "otp");
    if (optionFlag(input, "send-code")) return sendCode(ctx, at, { email, password }, otpType);
    const credentials = {
      email,
      password,
      ...(otp === undefined ? {} : { otp }),
      ...(otpType === undefined ? {} : { otpType }),
    };
    const answer = await enter(ctx, at, credentials);
    const token = String(answer["token"] ?? "");
    rememberSecret(token);
    if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(token);
    else await ctx.out.item(answer, { columns: loginColumns, idKey: "token" });
    ctx.say.info(`Logged in at ${at} as ${quote(email)}.`);
  },
});

async function enter(
  ctx: CommandContext,
  at: string,
  credentials: Parameters<typeof bodyOf>[0],
): Promise<Record<string, unknown>> {
  const path = portalPath(at, "login");
  try {
    const answer = await anonymousCall(ctx, { method: "POST", path, body: bodyOf(credentials) });
    if (isObject(answer)) return { ...answer };
  } catch (error) {
    const factor = credentials.otp === undefined ? secondFactorOf(error) : undefined;
    if (factor !== undefined && ctx.canPrompt) {
      const otp = await (await ctx.prompts("--otp")).text("One-time code");
      return enter(ctx, at, {
        ...credentials,
        otp,
        otpType: credentials.otpType ?? (factor.sentBy || "authenticator"),
      });
    }
    if (factor !== undefined) {
      throw usageError("The user has a second factor.", {
        code: "usage.no_terminal",
        why: `The portal asks for a code${factor.sentBy === "" ? "" : `, which it sent by ${factor.sentBy}`}.`,
        next: `Add --otp <code>${factor.sentBy === "" ? "" : ` --otp-type ${factor.sentBy}`}.`,
      });
    }
    throw refusedLogin(error, path);
  }
  throw new CommandError("The portal gave an answer the login does not understand.", {
    code: "platform.invalid_reply",
    exit: 1,
    why: `The answer to POST ${path} is no object.`,
    next: 'Check the address with "iot env current".',
  });
}

/** A refusal of the login is about what was typed, not about a token. */
function refusedLogin(error: unknown, path: string): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  return new CommandError("The login was refused.", {
    code: "auth.refused",
    exit: 4,
    why: `POST ${path} answered 401: ${quote(error.message)}.`,
    next: "Check e-mail, password and one-time code, and the host name of the portal.",
    cause: error,
  });
}

async function sendCode(
  ctx: CommandContext,
  at: string,
  credentials: { readonly email: string; readonly password: string },
  type: string | undefined,
): Promise<void> {
  if (type !== "sms" && type !== "email") {
    throw usageError("Choose how to receive the code.", {
      code: "usage.missing_value",
      next: "Add --otp-type email or --otp-type sms.",
    });
  }
  const path = portalPath(at, "login", "otp");
  try {
    await anonymousCall(ctx, { method: "POST", path, body: { ...credentials, otp_type: type } });
  } catch (error) {
    throw refusedLogin(error, path);
  }
  ctx.say.info(`A one-time code is on its way by ${type}; log in with --otp.`);
}

const reset = defineCommand({
  path: ["password-reset"],
  asks: "anonymous",
  result: { shape: "none" },
  effect: "changes",
  summary: "Set a new password with the token of a mail",
  details:
    "First have the mail sent with --email; then give the token it holds with --code, and the new password on stdin or at " +
    "the question.",
  options: [
    portalOption,
    { name: "email", value: "address", summary: "send the mail to this user" },
    { name: "code", value: "token", summary: "token of the mail; it works once" },
    passwordOption,
  ],
  groups: ["dryRun"],
  examples: [
    `iot portal password-reset --portal ${host} --email driver@example.test`,
    `iot portal password-reset --portal ${host} --code 5eed-token-of-the-mail --password-stdin --dry-run < password.txt`,
  ],
  exitCodes: [3, 4, 6],
  related: ["iot portal login"],
  async run(ctx, input) {
    const at = needHost(input);
    const email = option(input, "email");
    const code = option(input, "code");
    if ((email === undefined) === (code === undefined)) {
      throw usageError("Either --email or --code is needed.", {
        code: "usage.missing_value",
        next: "Have a mail sent with --email, then give its token with --code.",
      });
    }
    if (email !== undefined) {
      const path = portalPath(at, "passwordreset", email);
      if (await ctx.dryRun({ method: "GET", path })) return;
      await anonymousCall(ctx, { method: "GET", path });
      ctx.say.info(`If ${at} knows ${quote(email)}, a mail is on its way.`);
      return;
    }
    const password = await readPassword(ctx, input, "New password:");
    if (await ctx.dryRun({ method: "POST", path: portalPath(at, "passwordreset"), body: { password: "…" } })) return;
    rememberSecret(code);
    const { api, events } = await ctx.target();
    const { RunUser } = await import("../../lib/clients/run-user.ts");
    const user = new RunUser({ ...ctx.clientOptions(), token: code ?? "", region: { api, sse: events } });
    await user.passwordChange(at, password);
    ctx.say.info(`Set a new password at ${at}.`);
  },
});

export const enterCommands: readonly Command[] = [info, signup, confirm, login, reset];
