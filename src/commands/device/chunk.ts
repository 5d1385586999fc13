import type { DeviceChunkData } from "../../index.ts";
import { countOf } from "../../text/count.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { ArgumentSpec } from "../kit/command/options.ts";
import { one, rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { runBatch } from "../kit/resource/batch.ts";
import type { ResourceTarget } from "../kit/resource/resolve-id.ts";
import { namedDevice, namedDeviceArgument } from "./place.ts";
import { jobDetails, runServerJob, serverJobColumns, serverJobOptions } from "./server-job.ts";

const chunkArgument = {
  name: "chunk",
  summary: "chunk id, oldest or newest",
  required: true,
} as const satisfies ArgumentSpec;

const chunkColumns: readonly Column<DeviceChunkData>[] = [
  { key: "id", kind: "id" },
  { key: "from", kind: "time", exact: true },
  { key: "to", kind: "time", exact: true },
  { key: "amount", kind: "number" },
];

const chunksOf = async (ctx: CommandContext, id: string): Promise<readonly DeviceChunkData[]> =>
  [...(await (await ctx.client()).devices.getChunk(id))].sort((a, b) => (a.from < b.from ? -1 : 1));

const listChunks = defineCommand({
  path: ["chunk", "list"],
  aliases: ["ls"],
  result: rows(chunkColumns),
  effect: "reads",
  summary: "List the chunks of an immutable device, oldest first",
  args: [namedDeviceArgument],
  groups: ["limit"],
  examples: ['iot device chunk list "name:Weather station"', 'iot device chunk list "name:Water meter" -o json'],
  related: ["iot device chunk backup"],
  async run(ctx, input) {
    const { id } = await namedDevice(ctx, input);
    await ctx.out.list(await chunksOf(ctx, id), { columns: chunkColumns, empty: "The device has no chunks." });
  },
});

async function chunkOf(ctx: CommandContext, device: ResourceTarget, text: string): Promise<DeviceChunkData> {
  const chunks = await chunksOf(ctx, device.id);
  const found =
    text === "oldest" ? chunks[0] : text === "newest" ? chunks.at(-1) : chunks.find(({ id }) => id === text);
  if (found !== undefined) return found;
  throw notFoundError(`The device has no chunk ${quote(text)}.`, {
    code: "chunk.not_found",
    why:
      chunks.length === 0
        ? "It has no chunks."
        : `It has ${countOf(chunks.length, "chunk")}, from ${chunks[0]?.id} to ${chunks.at(-1)?.id}.`,
    next: `Run "iot device chunk list ${device.id}".`,
  });
}

/** `copy` and `backup` are two routes of the platform that do the same. */
function chunkJob(verb: "copy" | "backup"): Command {
  return defineCommand({
    path: ["chunk", verb],
    result: one(serverJobColumns),
    effect: "changes",
    summary: `${verb === "copy" ? "Copy" : "Back up"} a chunk of a device to a file in Files`,
    details: jobDetails,
    args: [namedDeviceArgument, chunkArgument],
    options: serverJobOptions("/backups/$DEVICE$/$CHUNK$"),
    groups: ["confirm", "dryRun"],
    examples: [
      `iot device chunk ${verb} "name:Water meter" newest --header --wait --yes`,
      `iot device chunk ${verb} "name:Water meter" oldest --path '/archive/$CHUNK$' --dry-run`,
    ],
    related: ["iot device chunk list", "iot device chunk delete"],
    async run(ctx, input) {
      const device = await namedDevice(ctx, input);
      const { id: chunkID, amount } = await chunkOf(ctx, device, input.args.chunk);
      await runServerJob(ctx, input, {
        device,
        records: amount ?? 0,
        route: `chunk/${verb}`,
        chunk: chunkID,
        order: (client, body) =>
          verb === "copy" ? client.devices.copyChunk({ ...body, chunkID }) : client.devices.dataBackup(body, chunkID),
      });
    },
  });
}

const deleteChunks = defineCommand({
  path: ["chunk", "delete"],
  aliases: ["rm"],
  result: rows(chunkColumns),
  effect: "deletes",
  summary: "Delete chunks and all their records",
  args: [namedDeviceArgument, { ...chunkArgument, name: "chunks", variadic: true }],
  examples: [
    'iot device chunk delete "name:Water meter" oldest --dry-run',
    `iot device chunk delete "name:Water meter" oldest --confirm "Water meter"`,
  ],
  exitCodes: [8],
  related: ["iot device chunk list", "iot device chunk backup"],
  async run(ctx, input) {
    const device = await namedDevice(ctx, input);
    const found = await Promise.all(input.args.chunks.map((text) => chunkOf(ctx, device, text)));
    const chunks = [...new Map(found.map((chunk) => [chunk.id, chunk])).values()];
    const path = `/device/${device.id}/chunk`;
    if (await ctx.dryRun(chunks.map(({ id }) => ({ method: "DELETE", path: `${path}/${id}` })))) return 0;
    const name = await device.name();
    const records = chunks.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    await ctx.confirm({
      level: 2,
      action: `Delete ${chunks.length === 1 ? "a chunk" : countOf(chunks.length, "chunk")} of device "${name}" with ${countOf(records, "record")}`,
      name,
      items: chunks.map(({ id, from, to }) => `${id} ${from} to ${to}`),
    });
    const { devices } = await batchClient(ctx);
    return runBatch(ctx, {
      items: chunks,
      title: ({ id }) => `chunk ${id} of device "${name}"`,
      done: "Deleted",
      unit: ["chunk", "chunks"],
      run: ({ id }) => devices.deleteChunk(device.id, id),
      print: (done) => ctx.out.list(done, { columns: chunkColumns, empty: "Nothing was deleted." }),
    });
  },
});

export const commands: readonly Command[] = [listChunks, chunkJob("copy"), chunkJob("backup"), deleteChunks];
