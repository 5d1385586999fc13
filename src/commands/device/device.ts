import type { Resources } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import { argumentString, optionString } from "../kit/command/dynamic.ts";
import type { Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { type DeviceRow, deviceColumns, deviceFacts, deviceReferences } from "../kit/devices/columns.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { deviceFinder, integrationFinder } from "../kit/finders/device.ts";
import { SELF, selfInfo } from "../kit/finders/self.ts";
import { checkSize, fileScript } from "../kit/parsers/script.ts";
import type { Field } from "../kit/resource/fields.ts";
import { keeping, type ListRequest } from "../kit/resource/paging.ts";
import { type ListPlan, resource } from "../kit/resource/resource.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";
import { askNewDevice } from "./ask-new.ts";
import { changedPlace, defaultPlace } from "./default-place.ts";
import { bulkDelete } from "./fleet/bulk-delete.ts";
import { type BulkForm, withBulk } from "./fleet/bulk-form.ts";
import { bulkUpdate } from "./fleet/bulk-update.ts";
import { asDevice, selfDetails } from "./self.ts";
import { deletedSettings } from "./transfer/keep.ts";

const resolvedColumns: readonly Column<DeviceRow>[] = [{ key: "bucket_name" }, { key: "connector_name" }];

const network = {
  name: "network",
  value: "id",
  summary: 'network, as an id or "name:…"',
  finder: integrationFinder("network"),
} as const;

const connector = {
  name: "connector",
  value: "id",
  summary: 'connector, as an id or "name:…"',
  finder: integrationFinder("connector"),
} as const;

const listOptions = [
  { name: "serial", value: "text", summary: "only devices with this serial number" },
  { name: "offline-for", kind: "duration", summary: "only devices that sent nothing for this long: 7d" },
  { name: "resolve", summary: "also show the names of bucket and connector" },
] as const satisfies Options;

function planList(
  ctx: CommandContext,
  { options: { serial, offlineFor, resolve } }: Input<[], typeof listOptions>,
  plan: ListPlan<DeviceRow>,
): ListPlan<DeviceRow> {
  const query = {
    ...defined({ serial }),
    ...(resolve ? { resolveBucketName: true, resolveConnectorName: true } : {}),
  };
  const planned = { ...plan, read: (client: Resources, page: ListRequest) => plan.read(client, { ...page, ...query }) };
  if (offlineFor === undefined) return planned;
  // The platform can only ask for the opposite, so the rows are looked at here.
  const sinceMs = ctx.clock.now() - offlineFor;
  return keeping(
    planned,
    ({ last_input: last }: DeviceRow) => last === null || last === undefined || new Date(last).getTime() < sinceMs,
  );
}

const createOptions = [
  {
    name: "parser",
    value: "file",
    file: "in",
    summary: "payload parser: a script as for iot parser set; - is stdin",
  },
  {
    name: "show-token",
    summary: "print its token too, in full; not with -o id",
    conflicts: {
      flags: ["if-missing"],
      why: "A device that exists already has no new token.",
      next: 'Leave out --show-token; "iot device token list" shows the tokens.',
    },
  },
] as const satisfies Options;

/** The parser of a new device, as the platform takes it. */
async function parserFrom(ctx: CommandContext, input: Input<[], typeof createOptions>) {
  const { parser } = input.options;
  if (parser === undefined) return {};
  if (parser === "-" && optionString(input, "input") === "-")
    throw usageError("--input - and --parser - both read stdin.", { next: "Put one of them into a file." });
  const script = await fileScript(ctx, { args: {}, options: { format: "auto" } }, parser);
  checkSize(script);
  return { payload_decoder: Buffer.from(script.code).toString("base64") };
}

const fields: readonly Field[] = [
  { name: "name", kind: "text", needed: '--name "Pump 3"', summary: "name of the device" },
  { name: "description", kind: "content", summary: "description" },
  {
    name: "active",
    summary: "allow the device to send and receive",
    off: { name: "inactive", summary: "deactivate the device" },
  },
  network,
  connector,
  {
    name: "type",
    only: "create",
    late: true,
    initial: "mutable",
    value: "kind",
    summary: "storage type (mutable)",
    choices: ["mutable", "immutable", "hybrid"],
  },
  {
    name: "chunk-period",
    only: "create",
    late: true,
    value: "period",
    summary: "chunk period of immutable storage",
    choices: ["day", "week", "month", "quarter"],
  },
  {
    name: "chunk-retention",
    only: "create",
    late: true,
    kind: "number",
    summary: "number of chunks to keep besides the current one",
  },
  {
    name: "serial",
    member: "serie_number",
    only: "create",
    late: true,
    kind: "text",
    summary: "serial number, if the network uses one",
  },
  {
    name: "visible",
    only: "update",
    late: true,
    summary: "show the device in lists",
    off: { name: "hidden", summary: "hide the device in lists" },
  },
];

const commands = resource({
  finder: deviceFinder,
  route: resourceRoutes.device,
  api: ({ devices }) => devices,
  createdKey: "device_id",
  columns: deviceColumns,
  references: deviceReferences,
  fields,
  tags: true,
  list: {
    ...deviceFacts,
    columns: ({ options }) => (options.resolve ? resolvedColumns : []),
    filters: [
      { name: "name", value: "text", summary: "only devices with this name; * matches any text" },
      {
        name: "active",
        summary: "only active devices",
        off: { name: "inactive", summary: "only inactive devices" },
      },
      network,
      connector,
    ],
    options: listOptions,
    examples: [
      "iot device list",
      "iot device list --tag device_type=freezer --fields id,name",
      "iot device list --offline-for 7d --sort last_input",
    ],
    plan: planList,
  },
  get: { examples: ['iot device get "name:Freezer 1"', 'iot device get "name:Freezer 1" --json'] },
  create: {
    details:
      "Without --network and --connector the device uses the profile's first connector that has a network. On a terminal, " +
      "without --name, asks for name, connector and tags, as far as no flag sets them.",
    options: createOptions,
    examples: [
      'iot device create --name "Pump 3" --tag site=7',
      'iot device create --name "Gate" --connector "name:Custom HTTPS" --inactive',
      'iot device create --name "Probe 2" --parser examples/parser/parser.js --show-token',
    ],
    ask: askNewDevice,
    complete: async (ctx, input, body) => ({
      ...(await defaultPlace(ctx, body)),
      ...body,
      ...(await parserFrom(ctx, input)),
    }),
    shown: { flag: "show-token", column: { key: "token" } },
    hint: ({ id }) => `Show its token with "iot device token list ${id} --reveal".`,
  },
  update: {
    change: '--name "Pump 3" or --tag site=7',
    examples: [
      'iot device update "name:Freezer 1" --tag floor=2',
      'iot device update "name:Freezer 1" --description "Cold store, left door"',
    ],
    complete: async (ctx, _input, body, { id }) => ({ ...body, ...(await changedPlace(await ctx.client(), id, body)) }),
  },
  delete: {
    examples: [
      'iot device delete "name:Freezer 1" --dry-run',
      'iot device delete "name:Freezer 1" "name:Truck 7" --dry-run',
    ],
    details:
      "Settings, tags, parameters and serial number of a device that is named are saved first (the last 500, for 90 days), and the command that creates " +
      "it again is printed. Records and tokens are not saved: see iot device data backup and iot device export.",
    keep: deletedSettings,
  },
});

const bulkForms: Readonly<Record<string, BulkForm>> = {
  update: bulkUpdate(fields.filter(({ only = "update" }) => only === "update")),
  delete: bulkDelete,
};

/** `device get` with a device token. */
function withSelf(command: Command): Command {
  const columns = deviceColumns.map(({ hidden: _, ...column }) => column);
  return {
    ...command,
    details: selfDetails,
    examples: [...command.examples, asDevice("iot device get self")],
    async run(ctx, input, program) {
      if (argumentString(input, "id") !== SELF) return (await command.run(ctx, input, program)) ?? 0;
      await ctx.out.item(await selfInfo(ctx), { columns });
      return 0;
    },
  };
}

export const deviceCommands: readonly Command[] = commands.map((command) => {
  if (command.path.join(" ") === "get") return withSelf(command);
  const form = bulkForms[command.path.join(" ")];
  return form === undefined ? command : withBulk("device", command, form);
});
