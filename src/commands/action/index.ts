import { argumentList, option, optionFlag, optionPair } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand, type OptionSpec } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { runBatch } from "../kit/resource/batch.ts";
import {
  type BodyField,
  bodyOptions,
  changedTags,
  needChange,
  needMembers,
  readBody,
  tagOptions,
  tagsOf,
} from "../kit/resource/body.ts";
import { crud, type ListPlan } from "../kit/resource/crud.ts";
import { resolveSeveral } from "../kit/resource/resolve-id.ts";
import { type Names, namesFor, readNames } from "../kit/resource/resource-names.ts";
import { steadyClient } from "../kit/steady-client.ts";
import { consequenceFrom, consequenceOptions } from "./consequences.ts";
import { type ActionRow, actionText, referencesOf, triggersText } from "./describe.ts";
import { actionFinder } from "./finder.ts";
import { triggerAction } from "./trigger.ts";
import { triggerOptions, triggersFrom } from "./triggers.ts";

const columns: readonly Column<ActionRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
  { key: "trigger", header: "when", kind: "json", value: triggersText },
  { key: "action", header: "does", kind: "json", value: actionText },
  { key: "type" },
  { key: "last_triggered", kind: "time" },
  { key: "lock", kind: "flag", hidden: true },
  { key: "trigger_when_unlock", kind: "flag", hidden: true },
  { key: "tags", kind: "tags", hidden: true },
  { key: "description", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const types = [
  "condition",
  "condition_geofence",
  "resource",
  "interval",
  "schedule",
  "mqtt_topic",
  "usage_alert",
] as const;

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the action" },
  { flag: "description", summary: "description" },
  { flag: "active", kind: "switch", off: "inactive", summary: "whether it may fire" },
  { flag: "lock", kind: "switch", off: "unlocked", summary: "quiet until its unlock rule holds" },
  {
    flag: "trigger-when-unlock",
    kind: "switch",
    off: "quiet-unlock",
    summary: "fire when it is unlocked, too",
  },
];

const listOptions: readonly OptionSpec[] = [
  { name: "name", value: "text", summary: "actions with this name; * stands for any text" },
  { name: "type", value: "type", summary: "actions that start in this way", choices: types },
  { name: "active", summary: "actions that may fire" },
  { name: "inactive", summary: "actions that are switched off" },
  { name: "resolve", summary: "name devices and analyses, with one more request for each" },
];

const writeDetails =
  "One kind of flag says when it fires (--condition, --inside, --schedule, --interval, --resource, --usage, --topic), one " +
  "says what it does (--analysis, --notify, --notify-user, --email, --sms, --post, --publish). Everything else, such as " +
  "Twilio, SendGrid, SMTP and SQS with their secrets, or areas that are polygons, goes into the JSON object of --input.";

function planList(
  _ctx: CommandContext,
  input: CommandInput,
  request: ListPlan<ActionRow>["request"],
): ListPlan<ActionRow> {
  const filter: Record<string, unknown> = { ...request.filter };
  for (const flag of ["name", "type"]) {
    const text = option(input, flag);
    if (text !== undefined) filter[flag] = text;
  }
  const active = optionPair(input, "active", "inactive");
  if (active !== undefined) filter["active"] = active;
  // What an action waits for reads differently by its type.
  const fieldNames = request.fields.includes("trigger") ? [...new Set([...request.fields, "type"])] : request.fields;
  return {
    request: { ...request, fields: fieldNames, filter },
    async read(client, query) {
      const rows: readonly ActionRow[] = await client.actions.list(query as Parameters<typeof client.actions.list>[0]);
      if (!optionFlag(input, "resolve")) return rows;
      const names = await readNames(client, rows.flatMap(referencesOf));
      return rows.map((row) => withNames(row, names));
    },
  };
}

/** The row with the names of what it refers to itself. */
const withNames = (row: ActionRow, names: Names): ActionRow => ({ ...row, names: namesFor(referencesOf(row), names) });

/** Members named by flags, over those of `--input`. */
async function bodyFrom(ctx: CommandContext, input: CommandInput): Promise<Record<string, unknown>> {
  const body = await readBody(ctx, input, fields);
  const action = await consequenceFrom(ctx, input);
  return {
    ...body,
    ...(await triggersFrom(ctx, input)),
    ...(action === undefined ? {} : { action }),
  };
}

