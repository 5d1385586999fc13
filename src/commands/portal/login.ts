import { defined } from "../../lib/core/defined.ts";
import { ApiError } from "../../lib/core/errors.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { formBody, secondFactorOf } from "../kit/settings/exchange.ts";
import { passwordOption, readPassword } from "./password.ts";
import { anonymousCall, exampleHost, needHost, portalOption, portalPath } from "./user.ts";

const loginColumns: readonly Column<Record<string, unknown>>[] = [
  { key: "token", kind: "id" },
  { key: "run_user", kind: "id" },
  { key: "expire_date", kind: "time" },
];

export const login = defineCommand({
  path: ["login"],
  asks: "anonymous",
  effect: "local",
  result: one(loginColumns),
  summary: "Log in as a portal user and print a token",
  details:
    "The token is printed once, in full, and not stored on this machine; pass it to the other " +
    "commands in IOT_TOKEN. With two-factor authentication, pass the code with --otp; --send-code requests a new one.",
  options: [
    portalOption,
    { name: "email", value: "address", summary: "email address of the user" },
    passwordOption,
    { name: "otp-type", value: "type", summary: "two-factor method", choices: ["authenticator", "sms", "email"] },
    { name: "otp", value: "code", summary: "one-time code" },
    { name: "send-code", summary: "send a one-time code by --otp-type, then log in later" },
  ],
  examples: [
    `iot portal login --portal ${exampleHost} --email operator@example.test --password-stdin < operator.txt`,
    `IOT_TOKEN=$(iot portal login --portal ${exampleHost} --email operator@example.test --password-stdin < operator.txt) iot portal info --portal ${exampleHost}`,
  ],
  exitCodes: [4, 6, 130],
  related: ["iot portal info", "iot run user login"],
  async run(ctx, input) {
    const at = needHost(input);
    const email = input.options.email ?? (await (await ctx.prompts("--email")).text("E-mail"));
    const password = await readPassword(ctx, input, "Password:");
    const otpType = input.options.otpType;
    const otp = input.options.otp;
    if (input.options.sendCode) return sendCode(ctx, at, { email, password }, otpType);
    const credentials = defined({ email, password, otp, otpType });
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
  credentials: Parameters<typeof formBody>[0],
): Promise<Record<string, unknown>> {
  const path = portalPath(at, "login");
  try {
    const answer = await anonymousCall(ctx, { method: "POST", path, body: formBody(credentials) });
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
      throw usageError("The user has two-factor authentication enabled.", {
        code: "usage.no_terminal",
        why: `The portal requires a code${factor.sentBy === "" ? "" : `, which it sent by ${factor.sentBy}`}.`,
        next: `Add --otp <code>${factor.sentBy === "" ? "" : ` --otp-type ${factor.sentBy}`}.`,
      });
    }
    throw refusedLogin(error, path);
  }
  throw new CommandError("The login response is invalid.", {
    code: "platform.invalid_reply",
    exit: 1,
    why: `The response to POST ${path} is not an object.`,
    next: 'Check the API URL with "iot env current".',
  });
}

/** An error response to the login is about the input, not about a token. */
function refusedLogin(error: unknown, path: string): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  return new CommandError("The login failed.", {
    code: "auth.refused",
    exit: 4,
    why: `POST ${path} returned 401: ${quote(error.message)}.`,
    next: "Check the email address, password, one-time code and portal hostname.",
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
    throw usageError("--otp-type is required to receive a code.", {
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
  ctx.say.info(`Sent a one-time code by ${type}; log in with --otp.`);
}
