import { countOf } from "../../text/count.ts";
import { option } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { parseJsonText } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";

/** The flag of services that need credentials of somebody else; `holds` says what the file has to hold. */
export function credentialsOption(holds: string): OptionSpec {
  return { name: "credentials", file: "in", value: "file", summary: `JSON file with ${holds}; - is stdin` };
}

export const credentialsDetails =
  "Pass credentials in a file with --credentials or --input, or on stdin; never as a flag value, which other users " +
  "could see.";

/** Every text of credentials is hidden from messages, whatever its name is. */
function rememberTexts(value: unknown): void {
  if (typeof value === "string") rememberSecret(value);
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) rememberTexts(inner);
}

/** The object of `--credentials`; undefined when the flag was not given. */
async function credentialsObject(
  ctx: CommandContext,
  input: CommandInput,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const place = option(input, "credentials");
  if (place === undefined) return undefined;
  if (place === "-" && option(input, "input") === "-") {
    throw usageError("--credentials - and --input - both read stdin.", { next: "Pass one of them as a file." });
  }
  const shown = place === "-" ? "stdin" : quote(place);
  const value = parseJsonText(await ctx.readInput(place, "--credentials"), shown);
  if (!isObject(value)) {
    throw inputError(`${shown} does not contain a JSON object.`, {
      next: 'Use an object such as {"host": "mail.example.test"}.',
    });
  }
  rememberTexts(value);
  return value;
}

/** Takes members of the credentials into a message; refuses a message that has none. */
export async function addCredentials(
  ctx: CommandContext,
  input: CommandInput,
  body: Record<string, unknown>,
  members: readonly string[],
): Promise<void> {
  const given = await credentialsObject(ctx, input);
  for (const name of members) {
    if (given !== undefined) body[name] = given[name];
    rememberTexts(body[name]);
    if (typeof body[name] === "string" && body[name] !== "") continue;
    throw usageError(`The message needs ${name}.`, {
      code: "usage.missing_value",
      next: `Pass a file with --credentials that contains ${JSON.stringify(Object.fromEntries(members.map((key) => [key, "…"])))}.`,
    });
  }
}

/** As `addCredentials`, for services that take the whole object as one member. */
export async function addSecretObject(
  ctx: CommandContext,
  input: CommandInput,
  body: Record<string, unknown>,
  member: string,
  example: object,
): Promise<void> {
  const given = await credentialsObject(ctx, input);
  if (given !== undefined) body[member] = given;
  rememberTexts(body[member]);
  if (body[member] !== undefined) return;
  throw usageError(`The message needs ${member}.`, {
    code: "usage.missing_value",
    next: `Pass a file with --credentials that contains ${JSON.stringify(example)}.`,
  });
}

const HIDDEN: ReadonlySet<string> = new Set([
  "smtp_secret",
  "sqs_secret",
  "sendgrid_api_key",
  "twilio_sid",
  "twilio_token",
]);
const LONGEST_CONTENT = 200;

/** A message as `--dry-run` shows it: without credentials, long contents by their length. */
export function shownMessage(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = (name: string, value: unknown): unknown => {
    if (HIDDEN.has(name)) return "…";
    if (Array.isArray(value)) return value.map((item) => shown("", item));
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(key, item)]));
    const isLong = name === "archive" && typeof value === "string" && value.length > LONGEST_CONTENT;
    return isLong ? `(${countOf(value.length, "character")} of base64)` : value;
  };
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shown(name, value)]));
}
