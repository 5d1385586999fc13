import { option, optionPair } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command, CommandInput, OptionSpec } from "../kit/command/define.ts";
import { parseDuration } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import {
  changedTags,
  inputObject,
  inputOption,
  needChange,
  needMembers,
  tagOptions,
  tagsOf,
} from "../kit/resource/body.ts";
import { crud, type ListPlan } from "../kit/resource/crud.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { commands as bulkCommands } from "./bulk/index.ts";
import { commands as dataCommands } from "./data.ts";
import { changedPlace, defaultPlace } from "./default-place.ts";
import { deviceFinder, integrationFinder } from "./finder.ts";
import { commands as jobCommands } from "./jobs.ts";
import { commands as linkCommands } from "./link.ts";
import { commands as paramCommands } from "./param.ts";
import { commands as tokenCommands } from "./token.ts";
import { commands as watchCommands } from "./watch.ts";

/** A device as lists and `get` show it; lists hold only the members asked for. */
interface DeviceRow {
  readonly id: string;
  readonly name?: string;
  readonly active?: boolean;
  readonly last_input?: Date | string | null;
}

const columns: readonly Column<DeviceRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
  { key: "type" },
  { key: "last_input", kind: "time" },
  { key: "tags", kind: "tags" },
  { key: "network", kind: "id", hidden: true },
  { key: "connector", kind: "id", hidden: true },
  { key: "description", hidden: true },
  { key: "visible", kind: "flag", hidden: true },
  { key: "chunk_period", hidden: true },
  { key: "chunk_retention", kind: "number", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const resolvedColumns: readonly Column<DeviceRow>[] = [{ key: "bucket_name" }, { key: "connector_name" }];

const stateOptions: readonly OptionSpec[] = [
  { name: "active", summary: "devices that may send and receive" },
  { name: "inactive", summary: "devices that are switched off" },
];

const placeOptions: readonly OptionSpec[] = [
  { name: "network", value: "id", summary: 'network, as an id or "name:…"' },
  { name: "connector", value: "id", summary: 'connector, as an id or "name:…"' },
];

const listOptions: readonly OptionSpec[] = [
  { name: "name", value: "text", summary: "devices with this name; * stands for any text" },
  ...stateOptions,
  { name: "serial", value: "text", summary: "devices with this serial number" },
  ...placeOptions,
  { name: "offline-for", value: "duration", summary: "devices that sent nothing for this long: 7d" },
  { name: "resolve", summary: "show the names of bucket and connector too" },
];

const writeOptions: readonly OptionSpec[] = [
  { name: "name", value: "text", summary: "name of the device" },
  { name: "description", value: "text", summary: "description", allowEmpty: true },
  ...stateOptions,
  ...placeOptions,
  inputOption,
];

async function planList(ctx: CommandContext, input: CommandInput, request: ListPlan<DeviceRow>["request"]) {
  const filter: Record<string, unknown> = { ...request.filter, ...(await places(ctx, input)) };
  const name = option(input, "name");
  const serial = option(input, "serial");
  const active = optionPair(input, "active", "inactive");
  if (name !== undefined) filter["name"] = name;
  if (active !== undefined) filter["active"] = active;
  const resolve = input.options["resolve"] === true;
  const keep = offlineFor(ctx, input);
  const query = {
    ...(serial === undefined ? {} : { serial }),
    ...(resolve ? { resolveBucketName: true, resolveConnectorName: true } : {}),
  };
  const plan: ListPlan<DeviceRow> = {
    request: { ...request, filter },
    read: (client, page) => client.devices.list({ ...page, ...query } as Parameters<typeof client.devices.list>[0]),
    ...(resolve ? { columns: resolvedColumns } : {}),
    ...(keep === undefined ? {} : { keep }),
  };
  return plan;
}

/** Devices without input since then. The platform can only ask for the opposite, so the rows are looked at here. */
function offlineFor(ctx: CommandContext, input: CommandInput): ((row: DeviceRow) => boolean) | undefined {
  const text = option(input, "offline-for");
  if (text === undefined) return undefined;
  const sinceMs = ctx.clock.now() - parseDuration(text, "--offline-for");
  return ({ last_input: last }) => last === null || last === undefined || new Date(last).getTime() < sinceMs;
}

async function places(ctx: CommandContext, input: CommandInput): Promise<{ network?: string; connector?: string }> {
  const found: { network?: string; connector?: string } = {};
  for (const kind of ["network", "connector"] as const) {
    const text = option(input, kind);
    if (text !== undefined) found[kind] = (await resolveId(ctx, integrationFinder(kind), text)).id;
  }
  return found;
}

/** Members named by flags, over those of `--input`. */
async function bodyFrom(ctx: CommandContext, input: CommandInput): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = { ...(await inputObject(ctx, input)), ...(await places(ctx, input)) };
  for (const name of ["name", "description", "type"]) {
    const text = option(input, name);
    if (text !== undefined) body[name] = text;
  }
  const active = optionPair(input, "active", "inactive");
  if (active !== undefined) body["active"] = active;
  return body;
}

