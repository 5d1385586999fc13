import { optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { isObject } from "../kit/files/files.ts";
import { type BodyField, bodyOptions, needMembers, readBody } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { passwordOption, readPassword } from "./password.ts";
import { anonymousCall, exampleHost, needHost, portalOption, portalPath } from "./user.ts";

const signupFields: readonly BodyField[] = [
  { flag: "name", summary: "name" },
  { flag: "email", value: "address", summary: "email address" },
  { flag: "timezone", value: "zone", summary: "time zone: Europe/Lisbon (UTC)" },
  { flag: "company", summary: "company" },
  { flag: "phone", value: "number", summary: "phone number" },
  { flag: "language", value: "code", summary: "language: en-us" },
  { flag: "newsletter", kind: "switch", summary: "receive the newsletter by email" },
  { flag: "tag", member: "tags", kind: "tags", summary: "value of a custom sign-up field" },
];

const signupColumns: readonly Column<{ readonly user: string }>[] = [{ key: "user", kind: "id" }];

export const signup = defineCommand({
  path: ["signup"],
  asks: "anonymous",
  result: one(signupColumns),
  effect: "changes",
  summary: "Sign up as a new portal user",
  details:
    "The password is read from a hidden prompt or stdin. What happens next depends on the portal: the user gets an email " +
    'with a token for "iot portal confirm", or waits for approval by an administrator.',
  options: [portalOption, ...bodyOptions(signupFields), passwordOption],
  examples: [
    `iot portal signup --portal ${exampleHost} --name Jo --email jo.new@example.test --password-stdin < password.txt`,
    `iot portal signup --portal ${exampleHost} --name Kim --email kim@example.test --tag site=plant --password-stdin --dry-run < password.txt`,
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
    ctx.say.hint("Confirm with the token from the email: iot portal confirm --portal <host> <token>.");
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
