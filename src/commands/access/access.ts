import type { AccessPermission, Resources } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { mapLanes } from "../kit/lanes.ts";
import { type ListPlan, resource } from "../kit/resource/resource.ts";
import { type Names, namesFor, namesForPeople, readNames } from "../kit/resource/resource-names.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";
import { simpleFinder } from "../kit/resource/simple-finder.ts";
import { accessReferences, permissionsText, targetsText } from "./describe.ts";
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
  // Distinguished by their names: where there is no room, the rest says more.
  { key: "id", kind: "id", rank: 3 },
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

/** Fields the platform's list has; the others are requested rule by rule. */
const listed: readonly string[] = ["id", "name", "active", "tags", "created_at", "updated_at"];
const LANES = 4;

const ruleOptions = [
  {
    name: "who",
    value: "target",
    summary: "who it applies to: run_user:tag:role=operator, analysis:id:…",
    repeat: true,
  },
  {
    name: "allow",
    value: "rule",
    summary: 'actions and a resource: "access device:tag:site=7"',
    repeat: true,
  },
  { name: "deny", value: "rule", summary: "actions to deny, in the same form as --allow", repeat: true },
] as const satisfies Options;

const ruleDetails =
  "A target or resource is a type, optionally narrowed: device, device:id:<id>, device:tag:site=7, device:same:site " +
  "(the tag has the same value as the user's), file:path:reports. A rule can also be given in the platform's own format: " +
  "pass the properties permissions and targets in the --input file.";

async function withNames(client: Resources, rows: readonly AccessRow[]): Promise<AccessRow[]> {
  const names = await readNames(client, rows.flatMap(accessReferences));
  return rows.map((row) => ({ ...row, names: namesFor(accessReferences(row), names) }));
}

const listOptions = [
  { name: "resolve", summary: "names instead of ids in every format; one more request each" },
  { name: "brief", summary: "omit targets and permissions; saves one request per rule" },
] as const satisfies Options;

/** What a rule is made of is asked for rule by rule, where it is shown. */
async function planList(ctx: CommandContext, input: Input<[], typeof listOptions>, asked: ListPlan<AccessRow>) {
  const { request, read } = asked;
  const forPeople = namesForPeople<AccessRow>(ctx, await ctx.client(), accessReferences);
  const isWhole = (paths: readonly string[]): boolean =>
    paths.some((path) => !listed.includes(path.split(".", 1)[0] ?? path));
  const isShown = ctx.flags.fields === undefined ? ctx.out.format !== "id" : isWhole(ctx.flags.fields);
  const isBrief = !isWhole(asked.compared) && (input.options.brief || !isShown);
  const plan: ListPlan<AccessRow> = {
    ...asked,
    request: { ...request, fields: request.fields.filter((field) => listed.includes(field)) },
    async read(client, query) {
      const rows = await read(client, query);
      if (isBrief) return rows;
      const whole = await mapLanes(rows, LANES, async (row): Promise<AccessRow> => {
        const { permissions, targets } = await client.accessManagement.info(row.id);
        return { ...row, targets, permissions };
      });
      return input.options.resolve ? withNames(client, whole) : forPeople(whole);
    },
  };
  return plan;
}

export const commands: readonly Command[] = resource({
  finder: simpleFinder({
    noun: "access",
    plural: "access rules",
    title: "access rule",
    forms: ["name", "tag"],
    api: ({ accessManagement }) => accessManagement,
  }),
  route: resourceRoutes.access,
  api: ({ accessManagement }) => accessManagement,
  createdKey: "am_id",
  columns,
  fields: [
    { name: "name", kind: "content", needed: '--name "Drivers see their trucks"', summary: "name of the rule" },
    { name: "active", off: "inactive", summary: "whether the rule is in effect" },
  ],
  tags: true,
  needed: { targets: "--who run_user:tag:role=driver", permissions: '--allow "access device:tag:site=7"' },
  options: ruleOptions,
  async body(_ctx, input) {
    const { who, allow, deny } = input.options;
    if (who.length + allow.length + deny.length === 0) return {};
    const { ruleResources, ruleTargets } = await import("../../lib/resources/enums.ts");
    const targets = who.map((text) => parseTuple(text, "--who", ruleTargets));
    const permissions = (["allow", "deny"] as const).flatMap((effect) =>
      input.options[effect].map((text) => parsePermission(effect, text, ruleResources)),
    );
    return { ...(targets.length > 0 && { targets }), ...(permissions.length > 0 && { permissions }) };
  },
  list: {
    filterable: ["id", "name", "active"],
    sortable: ["name", "active", "created_at", "updated_at"],
    filters: [
      { name: "name", value: "text", summary: "access rules with this name; * matches any text" },
      { name: "active", summary: "active rules only", off: { name: "inactive", summary: "inactive rules only" } },
    ],
    options: listOptions,
    details:
      "The platform's list has no targets or permissions, so each rule is requested separately; --brief skips that.",
    examples: ["iot access list", "iot am list --active --brief", "iot access list --fields name,targets --json"],
    plan: planList,
  },
  get: {
    examples: [
      'iot access get "name:Managers: everything in the plant"',
      'iot access get "name:Nobody: the settings device" --json',
    ],
    info: async (client, id) => (await withNames(client, [await client.accessManagement.info(id)]))[0] ?? { id },
  },
  create: {
    details: ruleDetails,
    examples: [
      'iot access create --name "Drivers see their trucks" --who run_user:tag:role=driver --allow "access device:tag:device_type=truck"',
      `echo '{"name":"All dashboards","targets":[["run_user"]],"permissions":[{"effect":"allow","action":["access"],"resource":["dashboard"]}]}' | iot access create --input -`,
    ],
  },
  update: {
    change: "--inactive or --who run_user:tag:role=driver",
    details: `${ruleDetails} --who replaces all targets, --allow and --deny replace all permissions.`,
    examples: [
      'iot access update "name:Public: silo dashboard" --inactive',
      'iot access update "name:Everybody: devices of the own site" --allow "access,get_data device:same:site" --dry-run',
    ],
  },
  delete: {
    examples: [
      'iot access delete "name:Public: silo dashboard" --dry-run',
      'iot access delete "name:Nobody: the settings device" --dry-run',
    ],
  },
});
