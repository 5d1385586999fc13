import { batchClient } from "../../kit/client/batch-client.ts";
import type { Input, Options } from "../../kit/command/options.ts";
import { keyValue } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { FleetDevice } from "../../kit/devices/fleet.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import {
  type BodyField,
  type inputOption,
  mergeTags,
  needChange,
  readBody,
  type Tag,
} from "../../kit/resource/body.ts";
import { changedPlace } from "../default-place.ts";
import { type BulkAction, type BulkKind, bulkKind } from "./bulk.ts";
import type { BulkForm } from "./bulk-form.ts";
import { changesIn } from "./changes.ts";
import type { selectionOptions } from "./selection.ts";

const options = [
  {
    name: "tag",
    value: "k=v",
    summary: "with an id, the same as --set-tag; bulk form: devices with this tag",
    repeat: true,
  },
  { name: "set-tag", value: "k=v", summary: "tag; replaces an existing tag with the same key", repeat: true },
  { name: "remove-tag", value: "key", summary: "remove a tag", repeat: true },
] as const satisfies Options;

type Given = Input<
  readonly [{ readonly name: "id"; readonly summary: string }],
  readonly [...typeof selectionOptions, ...typeof options, typeof inputOption]
>;

/** `device update` for many. @param fields what can be updated of one */
export function bulkUpdate(fields: readonly BodyField[]): BulkForm<Given> {
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
    isSingle: ({ args, options: { ids, where } }) => args.id !== undefined && ids === undefined && where.length === 0,
    single: (input) => {
      const tag = [...input.options.tag, ...input.options.setTag];
      return { ...input, options: { ...input.options, ...(tag.length > 0 && { tag }) } };
    },
    action: (ctx, input) => updating(ctx, input, fields),
    kind: updateKind,
  };
}

async function updating(ctx: CommandContext, input: Given, fields: readonly BodyField[]): Promise<BulkAction> {
  const { input: file, ids, setTag, removeTag: removed } = input.options;
  if (file === "-" && ids === "-")
    throw usageError("--input - and --ids - both read stdin.", { next: "Put one of them into a file." });
  const body = await readBody(ctx, input, fields);
  const tags = setTag.map((text) => keyValue(text, "--set-tag"));
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
    changes: async (device) => changesIn(await devices.info(device.id), await bodyOf(device)),
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
