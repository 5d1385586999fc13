import { argumentList, option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, value } from "../kit/command/result.ts";
import { isObject, objectOf } from "../kit/files/files.ts";
import { type BodyField, bodyOptions, needChange, needMembers, readBody } from "../kit/resource/body.ts";
import { resolveIds } from "../kit/resource/resolve-id.ts";
import { runUserFinder } from "./finder.ts";

const columns: readonly Column<object>[] = [
  { key: "name" },
  { key: "url" },
  { key: "active", kind: "flag" },
  { key: "sub_title" },
  { key: "signup_method" },
  { key: "auth_token_ttl" },
  { key: "email_domain" },
  { key: "sso_saml_active", header: "saml", kind: "flag" },
  { key: "dictionary", kind: "id" },
  { key: "profile", kind: "id" },
  { key: "created_at", kind: "time" },
  ...["signup_fields", "sidebar_buttons", "signin_buttons", "email_templates", "theme", "security"].map((key) => ({
    key,
    kind: "json" as const,
    hidden: true,
  })),
];

const get = defineCommand({
  path: ["get"],
  aliases: ["info"],
  result: one(columns),
  effect: "reads",
  summary: "Show the portal of the profile",
  details:
    "JSON has everything: texts of mails, colours, buttons, fields of the sign-up form. The anonymous token is left out.",
  examples: ["iot run get", "iot run get --json --jq .email_templates"],
  related: ["iot run update", "iot run user list"],
  async run(ctx) {
    const { run } = await ctx.client();
    const { anonymous_token: _, ...portal } = await run.info();
    await ctx.out.item(portal, { columns, idKey: "profile" });
  },
});

const fields: readonly BodyField[] = [
  { flag: "name", summary: "title of the portal" },
  { flag: "sub-title", summary: "line below the title" },
  { flag: "active", summary: "the portal can be used", kind: "switch", off: "inactive" },
  { flag: "url", value: "host", summary: "host name: example.tago.run" },
  { flag: "signup-method", value: "method", summary: "how somebody becomes a user: auto, admin, disabled" },
  { flag: "auth-token-ttl", value: "duration", summary: 'how long a login lasts: "3 months"' },
  { flag: "email-domain", value: "domain", summary: "domain of the portal's mails" },
  { flag: "logo", value: "url", summary: "address of the logo" },
  { flag: "favicon", value: "url", summary: "address of the icon in the browser" },
  { flag: "dictionary", value: "id", summary: "dictionary of the portal's texts" },
  { flag: "theme", summary: "colours by place; those left out stay", kind: "json" },
  { flag: "email-templates", summary: "mails by occasion; those left out stay", kind: "json" },
  { flag: "signup-fields", summary: "questions of the sign-up form", kind: "json" },
  { flag: "sidebar-buttons", summary: "buttons of the side bar", kind: "json" },
];

/** Members that the platform replaces as a whole; what was not named stays. */
const merged = ["theme", "email_templates", "security", "integration"] as const;

const update = defineCommand({
  path: ["update"],
  aliases: ["edit"],
  result: one(columns),
  effect: "changes",
  summary: "Change named fields of the portal",
  options: bodyOptions(fields),
  groups: ["dryRun"],
  examples: [
    'iot run update --sub-title "Cold store, silos and trucks" --auth-token-ttl "1 month"',
    'echo \'{"theme": {"color_primary": "#1a6fb3"}}\' | iot run update --input - --dry-run',
  ],
  exitCodes: [1, 3],
  related: ["iot run get", "iot run email-test"],
  async run(ctx, input) {
    const body = await readBody(ctx, input, fields);
    needChange(body, '--name "Demo Plant portal"');
    const { run } = await ctx.client();
    const parts = merged.filter((name) => isObject(body[name]));
    if (parts.length > 0) {
      const before = await run.info();
      for (const name of parts) body[name] = { ...before[name], ...objectOf(body[name]) };
    }
    if (await ctx.dryRun({ method: "PUT", path: "/run", body })) return;
    await run.edit(body);
    const { anonymous_token: _, ...portal } = await run.info();
    await ctx.out.item(portal, { columns, idKey: "profile" });
    ctx.say.info(`Updated portal "${portal.name}" (${portal.url}) in ${(await ctx.connection()).label}.`);
  },
});