const plainCommands = crud<ActionRow>({
  finder: actionFinder,
  route: "/action",
  columns,
  fields: columns.map(({ key }) => key),
  nameOf: ({ id, name }) => name ?? id,
  info: (client, id) => client.actions.info(id),
  list: {
    options: listOptions,
    examples: [
      "iot action list",
      "iot action list --type condition --active",
      "iot action list --sort last_triggered:desc --fields name,last_triggered",
    ],
    plan: planList,
  },
  get: {
    details:
      "Tables say in words when the action fires and what it does; -o json has both as the platform stores them, and the names " +
      "of devices and analyses besides.",
    examples: ['iot action get "name:Freezer too warm"', 'iot action get "name:Freezer too warm" --json'],
    columns: columns.map(({ hidden: _, ...column }) => column),
    async info(client, id) {
      const row: ActionRow = await client.actions.info(id);
      return withNames(row, await readNames(client, referencesOf(row)));
    },
  },
  create: {
    options: [
      ...bodyOptions(fields),
      ...triggerOptions,
      ...consequenceOptions,
      { name: "tag", value: "k=v", summary: "tag of the action", repeat: true },
    ],
    details: writeDetails,
    examples: [
      'iot action create --name "Too warm" --condition "temperature>8" --unlock "temperature<5" --device "name:Freezer 1" ' +
        '--email jo@example.test --subject "Freezer" --message "It has $VALUE$ degrees"',
      'iot action create --name "Every morning" --schedule "0 6 * * *" --timezone Europe/Rome --analysis name:report',
      'iot action create --name "File gone" --resource file:delete --notify --subject Files --message "A file was deleted"',
    ],
    async body(ctx, input) {
      const body = await bodyFrom(ctx, input);
      const tags = tagsOf(input);
      if (tags.length > 0) body["tags"] = tags;
      needMembers(body, "action", { name: '--name "Too warm"' });
      if (body["type"] === undefined) {
        throw usageError("A new action needs something that starts it.", {
          code: "usage.missing_value",
          next: 'Give it with --condition "temperature>8", --schedule, --interval, --resource, --usage or --topic.',
        });
      }
      if (body["action"] === undefined) {
        throw usageError("A new action needs something to do.", {
          code: "usage.missing_value",
          next: "Give it with --analysis name:report, --notify, --email, --sms, --post or --publish.",
        });
      }
      return body;
    },
    async send(client, body) {
      return (await client.actions.create(body as Parameters<typeof client.actions.create>[0])).action;
    },
  },
  update: {
    options: [...bodyOptions(fields), ...triggerOptions, ...consequenceOptions, ...tagOptions],
    details: `${writeDetails} What is named replaces all conditions, or what the action does, as a whole.`,
    examples: [
      'iot action update "name:Report every morning" --schedule "30 5 * * 1-5" --timezone Europe/Rome',
      'iot action update "name:Freezer too warm" --tag floor=2 --description "Cold store, left door"',
    ],
    async body(ctx, input, target) {
      const body = await bodyFrom(ctx, input);
      const current = async () => (await (await ctx.client()).actions.info(target.id)).tags;
      Object.assign(body, await changedTags(input, current));
      needChange(body, '--name "Too warm" or --interval 5m');
      return body;
    },
    send: (client, id, body) => client.actions.edit(id, body as Parameters<typeof client.actions.edit>[1]),
  },
  delete: {
    examples: ['iot action delete "name:New device" --dry-run', "iot action delete tag:purpose=alert --dry-run"],
    send: (client, id) => client.actions.delete(id),
  },
});

const switched: readonly Column<{ id: string; name: string; active: boolean }>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
];

/** `enable` and `disable`. */
function switchCommand(verb: "enable" | "disable"): Command {
  const active = verb === "enable";
  return defineCommand({
    path: [verb],
    result: rows(switched),
    effect: "changes",
    summary: active ? "Let actions fire" : "Keep actions from firing",
    args: [{ name: "id", summary: "Full id, or a unique name:…, tag:key=value", variadic: true }],
    groups: ["dryRun"],
    examples: [
      `iot action ${verb} "name:Freezer too warm"`,
      `iot action ${verb} "name:New device" "name:Report every morning" --dry-run`,
    ],
    exitCodes: [4, 5, 6, 8, 10, 130],
    related: [`iot action ${active ? "disable" : "enable"}`, "iot action list"],
    async run(ctx, input) {
      const targets = await resolveSeveral(ctx, actionFinder, argumentList(input, "id"));
      for (const { id } of ctx.flags.dryRun ? targets : [])
        await ctx.dryRun({ method: "PUT", path: `/action/${id}`, body: { active } });
      if (ctx.flags.dryRun) return;
      const items = await Promise.all(targets.map(async ({ id, name }) => ({ id, name: await name(), active })));
      const client = await steadyClient(ctx);
      return runBatch(ctx, {
        items,
        title: ({ name }) => `action "${name}"`,
        done: active ? "Enabled" : "Disabled",
        unit: ["action", "actions"],
        run: ({ id }) => client.actions.edit(id, { active }),
        print: (done) => ctx.out.list(done, { columns: switched, empty: "Nothing was changed." }),
      });
    },
  });
}

export const commands: readonly Command[] = [
  ...plainCommands,
  triggerAction,
  switchCommand("disable"),
  switchCommand("enable"),
];
