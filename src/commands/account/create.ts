import { optionFlag } from "../kit/command/arguments.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { type BodyField, bodyOptions, needMembers, readBody, secretValue } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { askAnonymously } from "./anonymous.ts";
import { columns, emailOf } from "./sign-up.ts";

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the account owner" },
  { flag: "email", value: "address", summary: "email address, used to log in" },
  { flag: "timezone", value: "zone", summary: "time zone: Europe/Lisbon (UTC)" },
  { flag: "company", summary: "company" },
  { flag: "country", value: "code", summary: "country: PT" },
  { flag: "newsletter", summary: "receive the newsletter by email", kind: "switch" },
  { flag: "developer", summary: "mark the owner as a developer", kind: "switch" },
];

export const create = defineCommand({
  path: ["create"],
  asks: "anonymous",
  result: one(columns),
  effect: "changes",
  summary: "Sign up: create an account with one profile",
  details:
    "Requires no token. The platform sends an email with a one-time token: pass it to iot account confirm, then log in with " +
    "iot auth login. The password comes from stdin, a prompt or the property password in --input.",
  options: [...bodyOptions(fields), { name: "password-stdin", summary: "read the password from stdin" }],
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
      typeof known === "string" ? known : await secretValue(ctx, input, "password", "Password for the new account");
    rememberSecret(password);
    const body = { timezone: "UTC", ...given, email, password, cpassword: password };
    if (await ctx.dryRun({ method: "POST", path: "/account", body: { ...body, password: "…", cpassword: "…" } }))
      return;
    const status = await askAnonymously(ctx, "POST", "/account", body);
    await ctx.out.item({ email, status }, { columns, idKey: "email" });
    ctx.say.info(`Created account ${email} in ${(await ctx.target()).label}.`);
    ctx.say.hint('Pass the token from the email to "iot account confirm".');
  },
});