const emailFields: readonly BodyField[] = [
  { flag: "subject", summary: "subject; may hold marks such as $name$" },
  { flag: "body", summary: "Markdown with the same marks, or @file" },
];

const sentSchema = {
  type: "object",
  properties: { subject: { type: "string" }, status: { type: "string" } },
} as const;

const emailTest = defineCommand({
  path: ["email-test"],
  result: value(sentSchema),
  effect: "changes",
  summary: "Send yourself a mail, to see what mails of the portal look like",
  details: "It goes to the address of the account. --template takes subject and text of one of the portal's own mails.",
  options: [
    ...bodyOptions(emailFields),
    { name: "template", value: "occasion", summary: "a mail of the portal: password_recover, welcome_actived …" },
  ],
  groups: ["dryRun"],
  examples: [
    'iot run email-test --subject "Trial" --body "Hello **you**"',
    "iot run email-test --template password_recover --dry-run",
  ],
  exitCodes: [1, 3, 6],
  related: ["iot run get", "iot run update"],
  async run(ctx, input) {
    const { run } = await ctx.client();
    const given = await readBody(ctx, input, emailFields);
    const template = option(input, "template");
    const body = template === undefined ? given : { ...(await templateOf(run, template)), ...given };
    needMembers(body, "mail", { subject: "--subject Trial", body: "--body @mail.md" });
    if (await ctx.dryRun({ method: "POST", path: "/run/email_test", body })) return;
    const subject = String(body["subject"]);
    const status = await run.emailTest({ subject, body: String(body["body"]) });
    await ctx.out.value({ subject, status });
    ctx.say.info(`Sent the mail "${subject}" in ${(await ctx.connection()).label}.`);
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
  throw notFoundError(`The portal has no mail ${quote(name)}.`, {
    code: "run.template_not_found",
    why: `It has ${Object.keys(templates).sort().join(", ")}.`,
  });
}

const noteFields: readonly BodyField[] = [
  { flag: "title", summary: "first line" },
  { flag: "message", summary: "text below it, or @file" },
  { flag: "buttons", summary: 'up to 4: [{"id": "ok", "label": "Seen"}]', kind: "json" },
  { flag: "buttons-autodisable", summary: "one press disables all buttons", kind: "switch" },
];

const noteColumns = [{ key: "id", kind: "id" }, { key: "title" }, { key: "users", kind: "number" }] as const;

const notify = defineCommand({
  path: ["notify"],
  result: one(noteColumns),
  effect: "changes",
  summary: "Send a notification to users of the portal",
  args: [
    { name: "users", summary: "users: full ids, or unique name:… or tag:key=value", required: true, variadic: true },
  ],
  options: bodyOptions(noteFields),
  groups: ["dryRun"],
  examples: [
    'iot run notify "name:Oda Operator" --title "Tank" --message "It is full."',
    'iot run notify "name:Oda Operator" "name:Dirk Driver" --title "Tank" --message "It is full." --dry-run',
  ],
  exitCodes: [1, 3, 6],
  related: ["iot run user list", "iot notification create"],
  async run(ctx, input) {
    const body = await readBody(ctx, input, noteFields);
    needMembers(body, "notification", { title: "--title Tank", message: '--message "It is full."' });
    const users = await resolveIds(ctx, runUserFinder, argumentList(input, "users"));
    const ids = users.map(({ id }) => id);
    if (await ctx.dryRun({ method: "POST", path: "/run/notification", body: { ...body, run_user: ids } })) return;
    const { run } = await ctx.client();
    const note = body as unknown as Parameters<typeof run.notificationCreate>[1];
    const { id } = await run.notificationCreate(ids, note);
    await ctx.out.item({ id, title: note.title, users: ids.length }, { columns: noteColumns });
    const names = await Promise.all(users.slice(0, 3).map((user) => user.name()));
    const whom = `${names.join(", ")}${ids.length > names.length ? ` and ${ids.length - names.length} more` : ""}`;
    ctx.say.info(`Sent notification "${note.title}" to ${whom} in ${(await ctx.connection()).label}.`);
  },
});

export const commands: readonly Command[] = [get, update, emailTest, notify];
