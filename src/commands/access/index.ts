import type { AccessPermission } from "../../index.ts";
import { option, optionFlag, optionList, optionPair } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command, CommandInput, OptionSpec } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { mapLanes } from "../kit/lanes.ts";
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
import { type Names, namesFor, readNames } from "../kit/resource/resource-names.ts";
import { simpleFinder } from "../kit/resource/simple-finder.ts";
import { permissionsText, referencesOf, targetsText } from "./describe.ts";
import { parsePermission, parseTuple } from "./parse.ts";

interface AccessRow {
  readonly id: string;
  readonly name?: string;
  readonly active?: boolean;
  readonly targets?: readonly (readonly string[])[];
  readonly permissions?: readonly AccessPermission[];
  /** Names of what it refers to by id, where they were asked for. */
  readonly names?: Names;
}

const columns: readonly Column<AccessRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
  { key: "targets", header: "who", kind: "json", value: ({ targets, names }) => targetsText(targets, names) },
  {
    key: "permissions",
    header: "may",
    kind: "json",
    value: ({ permissions, names }) => permissionsText(permissions, names),
  },
  { key: "tags", kind: "tags", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

/** Members the list of the platform has; the others are asked for rule by rule. */
const listed: readonly string[] = ["id", "name", "active", "tags", "created_at", "updated_at"];
const LANES = 4;

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the rule" },
  { flag: "active", kind: "switch", off: "inactive", summary: "whether the rule holds" },
];

const ruleOptions: readonly OptionSpec[] = [
  {
    name: "who",
    value: "target",
    summary: "whom it is for: run_user, run_user:tag:role=operator, analysis:id:…",
    repeat: true,
  },
  {
    name: "allow",
    value: "rule",
    summary: 'actions and what they are about: "access device:tag:site=7"',
    repeat: true,
  },
  { name: "deny", value: "rule", summary: "as --allow, for what is forbidden", repeat: true },
];

const ruleDetails =
  "A target or resource is a type, alone or with which ones: device, device:id:<id>, device:tag:site=7, device:same:site " +
  "(where the tag has the value of the user's own), file:path:reports. What a rule is made of can also be given as the " +
  "platform stores it, with the members permissions and targets in the file of --input.";

/** The rule with the names of what it refers to itself. */
const withNames = (row: AccessRow, names: Names): AccessRow => ({ ...row, names: namesFor(referencesOf(row), names) });

async function bodyFrom(ctx: CommandContext, input: CommandInput): Promise<Record<string, unknown>> {
  const body = await readBody(ctx, input, fields);
  const targets = optionList(input, "who").map((text) => parseTuple(text, "--who"));
  const permissions = (["allow", "deny"] as const).flatMap((effect) =>
    optionList(input, effect).map((text) => parsePermission(effect, text)),
  );
  return {
    ...body,
    ...(targets.length === 0 ? {} : { targets }),
    ...(permissions.length === 0 ? {} : { permissions }),
  };
}

function planList(
  ctx: CommandContext,
  input: CommandInput,
  request: ListPlan<AccessRow>["request"],
): ListPlan<AccessRow> {
  const filter: Record<string, unknown> = { ...request.filter };
  const name = option(input, "name");
  if (name !== undefined) filter["name"] = name;
  const active = optionPair(input, "active", "inactive");
  if (active !== undefined) filter["active"] = active;
  const asked = ctx.flags.fields?.map((path) => path.split(".", 1)[0] ?? path);
  const isShown = asked === undefined ? ctx.out.format !== "id" : asked.some((field) => !listed.includes(field));
  const isBrief = optionFlag(input, "brief") || !isShown;
  return {
    request: { ...request, fields: request.fields.filter((field) => listed.includes(field)), filter },
    async read(client, query) {
      const { accessManagement } = client;
      const rows = await accessManagement.list(query as Parameters<typeof accessManagement.list>[0]);
      if (isBrief) return rows;
      const whole = await mapLanes(rows, LANES, async (row): Promise<AccessRow> => {
        const { permissions, targets } = await accessManagement.info(row.id);
        return { ...row, targets, permissions };
      });
      if (!optionFlag(input, "resolve")) return whole;
      const names = await readNames(client, whole.flatMap(referencesOf));
      return whole.map((row) => withNames(row, names));
    },
  };
}

