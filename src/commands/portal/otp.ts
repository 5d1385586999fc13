import type { RunUser } from "../../index.ts";
import { option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { readPassword } from "./password.ts";
import { type PortalUser, portalPath, portalUser, userDetails, userOptions } from "./user.ts";

type Factor = "authenticator" | "sms" | "email";
type Credentials = Parameters<RunUser["enableOTP"]>[1];

interface Answer {
  readonly type: Factor;
  readonly result: string;
}

const columns: readonly Column<Answer>[] = [{ key: "type" }, { key: "result" }];

const typeOption = {
  name: "otp-type",
  value: "type",
  summary: "two-factor method",
  choices: ["authenticator", "sms", "email"],
} as const;
const passwordOption = { name: "password-stdin", summary: "read the user's password from stdin" } as const;
const emailOption = { name: "email", value: "address", summary: "email address of the user" } as const;
const oda = '--user "name:Oda Operator"';

function factorOf(input: CommandInput): Factor {
  const type = option(input, "otp-type");
  if (type === "authenticator" || type === "sms" || type === "email") return type;
  throw usageError("--otp-type is required.", {
    code: "usage.missing_value",
    next: "Add --otp-type authenticator, sms or email.",
  });
}

function emailOf(input: CommandInput): string {
  const email = option(input, "email");
  if (email !== undefined && email !== "") return email;
  throw usageError("--email is required.", {
    code: "usage.missing_value",
    why: "Changing two-factor authentication requires email address and password.",
    next: "Add --email and --password-stdin.",
  });
}

/** Credentials of the user, who proves with them that it is at the keyboard. */
async function change(
  ctx: CommandContext,
  input: CommandInput,
  verb: "enable" | "disable",
  call: (user: PortalUser, type: Factor, credentials: Credentials) => Promise<string>,
): Promise<Answer | undefined> {
  const type = factorOf(input);
  const email = emailOf(input);
  const password = await readPassword(ctx, input, "Password:");
  const user = await portalUser(ctx, input);
  const body = { email, password: "…" };
  if (await ctx.dryRun({ method: "POST", path: portalPath(user.host, "otp", type, verb), body })) return undefined;
  return { type, result: String(await call(user, type, { email, password })) };
}

const enable = defineCommand({
  path: ["otp", "enable"],
  result: one(columns),
  effect: "changes",
  summary: "Enable two-factor authentication for a portal user",
  details: `For authenticator, the result is the link for the app. The method is active after you confirm it with "iot portal otp confirm" and a code. ${userDetails}`,
  options: [typeOption, emailOption, passwordOption, ...userOptions],
  examples: [
    `iot portal otp enable --otp-type email --email operator@example.test --password-stdin ${oda} < operator.txt`,
    `iot portal otp enable --otp-type sms --email operator@example.test --password-stdin ${oda} --dry-run < operator.txt`,
  ],
  exitCodes: [3, 6],
  related: ["iot portal otp confirm"],
  async run(ctx, input) {
    const answer = await change(ctx, input, "enable", (user, type, credentials) =>
      user.act((client, host) => client.enableOTP(host, credentials, type)),
    );
    if (answer === undefined) return;
    if (answer.type === "authenticator") rememberSecret(answer.result);
    await ctx.out.item(answer, { columns, idKey: "type" });
    ctx.say.hint(`Confirm it: iot portal otp confirm --otp-type ${answer.type} --otp <code>.`);
  },
});

const disable = defineCommand({
  path: ["otp", "disable"],
  result: one(columns),
  effect: "changes",
  summary: "Disable two-factor authentication for a portal user",
  details: userDetails,
  options: [typeOption, emailOption, passwordOption, ...userOptions],
  groups: ["confirm", "dryRun"],
  examples: [
    `iot portal otp disable --otp-type email --email operator@example.test --password-stdin ${oda} --dry-run < operator.txt`,
    `iot portal otp disable --otp-type authenticator --email operator@example.test --password-stdin ${oda} --dry-run < operator.txt`,
  ],
  exitCodes: [3, 6],
  related: ["iot portal otp enable"],
  async run(ctx, input) {
    const answer = await change(ctx, input, "disable", async (user, type, credentials) => {
      await ctx.confirm({
        level: 1,
        action: `Disable two-factor authentication by ${type} for ${credentials.email}`,
        name: type,
      });
      return user.act((client, host) => client.disableOTP(host, credentials, type));
    });
    if (answer === undefined) return;
    await ctx.out.item(answer, { columns, idKey: "type" });
    ctx.say.info(`Disabled two-factor authentication by ${answer.type}.`);
  },
});

const confirm = defineCommand({
  path: ["otp", "confirm"],
  result: one(columns),
  effect: "changes",
  summary: "Confirm a portal user's two-factor method with a code",
  details: userDetails,
  options: [typeOption, { name: "otp", value: "code", summary: "one-time code" }, ...userOptions],
  examples: [
    `iot portal otp confirm --otp-type email --otp 123456 ${oda} --dry-run`,
    `iot portal otp confirm --otp-type authenticator --otp 123456 ${oda} --dry-run --json`,
  ],
  exitCodes: [6],
  related: ["iot portal otp enable"],
  async run(ctx, input) {
    const type = factorOf(input);
    const code = option(input, "otp");
    if (code === undefined || code === "") {
      throw usageError("--otp is required.", { code: "usage.missing_value", next: "Add the code: --otp 123456." });
    }
    const user = await portalUser(ctx, input);
    const path = portalPath(user.host, "otp", type, "confirm");
    if (await ctx.dryRun({ method: "POST", path, body: { pin_code: code } })) return;
    const result = String(await user.act((client, host) => client.confirmOTP(host, code, type)));
    await ctx.out.item({ type, result }, { columns, idKey: "type" });
    ctx.say.info(`Confirmed two-factor authentication by ${type}.`);
  },
});

export const otpCommands: readonly Command[] = [enable, confirm, disable];
