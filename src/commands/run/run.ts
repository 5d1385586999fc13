import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { isObject, objectOf } from "../kit/files/files.ts";
import { type BodyField, bodyOptions, needChange, readBody } from "../kit/resource/body.ts";

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
    "-o json prints everything: email templates, colours, buttons and sign-up fields. The anonymous token is left out.",
  examples: ["iot run get", "iot run get --json --jq .email_templates"],
  related: ["iot run update", "iot run user list"],
  async run(ctx) {
    const { run } = await ctx.client();
    const { anonymous_token: _, ...portal } = await run.info();
    await ctx.out.item(portal, { columns, idKey: "profile" });
  },
});

const fields: readonly BodyField[] = [
  { name: "name", kind: "content", summary: "title of the portal" },
  { name: "sub-title", kind: "content", summary: "subtitle of the portal" },
  { name: "active", summary: "whether the portal is active", off: "inactive" },
  { name: "url", kind: "content", value: "host", summary: "hostname: example.tago.run" },
  { name: "signup-method", kind: "content", value: "method", summary: "how users sign up: auto, admin, disabled" },
  { name: "auth-token-ttl", kind: "content", value: "duration", summary: 'session lifetime: "3 months"' },
  { name: "email-domain", kind: "content", value: "domain", summary: "domain that emails are sent from" },
  { name: "logo", kind: "content", value: "url", summary: "URL of the logo" },
  { name: "favicon", kind: "content", value: "url", summary: "URL of the favicon" },
  { name: "dictionary", kind: "content", value: "id", summary: "dictionary for translated texts" },
  { name: "theme", summary: "theme colours; others stay unchanged", kind: "json" },
  { name: "email-templates", summary: "email templates; others stay unchanged", kind: "json" },
  { name: "signup-fields", summary: "fields of the sign-up form", kind: "json" },
  { name: "sidebar-buttons", summary: "buttons in the sidebar", kind: "json" },
];

/** Fields that the platform replaces as a whole; what was not set stays. */
const merged = ["theme", "email_templates", "security", "integration"] as const;

const update = defineCommand({
  path: ["update"],
  aliases: ["edit"],
  result: one(columns),
  effect: "changes",
  summary: "Update the portal",
  options: bodyOptions(fields),
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
    await ctx.done(`Updated portal "${portal.name}" (${portal.url})`);
  },
});

export const commands: readonly Command[] = [get, update];
