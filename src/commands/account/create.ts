import { optionFlag } from "../kit/command/arguments.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { type BodyField, bodyOptions, needMembers, readBody, secretValue } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { askAnonymously } from "./anonymous.ts";
import { columns, emailOf } from "./sign-up.ts";

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the owner" },
  { flag: "email", value: "address", summary: "e-mail, used to log in" },
  { flag: "timezone", value: "zone", summary: "time zone: Europe/Lisbon (UTC)" },
  { flag: "company", summary: "company" },
  { flag: "country", value: "code", summary: "country: PT" },
  { flag: "newsletter", summary: "send news by mail", kind: "switch" },
  { flag: "developer", summary: "the owner is a developer", kind: "switch" },
];

export const create = defineCommand({
  path: ["create"],
  asks: "anonymous",
  result: one(columns),
  effect: "changes",
  summary: "Sign up: create an account with one profile",
  details:
    "Needs no token. The platform sends a mail with a one-time token; iot account confirm takes it, and iot auth login works " +
    "from then on. The password comes from stdin, a prompt, or the member password of --input.",
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
