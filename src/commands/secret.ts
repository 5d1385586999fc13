import { option, optionFlag } from "./kit/command/arguments.ts";
import type { Column } from "./kit/command/columns.ts";
import type { Command, CommandInput, OptionSpec } from "./kit/command/define.ts";
import type { CommandContext } from "./kit/context.ts";
import { usageError } from "./kit/failures/command-error.ts";
import {
  changedTags,
  inputObject,
  inputOption,
  needMembers,
  secretValue,
  tagOptions,
  tagsOf,
} from "./kit/resource/body.ts";
import type { Finder } from "./kit/resource/resolve-id.ts";
import { crud } from "./kit/resource/resource.ts";
import { rememberSecret } from "./kit/say/redact.ts";

interface SecretRow {
  readonly id: string;
  readonly key?: string;
}

const columns: readonly Column<SecretRow>[] = [
  { key: "id", kind: "id" },
  { key: "key" },
  { key: "value_length", header: "length", kind: "number" },
  { key: "tags", kind: "tags" },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time" },
];

/** Secrets have a key where other resources have a name. */
const secretFinder: Finder = {
  noun: "secret",
  plural: "secrets",
  forms: ["name", "tag"],
  async find(ctx, query, amount) {
    const { secrets } = await ctx.client();
    const filter =
      query?.form === "name"
        ? { key: query.name }
        : query?.form === "tag"
          ? { tags: [{ key: query.key, value: query.value }] }
          : {};
    const rows = await secrets.list({ amount, filter, fields: ["id", "key"] });
    return rows.map(({ id, key }) => ({ id, name: key }));
  },
  async nameOf(ctx, id) {
    const { secrets } = await ctx.client();
    return (await secrets.info(id)).key;
  },
};

const valueOption: OptionSpec = { name: "value-stdin", summary: "read the value from stdin instead of asking for it" };
const valueDetails =
  "The platform takes keys of letters, digits and _, each once, in upper case, and values of 6 to 2,048 characters; it " +
  'refuses anything else with "Sorry, Internal Error". ' +
  "The value is asked for without echo, or read from stdin with --value-stdin; a last line break is dropped. It is never " +
  "a flag, because flags are seen by others and kept by shells. No command shows it again.";

/** The value, known to everything that hides secrets; a dry run does not show it at all. */
async function readValue(ctx: CommandContext, input: CommandInput, body: Record<string, unknown>): Promise<string> {
  const inFile = body["value"];
  const value =
    typeof inFile === "string" && !optionFlag(input, "value-stdin")
      ? inFile
      : await secretValue(ctx, input, "value", "Value:");
  rememberSecret(value);
  return ctx.flags.dryRun ? "…" : value;
}

/** Both stdin at once cannot be. */
function checkInputs(input: CommandInput): void {
  if (option(input, "input") !== "-" || !optionFlag(input, "value-stdin")) return;
  throw usageError("--input - and --value-stdin both read stdin.", { next: "Put the value into the JSON object." });
}

export const commands: readonly Command[] = crud<SecretRow>({
  finder: secretFinder,
  route: "/secrets",
  columns,
  fields: columns.map(({ key }) => key),
  nameOf: ({ id, key }) => key ?? id,
  info: (client, id) => client.secrets.info(id),
  list: {
    options: [{ name: "key", value: "text", summary: "secrets with this key; * stands for any text" }],
    details: "Values are never given back by the platform; the length of each is.",
    examples: ["iot secret list", 'iot secret list --key "*SMTP*" --json'],
    plan(_ctx, input, request) {
      const key = option(input, "key");
      const filter = { ...request.filter, ...(key === undefined ? {} : { key }) };
      return {
        request: { ...request, filter },
        read: (client, query) => client.secrets.list(query as Parameters<typeof client.secrets.list>[0]),
      };
    },
  },
  get: {
    examples: ["iot secret get name:PLANT_SMTP", "iot secret get name:WEATHER_API_KEY --json"],
    columns: columns.map(({ hidden: _, ...column }) => column),
  },
  create: {
    options: [
      { name: "key", value: "text", summary: "name the secret is used by; it cannot be changed" },
      valueOption,
      inputOption,
      { name: "tag", value: "k=v", summary: "tag of the secret", repeat: true },
    ],
    details: valueDetails,
    examples: [
      "echo not-a-real-key | iot secret create --key MAPS_API_KEY --value-stdin",
      "iot secret create --key PLANT_TOKEN --value-stdin --tag site=7 < token.txt",
    ],
    async body(ctx, input) {
      checkInputs(input);
      const body = await inputObject(ctx, input);
      const key = option(input, "key");
      if (key !== undefined) body["key"] = key;
      const tags = tagsOf(input);
      if (tags.length > 0) body["tags"] = tags;
      needMembers(body, "secret", { key: "--key MAPS_API_KEY" });
      return { ...body, value: await readValue(ctx, input, body) };
    },
    async send(client, body) {
      return (await client.secrets.create(body as Parameters<typeof client.secrets.create>[0])).id;
    },
  },
  update: {
    options: [valueOption, inputOption, ...tagOptions],
    details: `${valueDetails} With --tag or --remove-tag alone the value stays as it is.`,
    examples: [
      "echo another-key | iot secret update name:WEATHER_API_KEY --value-stdin",
      "iot secret update name:PLANT_SMTP --tag purpose=mail",
    ],
    async body(ctx, input, target) {
      checkInputs(input);
      const { key: _, ...body } = await inputObject(ctx, input);
      const current = async () => (await (await ctx.client()).secrets.info(target.id)).tags;
      Object.assign(body, await changedTags(input, current));
      const isAboutValue = optionFlag(input, "value-stdin") || "value" in body || Object.keys(body).length === 0;
      return isAboutValue ? { ...body, value: await readValue(ctx, input, body) } : body;
    },
    send: (client, id, body) => client.secrets.edit(id, body as Parameters<typeof client.secrets.edit>[1]),
  },
  delete: {
    examples: [
      "iot secret delete name:WEATHER_API_KEY --dry-run",
      "iot secret delete name:PLANT_SMTP name:WEATHER_API_KEY --dry-run",
    ],
    send: (client, id) => client.secrets.delete(id),
  },
});
