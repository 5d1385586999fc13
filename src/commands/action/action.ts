import type { Resources } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { type ListPlan, resource } from "../kit/resource/resource.ts";
import { namesFor, namesForPeople, readNames } from "../kit/resource/resource-names.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";
import { consequenceFrom, consequenceOptions } from "./consequences.ts";
import { type ActionRow, actionReferences, actionText, triggersText } from "./describe.ts";
import { actionFinder } from "./finder.ts";
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

const writeDetails =
  "Choose one kind of trigger (--condition, --inside, --schedule, --interval, --resource, --usage, --topic) and one kind " +
  "of action (--analysis, --notify, --notify-user, --email, --sms, --post, --publish). Everything else, such as " +
  "Twilio, SendGrid, SMTP and SQS with their secrets, or polygon areas, goes into the JSON object of --input.";

async function withNames(client: Resources, rows: readonly ActionRow[]): Promise<ActionRow[]> {
  const names = await readNames(client, rows.flatMap(actionReferences));
  return rows.map((row) => ({ ...row, names: namesFor(actionReferences(row), names) }));
}

const listOptions = [
  { name: "resolve", summary: "names instead of ids in every format; one more request each" },
] as const satisfies Options;

async function planList(
  ctx: CommandContext,
  input: Input<[], typeof listOptions>,
  plan: ListPlan<ActionRow>,
): Promise<ListPlan<ActionRow>> {
  const { request, read } = plan;
  const forPeople = namesForPeople(ctx, await ctx.client(), actionReferences);
  // What an action waits for reads differently by its type.
  const fields = request.fields.includes("trigger") ? [...new Set([...request.fields, "type"])] : request.fields;
  return {
    ...plan,
    request: { ...request, fields },
    async read(client, query) {
      const rows = await read(client, query);
      return input.options.resolve ? withNames(client, rows) : forPeople(rows);
    },
  };
}

export const commands: readonly Command[] = resource({
  finder: actionFinder,
  route: resourceRoutes.action,
  api: ({ actions }) => actions,
  createdKey: "action",
  columns,
  fields: [
    { name: "name", kind: "content", needed: '--name "Too warm"', summary: "name of the action" },
    { name: "description", kind: "content", summary: "description" },
    { name: "active", off: "inactive", summary: "whether the action is active" },
    { name: "lock", off: "unlocked", summary: "lock the action until its unlock condition is met" },
    { name: "trigger-when-unlock", off: "quiet-unlock", summary: "also trigger when it is unlocked" },
  ],
  tags: true,
  options: [...triggerOptions, ...consequenceOptions],
  async body(ctx, input) {
    const action = await consequenceFrom(ctx, input);
    return { ...(await triggersFrom(ctx, input)), ...defined({ action }) };
  },
  list: {
    filterable: ["id", "name", "active"],
    sortable: ["name", "active", "last_triggered", "created_at", "updated_at"],
    filters: [
      { name: "name", value: "text", summary: "actions with this name; * matches any text" },
      { name: "type", value: "type", summary: "actions of this type", choices: types },
      {
        name: "active",
        summary: "active actions only",
        off: { name: "inactive", summary: "inactive actions only" },
      },
    ],
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
      "Tables describe the trigger and the action in words; -o json prints both as the platform stores them, with the names " +
      "of devices and analyses.",
    examples: ['iot action get "name:Freezer too warm"', 'iot action get "name:Freezer too warm" --json'],
    info: async (client, id) => (await withNames(client, [await client.actions.info(id)]))[0] ?? { id },
  },
  create: {
    details: writeDetails,
    examples: [
      'iot action create --name "Too warm" --condition "temperature>8" --unlock "temperature<5" --device "name:Freezer 1" ' +
        '--email jo@example.test --subject "Freezer" --message "It has $VALUE$ degrees"',
      'iot action create --name "Every morning" --schedule "0 6 * * *" --timezone Europe/Rome --analysis name:report',
      'iot action create --name "File gone" --resource file:delete --notify --subject Files --message "A file was deleted"',
    ],
    complete(_ctx, _input, body) {
      if (body["type"] === undefined) {
        throw usageError("A new action needs a trigger.", {
          code: "usage.missing_value",
          next: 'Add --condition "temperature>8", --schedule, --interval, --resource, --usage or --topic.',
        });
      }
      if (body["action"] === undefined) {
        throw usageError("A new action needs a type.", {
          code: "usage.missing_value",
          next: "Add --analysis name:report, --notify, --email, --sms, --post or --publish.",
        });
      }
      return body;
    },
  },
  update: {
    change: '--name "Too warm" or --interval 5m',
    details: `${writeDetails} New conditions replace all existing ones, and a new action replaces the existing one.`,
    examples: [
      'iot action update "name:Report every morning" --schedule "30 5 * * 1-5" --timezone Europe/Rome',
      'iot action update "name:Freezer too warm" --tag floor=2 --description "Cold store, left door"',
    ],
  },
  delete: {
    examples: ['iot action delete "name:New device" --dry-run', "iot action delete tag:purpose=alert --dry-run"],
  },
});