const deviceCommands: readonly Command[] = crud<DeviceRow>({
  finder: deviceFinder,
  route: "/device",
  columns,
  fields: columns.map(({ key }) => key),
  nameOf: ({ id, name }) => name ?? id,
  info: (client, id) => client.devices.info(id),
  list: {
    options: listOptions,
    examples: [
      "iot device list",
      "iot device list --tag device_type=freezer --fields id,name",
      "iot device list --offline-for 7d --sort last_input",
    ],
    plan: planList,
  },
  get: {
    examples: ['iot device get "name:Freezer 1"', 'iot device get "name:Freezer 1" --json'],
    columns: columns.map(({ hidden: _, ...column }) => column),
  },
  create: {
    options: [
      ...writeOptions,
      { name: "tag", value: "k=v", summary: "tag of the device", repeat: true },
      { name: "type", value: "kind", summary: "storage (mutable)", choices: ["mutable", "immutable", "hybrid"] },
      {
        name: "chunk-period",
        value: "period",
        summary: "chunks of immutable storage",
        choices: ["day", "week", "month", "quarter"],
      },
      { name: "chunk-retention", value: "n", summary: "chunks kept besides the current one" },
      { name: "serial", value: "text", summary: "serial number, where the network uses one" },
    ],
    details: "Without --network and --connector the device uses the first connector of the profile that has a network.",
    examples: [
      'iot device create --name "Pump 3" --tag site=7',
      'iot device create --name "Gate" --connector "name:Custom HTTPS" --inactive',
    ],
    async body(ctx, input) {
      const body = await bodyFrom(ctx, input);
      const tags = tagsOf(input);
      if (tags.length > 0) body["tags"] = tags;
      const serial = option(input, "serial");
      if (serial !== undefined) body["serie_number"] = serial;
      const period = option(input, "chunk-period");
      if (period !== undefined) body["chunk_period"] = period;
      const retention = option(input, "chunk-retention");
      if (retention !== undefined) body["chunk_retention"] = Number(retention);
      needMembers(body, "device", { name: '--name "Pump 3"' });
      return { type: "mutable", ...(await defaultPlace(ctx, body)), ...body };
    },
    async send(client, body) {
      const created = await client.devices.create(body as Parameters<typeof client.devices.create>[0]);
      return created.device_id;
    },
    hint: ({ id }) => `Its token is shown by "iot device token list ${id}".`,
  },
  update: {
    options: [
      ...writeOptions,
      ...tagOptions,
      { name: "visible", summary: "show the device in lists" },
      { name: "hidden", summary: "leave the device out of lists" },
    ],
    examples: [
      'iot device update "name:Freezer 1" --tag floor=2',
      'iot device update "name:Freezer 1" --description "Cold store, left door"',
    ],
    async body(ctx, input, target) {
      const body = await bodyFrom(ctx, input);
      const visible = optionPair(input, "visible", "hidden");
      if (visible !== undefined) body["visible"] = visible;
      Object.assign(body, await changedPlace(await ctx.client(), target.id, body));
      const current = async () => (await (await ctx.client()).devices.info(target.id)).tags;
      Object.assign(body, await changedTags(input, current));
      needChange(body, '--name "Pump 3" or --tag site=7');
      return body;
    },
    send: (client, id, body) => client.devices.edit(id, body as Parameters<typeof client.devices.edit>[1]),
  },
  delete: {
    examples: [
      'iot device delete "name:Freezer 1" --dry-run',
      'iot device delete "name:Freezer 1" "name:Truck 7" --dry-run',
    ],
    send: (client, id) => client.devices.delete(id),
  },
});

export const commands: readonly Command[] = [
  ...deviceCommands,
  ...dataCommands,
  ...bulkCommands,
  ...jobCommands,
  ...linkCommands,
  ...paramCommands,
  ...tokenCommands,
  ...watchCommands,
];
