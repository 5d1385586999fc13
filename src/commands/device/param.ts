import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import { keyValue } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import type { FleetDevice } from "../kit/devices/fleet.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { SELF } from "../kit/finders/self.ts";
import { runBatch } from "../kit/resource/batch.ts";
import { onOff } from "../kit/resource/body.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { type BulkAction, type BulkKind, bulkKind } from "./fleet/bulk.ts";
import { type BulkForm, withBulk } from "./fleet/bulk-form.ts";
import { findParam, type ParamRow } from "./param-row.ts";
import { namedDevice, namedDeviceArgument } from "./place.ts";
import { asDevice, isSelf, selfCalls, selfDetails } from "./self.ts";
import { markSent } from "./self-params.ts";

const columns: readonly Column<ParamRow>[] = [
  { key: "id", kind: "id", rank: 3 },
  { key: "key", rank: 1 },
  { key: "value", rank: 1 },
  { key: "sent", kind: "flag" },
];

async function paramsOf(ctx: CommandContext, input: Parameters<typeof isSelf>[0], id: string, sent?: boolean) {
  const { devices } = await (isSelf(input) ? selfCalls(ctx) : ctx.client());
  return sent === undefined ? devices.paramList(id) : devices.paramList(id, sent);
}

const listParams = defineCommand({
  path: ["param", "list"],
  result: rows(columns),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the configuration parameters of a device",
  details: selfDetails,
  args: [namedDeviceArgument],
  options: [
    { name: "sent-only", summary: "only parameters already sent to the device", opposite: "unsent-only" },
    { name: "unsent-only", summary: "only parameters not yet sent to the device" },
  ],
  groups: ["limit"],
  examples: [
    'iot device param list "name:Freezer 1"',
    'iot device param list "name:Freezer 1" --unsent-only',
    asDevice("iot device param list self"),
  ],
  related: ["iot device param set"],
  async run(ctx, input) {
    const sent = onOff(input.options.sentOnly, input.options.unsentOnly);
    const { id } = await namedDevice(ctx, input);
    await ctx.out.list(await paramsOf(ctx, input, id, sent), { columns, empty: "No parameters match." });
  },
});

const pairsOf = (texts: readonly string[]) => texts.map((text) => keyValue(text, "A parameter"));

/** An existing key keeps its id: the platform would add a second one otherwise. */
function paramBody(before: readonly ParamRow[], pairs: ReturnType<typeof pairsOf>, sent: boolean) {
  const ids = new Map(before.map((param) => [param.key, param.id]));
  return pairs.map(({ key, value }) => {
    const id = ids.get(key);
    return { ...(id === undefined ? {} : { id }), key, value, sent };
  });
}

const setArgs = [
  { ...namedDeviceArgument, required: false },
  { name: "pairs", summary: "key=value, one or more", variadic: true },
] as const satisfies Arguments;

const setOptions = [{ name: "sent", summary: "mark the parameters as sent" }] as const satisfies Options;

type SetInput = Input<typeof setArgs, typeof setOptions>;

const setOne = defineCommand({
  path: ["param", "set"],
  result: rows(columns),
  effect: "changes",
  summary: "Set configuration parameters of a device",
  details: `An existing key gets the new value and is marked as not sent, unless --sent is given. ${selfDetails} It can only mark parameters as sent: keys without values, and --sent.`,
  args: setArgs,
  options: setOptions,
  examples: [
    'iot device param set "name:Freezer 1" interval=15',
    'iot device param set "name:Freezer 1" setpoint=-18 alarm=on --sent',
    asDevice("iot device param set self interval --sent"),
  ],
  related: ["iot device param list"],
  async run(ctx, input) {
    const { id } = input.args;
    const { sent } = input.options;
    if (id === SELF) {
      const marked = await markSent(ctx, input.args.pairs, sent);
      if (marked === undefined) return;
      await ctx.out.list(marked, { columns, empty: "No parameters." });
      await ctx.done(`Marked ${marked.map(({ key }) => key).join(", ")} as sent`);
      return;
    }
    const pairs = pairsOf(input.args.pairs);
    if (id === undefined || pairs.length === 0) throw missing(id);
    const device = await resolveId(ctx, deviceFinder, id);
    const body = paramBody(await paramsOf(ctx, input, device.id), pairs, sent);
    if (await ctx.dryRun({ method: "POST", path: `/device/${device.id}/params`, body })) return;
    await (await ctx.client()).devices.paramSet(device.id, body);
    const keys = new Set(pairs.map(({ key }) => key));
    const after = (await paramsOf(ctx, input, device.id)).filter(({ key }) => keys.has(key));
    await ctx.out.list(after, { columns, empty: "The platform did not store the parameters." });
    await ctx.done(`Set ${[...keys].join(", ")} of device "${await device.name()}"`);
  },
});

