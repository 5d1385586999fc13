import { batchClient } from "../../kit/client/batch-client.ts";
import { argumentList, option, optionList } from "../../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { type BodyField, mergeTags, needChange, readBody, type Tag, tagsOf } from "../../kit/resource/body.ts";
import { changedPlace } from "../default-place.ts";
import { type BulkAction, type BulkKind, bulkKind } from "./bulk.ts";
import type { BulkForm } from "./bulk-form.ts";
import type { FleetDevice } from "./devices.ts";

const options: readonly OptionSpec[] = [
  {
    name: "tag",
    value: "k=v",
    summary: "with an id, the same as --set-tag; bulk form: devices with this tag",
    repeat: true,
  },
  { name: "set-tag", value: "k=v", summary: "tag; replaces an existing tag with the same key", repeat: true },
  { name: "remove-tag", value: "key", summary: "remove a tag", repeat: true },
];

/** `device update` for many. @param fields what can be updated of one */
export function bulkUpdate(fields: readonly BodyField[]): BulkForm {
  return {
    options,
    summary: "Update a device, or many at once",
    details:
      "Bulk form: without an id, --tag, --where and --ids select the devices that get the same changes; --set-tag and " +
      "--remove-tag change their tags, and every other tag stays.",
    examples: [
      "iot device update --tag device_type=freezer --set-tag floor=2 --dry-run",
      'iot device update --where "last_input<-365d" --where active=true --inactive --yes --report changes.csv',
    ],
    named: (input) => argumentList(input, "id"),
    isSingle: (input) =>
      argumentList(input, "id").length > 0 &&
      option(input, "ids") === undefined &&
      optionList(input, "where").length === 0,
    single: ({ args, options: given }) => {
      const tag = [...optionList({ args, options: given }, "tag"), ...optionList({ args, options: given }, "set-tag")];
      return { args, options: { ...given, ...(tag.length > 0 && { tag }) } };
    },
    action: (ctx, input) => updating(ctx, input, fields),
    kind: updateKind,
  };
}

async function updating(ctx: CommandContext, input: CommandInput, fields: readonly BodyField[]): Promise<BulkAction> {
  if (option(input, "input") === "-" && option(input, "ids") === "-")
    throw usageError("--input - and --ids - both read stdin.", { next: "Put one of them into a file." });
  const body = await readBody(ctx, input, fields);
  const [tags, removed] = [tagsOf(input, "set-tag"), optionList(input, "remove-tag")];
  if (tags.length + removed.length === 0) needChange(body, "--inactive or --set-tag site=7");
  if ("name" in body) {
    throw usageError("Several devices cannot get the same name.", {
      next: 'Update one device by its id, or use "iot device import --on-conflict update" with a file of names.',
    });
  }
  return updateAction(ctx, { body, tags, removed });
}

interface Update {
  readonly body: Readonly<Record<string, unknown>>;
  readonly tags: readonly Tag[];
  readonly removed: readonly string[];
}

/** `device update` by workers. */
export const updateKind: BulkKind = bulkKind("device update", updateAction);

async function updateAction(ctx: CommandContext, { body, tags, removed }: Update): Promise<BulkAction> {
  const client = await batchClient(ctx);
  const { devices } = client;
  const bodyOf = async ({ id }: FleetDevice) => ({
    ...body,
    ...(await changedPlace(client, id, body)),
    ...(tags.length + removed.length > 0 && {
      tags: mergeTags((await devices.info(id)).tags, [...tags], removed),
    }),
  });
  return {
    key: [body, tags, removed],
    shared: { body, tags, removed },
    verbs: ["Update", "Updating", "Updated"],
    level: 1,
    result: "updated",
    requests: async (device) => [{ method: "PUT", path: `/device/${device.id}`, body: await bodyOf(device) }],
    // Sent again, it changes nothing.
    prepare: async (device) => {
      const change = await bodyOf(device);
      return async () => {
        await devices.edit(device.id, change as Parameters<typeof devices.edit>[1]);
        return { result: "updated", id: device.id };
      };
    },
  };
}
