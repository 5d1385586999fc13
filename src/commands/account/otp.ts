import type { OTPType } from "../../index.ts";
import { argument, option } from "../kit/command/arguments.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { unknownWord } from "../kit/failures/unknown-word.ts";
import { secretValue } from "../kit/resource/body.ts";
import { expectText } from "../kit/resource/reply.ts";
import { rememberSecret } from "../kit/say/redact.ts";

const types: readonly OTPType[] = ["authenticator", "sms", "email"];

const typeArgument = { name: "type", summary: "authenticator, sms or email", required: true, values: types };

function typeOf(input: CommandInput): OTPType {
  const text = argument(input, "type") ?? "";
  const type = types.find((name) => name === text);
  if (type !== undefined) return type;
  throw unknownWord("two-factor method", text, types, { next: "Use one of them." });
}

const columns = [{ key: "type", kind: "id" }, { key: "status" }] as const;

const passwordOptions = [
  { name: "password-stdin", summary: "read the account password from stdin" },
  { name: "email", value: "address", summary: "email address of the account (default: looked up)" },
] as const;

async function credentialsOf(ctx: CommandContext, input: CommandInput) {
  const password = await secretValue(ctx, input, "password", "Account password");
  rememberSecret(password);
  const email = option(input, "email") ?? (await (await ctx.client()).account.info()).email;
  return { email, password };
}

const enable = defineCommand({
  path: ["otp", "enable"],
  result: one([{ key: "type", kind: "id" }, { key: "status" }, { key: "link" }]),
  effect: "changes",
  summary: "Enable two-factor authentication",
  details:
    "sms and email send a code; authenticator prints a link for an authenticator app, once. The method is active " +
    "after you confirm it with iot account otp confirm and a code.",
  args: [typeArgument],
  options: passwordOptions,
  examples: [
    "iot account otp enable email --password-stdin < password.txt",
    "iot account otp enable authenticator --password-stdin --dry-run < password.txt",
  ],
  exitCodes: [1, 3],
  related: ["iot account otp confirm", "iot account otp disable"],
  async run(ctx, input) {
    const type = typeOf(input);
    if (await ctx.dryRun({ method: "POST", path: `/account/otp/${type}/enable`, body: { password: "…" } })) return;
    const credentials = await credentialsOf(ctx, input);
    const { account } = await ctx.client();
    const answer = await account.enableOTP(credentials, type);
    expectText(answer, "to the OTP request");
    // The link holds the secret of the factor. It is the result; no message repeats it.
    const isLink = answer.startsWith("otpauth:");
    const row = { type, status: isLink ? "waits for a code" : answer, ...(isLink ? { link: answer } : {}) };
    await ctx.out.item(row, { columns: [...columns, ...(isLink ? [{ key: "link" }] : [])], idKey: "type" });
    await ctx.done(`Started setting up two-factor authentication by ${type}`);
    ctx.say.hint(`Confirm it with "iot account otp confirm ${type} <code>".`);
  },
});

const confirm = defineCommand({
  path: ["otp", "confirm"],
  result: one(columns),
  effect: "changes",
  summary: "Confirm a two-factor method with a code",
  args: [typeArgument, { name: "code", summary: "one-time code", required: true }],
  examples: ["iot account otp confirm email 123456 --dry-run", "iot account otp confirm sms 123456 --dry-run --json"],
  exitCodes: [1],
  related: ["iot account otp enable"],
  async run(ctx, input) {
    const type = typeOf(input);
    const code = (argument(input, "code") ?? "").trim();
    if (await ctx.dryRun({ method: "POST", path: `/account/otp/${type}/confirm`, body: { pin_code: code } })) return;
    const { account } = await ctx.client();
    const status = await account.confirmOTP(code, type);
    await ctx.out.item({ type, status }, { columns, idKey: "type" });
    await ctx.done(`Two-factor authentication by ${type} is enabled`);
  },
});

const disable = defineCommand({
  path: ["otp", "disable"],
  result: one(columns),
  effect: "changes",
  summary: "Disable two-factor authentication",
  details: "If two-factor authentication is enabled, the platform requires a code: --otp.",
  args: [typeArgument],
  options: [
    ...passwordOptions,
    { name: "otp", value: "code", summary: "one-time code" },
    { name: "otp-type", value: "type", summary: "two-factor method that produced the code", choices: types },
  ],
  groups: ["confirm", "dryRun"],
  examples: [
    "iot account otp disable email --password-stdin --dry-run < password.txt",
    "iot account otp disable authenticator --otp 123456 --yes --password-stdin --dry-run < password.txt",
  ],
  exitCodes: [1, 3],
  related: ["iot account otp enable"],
  async run(ctx, input) {
    const type = typeOf(input);
    if (await ctx.dryRun({ method: "POST", path: `/account/otp/${type}/disable`, body: { password: "…" } })) return;
    const credentials = await credentialsOf(ctx, input);
    await ctx.confirm({ level: 1, action: `Disable two-factor authentication by ${type}`, name: type });
    const [otp, otpType] = [option(input, "otp"), option(input, "otp-type") ?? type];
    const { account } = await ctx.client();
    const proof = otp === undefined ? {} : { pin_code: otp, otp_type: otpType };
    const status = await account.disableOTP({ ...credentials, ...proof }, type);
    await ctx.out.item({ type, status }, { columns, idKey: "type" });
    await ctx.done(`Two-factor authentication by ${type} is disabled`);
  },
});

export const commands: readonly Command[] = [enable, disable, confirm];
