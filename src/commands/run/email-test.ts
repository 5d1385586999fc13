import { defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import { type BodyField, bodyOptions, needMembers, readBody } from "../kit/resource/body.ts";

const emailFields: readonly BodyField[] = [
  { name: "subject", kind: "content", summary: "subject; may contain placeholders such as $name$" },
  { name: "body", kind: "content", summary: "Markdown with the same placeholders, or @file" },
];

const sentSchema = {
  type: "object",
  properties: { subject: { type: "string" }, status: { type: "string" } },
} as const;

export const emailTest = defineCommand({
  path: ["email-test"],
  result: value(sentSchema),
  effect: "changes",
  summary: "Send yourself a test email from the portal",
  details:
    "Sent to the email address of the account. --template uses subject and text of one of the portal's email templates.",
  options: [
    ...bodyOptions(emailFields),
    { name: "template", value: "occasion", summary: "email template: password_recover, welcome_actived …" },
  ],
  examples: [
    'iot run email-test --subject "Trial" --body "Hello **you**"',
    "iot run email-test --template password_recover --dry-run",
  ],
  exitCodes: [1, 3, 6],
  related: ["iot run get", "iot run update"],
  async run(ctx, input) {
    const { run } = await ctx.client();
    const given = await readBody(ctx, input, emailFields);
    const template = input.options.template;
    const body = template === undefined ? given : { ...(await templateOf(run, template)), ...given };
    needMembers(body, "mail", { subject: "--subject Trial", body: "--body @mail.md" });
    if (await ctx.dryRun({ method: "POST", path: "/run/email_test", body })) return;
    const subject = String(body["subject"]);
    const status = await run.emailTest({ subject, body: String(body["body"]) });
    await ctx.out.value({ subject, status });
    await ctx.done(`Sent the email "${subject}"`);
  },
});

async function templateOf(
  run: { info(): Promise<{ readonly email_templates: Readonly<Record<string, { subject: string; value: string }>> }> },
  name: string,
): Promise<Record<string, unknown>> {
  const { email_templates: templates } = await run.info();
  const found = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (found !== undefined) return { subject: found.subject, body: found.value };
  const { notFoundError } = await import("../kit/failures/command-error.ts");
  const { quote } = await import("../kit/command/values.ts");
  throw notFoundError(`Email template ${quote(name)} not found.`, {
    code: "run.template_not_found",
    why: `The portal has ${Object.keys(templates).sort().join(", ")}.`,
  });
}