const missing = (id: string | undefined): Error =>
  usageError(id === undefined ? "No device given." : "No parameters given.", {
    code: "usage.missing_argument",
    next: 'Give a device and its parameters: "name:Pump 3" interval=15. --tag, --where and --ids select several devices.',
  });

/** In the bulk form, the argument at the position of the id is a parameter too. */
const words = ({ args: { id, pairs } }: SetInput): readonly string[] => (id === undefined ? pairs : [id, ...pairs]);

/** `device param set` by workers. */
export const setKind: BulkKind = bulkKind("device param set", setAction);

const bulkSet: BulkForm<SetInput> = {
  summary: "Set configuration parameters of a device, or of many",
  details: "Bulk form: without an id, --tag, --where and --ids select the devices; all words are key=value.",
  examples: [
    "iot device param set --tag device_type=freezer interval=15 --dry-run",
    'iot device param set --where "name=Freezer*" interval=15 setpoint=-18 --yes --report parameters.csv',
  ],
  named: ({ args: { id = "" } }) => (/^([0-9a-f]{24}|self|(name|tag|serial):.*)$/i.test(id) ? [id] : []),
  action: setting,
  kind: setKind,
};

const setParams = withBulk("device", setOne, bulkSet);

async function setting(ctx: CommandContext, input: SetInput): Promise<BulkAction> {
  const pairs = pairsOf(words(input));
  if (pairs.length === 0) throw missing("");
  return setAction(ctx, { pairs, sent: input.options.sent });
}

interface Setting {
  readonly pairs: ReturnType<typeof pairsOf>;
  readonly sent: boolean;
}

async function setAction(ctx: CommandContext, { pairs, sent }: Setting): Promise<BulkAction> {
  const { devices } = await batchClient(ctx);
  const bodyOf = async ({ id }: FleetDevice) => paramBody(await devices.paramList(id), pairs, sent);
  return {
    key: [pairs, sent],
    shared: { pairs, sent },
    verbs: ["Set", "Setting", "Set"],
    what: `${[...new Set(pairs.map(({ key }) => key))].join(", ")} of`,
    level: 1,
    result: "set",
    requests: async (device) => [{ method: "POST", path: `/device/${device.id}/params`, body: await bodyOf(device) }],
    // Sent again, it finds the parameters and changes nothing.
    prepare: async (device) => {
      const body = await bodyOf(device);
      return async () => {
        await devices.paramSet(device.id, body);
        return { result: "set", id: device.id };
      };
    },
  };
}

const deleteParams = defineCommand({
  path: ["param", "delete"],
  result: rows(columns),
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete configuration parameters of a device",
  args: [
    namedDeviceArgument,
    { name: "keys", summary: "keys or ids of the parameters", required: true, variadic: true },
  ],
  examples: [
    'iot device param delete "name:Freezer 1" alarm_above --dry-run',
    'iot device param delete "name:Freezer 1" interval --yes',
  ],
  exitCodes: [8],
  related: ["iot device param list"],
  async run(ctx, input) {
    const device = await namedDevice(ctx, input);
    const params = await paramsOf(ctx, input, device.id);
    const chosen = [...new Set(input.args.keys.map((text) => findParam(params, text)))];
    const path = `/device/${device.id}/params`;
    if (await ctx.dryRun(chosen.map(({ id }) => ({ method: "DELETE", path: `${path}/${id}` })))) return 0;
    const name = await device.name();
    const keys = chosen.map(({ key }) => key).join(", ");
    const level = chosen.length === 1 ? 1 : 2;
    await ctx.confirm({
      level,
      action: `Delete ${keys} of device "${name}"`,
      name,
      items: chosen.map(({ key, value }) => `${key}=${value}`),
    });
    const { devices } = await batchClient(ctx);
    return runBatch(ctx, {
      items: chosen,
      title: ({ key }) => `${key} of device "${name}"`,
      done: "Deleted",
      unit: ["parameter", "parameters"],
      run: ({ id }) => devices.paramRemove(device.id, id),
      print: (done) => ctx.out.list(done, { columns, empty: "Nothing was deleted." }),
    });
  },
});

export const commands: readonly Command[] = [listParams, setParams, deleteParams];
