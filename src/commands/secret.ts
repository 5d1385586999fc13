import { SECRET_KEY_MAX_CHARS, SECRET_MAX_CHARS, SECRET_MIN_CHARS } from "../lib/core/limits.ts";
import { countOf, countText } from "../text/count.ts";
import type { Command } from "./kit/command/define.ts";
import { type CommandError, usageError } from "./kit/failures/command-error.ts";
import type { Body } from "./kit/resource/fields.ts";
import { exactlyNamed } from "./kit/resource/resolve-id.ts";
import { resource } from "./kit/resource/resource.ts";
import { resourceRoutes } from "./kit/resource/routes.ts";
import { simpleFinder } from "./kit/resource/simple-finder.ts";

const valueLength = `${SECRET_MIN_CHARS} to ${countText(SECRET_MAX_CHARS)} characters`;
const keyForm = new RegExp(`^\\w{1,${SECRET_KEY_MAX_CHARS}}$`);

const valueDetails =
  `Keys consist of letters, digits and _, are unique and stored in upper case; values have ${valueLength}. The platform ` +
  'rejects anything else with "Sorry, Internal Error". ' +
  "The value is asked for without echo, or read from stdin with --value-stdin; a trailing line break is dropped. It is never " +
  "a flag, because other users can see flags and shells store them. No command shows it again.";

const secretFinder = simpleFinder({
  noun: "secret",
  nameKey: "key",
  forms: ["name", "tag"],
  api: ({ secrets }) => secrets,
});

/**
 * Checks what the platform rejects without naming a cause.
 *
 * @throws CommandError
 */
function checked(body: Body, dryRun: boolean): Body {
  const { key, value } = body;
  if (key !== undefined && !(typeof key === "string" && keyForm.test(key)))
    throw invalid("Invalid --key.", `Keys consist of letters, digits and _, at most ${SECRET_KEY_MAX_CHARS} of them.`);
  const length = typeof value === "string" && !dryRun ? Array.from(value).length : undefined;
  if (length !== undefined && (length < SECRET_MIN_CHARS || length > SECRET_MAX_CHARS))
    throw invalid(
      `The value has ${countOf(length, "character")}.`,
      `A secret has ${valueLength}; a trailing line break is not counted.`,
    );
  return body;
}

const invalid = (message: string, why: string): CommandError =>
  usageError(message, { code: "usage.invalid_value", why, next: "Correct it, then run the command again." });

export const commands: readonly Command[] = resource({
  finder: secretFinder,
  route: resourceRoutes.secret,
  api: ({ secrets }) => secrets,
  columns: [
    { key: "id", kind: "id" },
    { key: "key" },
    { key: "value_length", header: "length", kind: "number" },
    { key: "tags", kind: "tags" },
    { key: "created_at", kind: "time", hidden: true },
    { key: "updated_at", kind: "time" },
  ],
  fields: [
    {
      name: "key",
      kind: "text",
      only: "create",
      needed: "--key MAPS_API_KEY",
      summary: "name of the secret in code; cannot be changed",
    },
    {
      name: "value",
      isSecret: true,
      question: "Value:",
      askedLast: true,
      summary: "read the value from stdin instead of asking for it",
    },
  ],
  tags: true,
  list: {
    filterable: ["id", "key"],
    sortable: ["key"],
    filters: [{ name: "key", value: "text", summary: "only secrets with this key; * matches any text" }],
    details: "The platform never returns values, only their length.",
    examples: ["iot secret list", 'iot secret list --key "*SMTP*" --json'],
  },
  get: { examples: ["iot secret get name:PLANT_SMTP", "iot secret get name:WEATHER_API_KEY --json"] },
  create: {
    complete: (ctx, _input, body) => checked(body, ctx.flags.dryRun),
    details: valueDetails,
    twins: { member: "key", isUnique: true, find: (ctx, key) => exactlyNamed(ctx, secretFinder, key.toUpperCase()) },
    examples: [
      "echo not-a-real-key | iot secret create --key MAPS_API_KEY --value-stdin",
      "iot secret create --key PLANT_TOKEN --value-stdin --tag site=7 < token.txt",
    ],
  },
  update: {
    complete: (ctx, _input, body) => checked(body, ctx.flags.dryRun),
    change: "--value-stdin or --tag purpose=mail",
    details: `${valueDetails} With --tag or --remove-tag alone the value stays unchanged.`,
    examples: [
      "echo another-key | iot secret update name:WEATHER_API_KEY --value-stdin",
      "iot secret update name:PLANT_SMTP --tag purpose=mail",
    ],
  },
  delete: {
    examples: [
      "iot secret delete name:WEATHER_API_KEY --dry-run",
      "iot secret delete name:PLANT_SMTP name:WEATHER_API_KEY --dry-run",
    ],
  },
});
