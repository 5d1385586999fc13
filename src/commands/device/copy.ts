import { DEVICE_NAME_MAX_CHARS } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { destination, toEnvOption } from "../kit/files/destination.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";
import { resumeOptions } from "../kit/state/journal.ts";
import { namedDevice, namedDeviceArgument } from "./place.ts";
import { type CopiedRow, copiedColumns, copyRecords, type NewDevice } from "./transfer/copy-records.ts";
import { placeIn, transferSettings } from "./transfer/settings.ts";
import { storageFrom, storageOptions } from "./transfer/storage.ts";

const args = [namedDeviceArgument] as const;

const options = [
  toEnvOption,
  { name: "name", value: "text", summary: 'name of the copy; %s is the old name (same environment: "%s (copy)")' },
  { name: "serial", value: "text", summary: "serial number of the copy" },
  ...storageOptions,
  { name: "with-data", summary: "copy the records as well" },
  {
    name: "verify",
    summary: "also read the copied records again and compare them; exit 11 if they differ",
    needs: ["with-data"],
  },
  ...resumeOptions.map((option) => ({ ...option, needs: ["with-data"] })),
] as const satisfies Options;

export const copyDevice = defineCommand({
  path: ["copy"],
  result: rows(copiedColumns),
  effect: "changes",
  summary: "Copy a device, also to another environment",
  details:
    "Creates a device with the same network, connector, tags, parameters, parser, state and storage. Tokens and the serial " +
    "number stay with the original. --with-data copies all records as well and compares the counts; record ids and " +
    "created_at are new. Tags and parser are set once the records are there, so no action fires for them and no parser changes " +
    "them. --resume continues an interrupted copy. In another environment, network and connector are matched by id, then " +
    "by name. See docs/device-storage.md.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device copy "name:Freezer 1" --name "Freezer 2"',
    'iot device copy "name:Truck 7" --to-env old --with-data --yes',
    'iot device copy "name:Water meter" --with-data --type immutable --period month --retention 12 --dry-run',
  ],
  exitCodes: [7, 9, 11],
  related: ["iot device convert", "iot device data export", "iot device export"],
  run: copy,
});

async function copy(ctx: CommandContext, input: Input<typeof args, typeof options>): Promise<void> {
  const { id } = await namedDevice(ctx, input);
  const to = destination(ctx, input);
  const { name = to === ctx ? "%s (copy)" : "%s", serial, withData } = input.options;
  const client = await batchClient(ctx);
  const info = await lookUp(ctx, deviceFinder, id, () => client.devices.info(id));
  const storage = storageFrom(input, info);
  const body: NewDevice = {
    ...(await transferSettings(client, info, storage)),
    ...(to === ctx ? {} : await placeIn(ctx, to, info)),
    ...(serial === undefined ? {} : { serie_number: serial }),
    name: name.replaceAll("%s", () => info.name).slice(0, DEVICE_NAME_MAX_CHARS),
  };
  if (withData) return copyRecords(ctx, to, input, { info, body, storage });
  if (await to.dryRun({ method: "POST", path: resourceRoutes.device, body })) return;
  const { device_id: made } = await (await to.client()).devices.create(body);
  const row: CopiedRow = { id: made, name: body.name, type: storage.type };
  await to.out.list([row], { columns: copiedColumns, empty: "Nothing was copied." });
  await to.done(`Copied device "${info.name}" as "${body.name}"`);
  const params = countOf(body.configuration_params?.length ?? 0, "parameter");
  to.say.hint(`The copy has ${params}, no records and a new token: iot device token list ${made} --reveal.`);
}