export const commands: readonly Command[] = crud<AccessRow>({
  finder: simpleFinder({
    noun: "access",
    plural: "access rules",
    title: "access rule",
    forms: ["name", "tag"],
    api: ({ accessManagement }) => accessManagement,
  }),
  route: "/am",
  columns,
  fields: columns.map(({ key }) => key),
  nameOf: ({ id, name }) => name ?? id,
  info: (client, id) => client.accessManagement.info(id),
  list: {
    options: [
      { name: "name", value: "text", summary: "rules with this name; * stands for any text" },
      { name: "active", summary: "rules that hold" },
      { name: "inactive", summary: "rules that are switched off" },
      { name: "resolve", summary: "name users, devices and dashboards, with one more request for each" },
      { name: "brief", summary: "leave out who may do what: one request instead of one more per rule" },
    ],
    details:
      "The list of the platform does not say who may do what, so each rule is asked for; --brief leaves that out.",
    examples: ["iot access list", "iot am list --active --brief", "iot access list --fields name,targets --json"],
    plan: planList,
  },
  get: {
    examples: [
      'iot access get "name:Managers: everything in the plant"',
      'iot access get "name:Nobody: the settings device" --json',
    ],
    columns: columns.map(({ hidden: _, ...column }) => column),
    async info(client, id) {
      const row: AccessRow = await client.accessManagement.info(id);
      return withNames(row, await readNames(client, referencesOf(row)));
    },
  },
  create: {
    options: [
      ...bodyOptions(fields),
      ...ruleOptions,
      { name: "tag", value: "k=v", summary: "tag of the rule", repeat: true },
    ],
    details: ruleDetails,
    examples: [
      'iot access create --name "Drivers see their trucks" --who run_user:tag:role=driver --allow "access device:tag:device_type=truck"',
      `echo '{"name":"All dashboards","targets":[["run_user"]],"permissions":[{"effect":"allow","action":["access"],"resource":["dashboard"]}]}' | iot access create --input -`,
    ],
    async body(ctx, input) {
      const body = await bodyFrom(ctx, input);
      const tags = tagsOf(input);
      if (tags.length > 0) body["tags"] = tags;
      needMembers(body, "access rule", {
        name: '--name "Drivers see their trucks"',
        targets: "--who run_user:tag:role=driver",
        permissions: '--allow "access device:tag:site=7"',
      });
      return body;
    },
    async send(client, body) {
      const { accessManagement } = client;
      return (await accessManagement.create(body as Parameters<typeof accessManagement.create>[0])).am_id;
    },
  },
  update: {
    options: [...bodyOptions(fields), ...ruleOptions, ...tagOptions],
    details: `${ruleDetails} --who replaces all targets, --allow and --deny replace all permissions.`,
    examples: [
      'iot access update "name:Public: silo dashboard" --inactive',
      'iot access update "name:Everybody: devices of the own site" --allow "access,get_data device:same:site" --dry-run',
    ],
    async body(ctx, input, target) {
      const body = await bodyFrom(ctx, input);
      const current = async () => (await (await ctx.client()).accessManagement.info(target.id)).tags;
      Object.assign(body, await changedTags(input, current));
      needChange(body, "--inactive or --who run_user:tag:role=driver");
      return body;
    },
    send: (client, id, body) =>
      client.accessManagement.edit(id, body as Parameters<typeof client.accessManagement.edit>[1]),
  },
  delete: {
    examples: [
      'iot access delete "name:Public: silo dashboard" --dry-run',
      'iot access delete "name:Nobody: the settings device" --dry-run',
    ],
    send: (client, id) => client.accessManagement.delete(id),
  },
});
