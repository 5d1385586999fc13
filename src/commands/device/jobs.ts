import type { DeviceChunkData, Resources } from "../../index.ts";
import { countOf } from "../../text/count.ts";
import { argument, argumentList, option, optionFlag, optionNumber } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import {
  type ArgumentSpec,
  type Command,
  type CommandInput,
  defineCommand,
  type OptionSpec,
} from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";
import { resolveId, type Target } from "../kit/resource/resolve-id.ts";
import { announceJob } from "./cost.ts";
import { deviceFinder } from "./finder.ts";
import { pollFor, waitOptions } from "./poll.ts";

const idArgument: ArgumentSpec = {
  name: "id",
  summary: "device: full id, or a unique name:…, tag:key=value, serial:…",
  required: true,
};
const chunkArgument: ArgumentSpec = { name: "chunk", summary: "id of the chunk, or oldest, or newest", required: true };

const target = (ctx: CommandContext, input: CommandInput): Promise<Target> =>
  resolveId(ctx, deviceFinder, argument(input, "id") ?? "");

interface JobRow {
  readonly file_address: string;
  readonly chunk_id?: string;
  readonly status?: string;
  readonly size?: number;
}

const jobColumns: readonly Column<JobRow>[] = [
  { key: "file_address" },
  { key: "status" },
  { key: "chunk_id", kind: "id" },
  { key: "size", kind: "number" },
];

const jobOptions = (path: string): readonly OptionSpec[] => [
  {
    name: "path",
    value: "path",
    summary: "file of the profile; marks $DEVICE$ $CHUNK$ $FROM$ $TO$ $TIMESTAMP$",
    default: path,
  },
  { name: "header", summary: "start the file with a header row, which restore needs" },
  { name: "max-records", value: "n", summary: "agree to an export of at most this many records" },
  ...waitOptions,
];

const jobDetails =
  "The platform writes the CSV file by itself, in Files, and answers before it is done; --wait looks for the file until it is there.";

/** What a job of the server is asked for. */
interface Job {
  readonly device: Target;
  readonly records: number;
  readonly route: string;
  readonly chunk?: string;
  order(client: Resources, body: { deviceID: string; file_address: string; headers: boolean }): Promise<JobRow>;
}

/** Tells the cost, orders the file, and waits for it where that is asked. */
async function runJob(ctx: CommandContext, input: CommandInput, job: Job): Promise<void> {
  const path = option(input, "path") ?? "";
  const headers = optionFlag(input, "header");
  const body = { file_address: path, headers, ...(job.chunk === undefined ? {} : { chunk_id: job.chunk }) };
  if (await ctx.dryRun({ method: "POST", path: `/device/${job.device.id}/${job.route}`, body })) return;
  const client = await ctx.client();
  await announceJob(ctx, client, job.records, optionNumber(input, "max-records", 1));
  const before = await fileMarks(client, folderOf(path));
  const answer = await job.order(client, { deviceID: job.device.id, file_address: path, headers });
  const { label } = await ctx.connection();
  const name = await job.device.name();
  if (!optionFlag(input, "wait")) {
    await ctx.out.item(answer, { columns: jobColumns, idKey: "file_address" });
    ctx.say.info(`The platform writes ${answer.file_address} of device "${name}" in ${label}.`);
    return;
  }
  const file = answer.file_address.replace(/^\//, "");
  const size = await pollFor(ctx, input, `the file ${file}`, async () => {
    const now = (await fileMarks(client, folderOf(file))).get(file);
    return now === undefined || now.mark === before.get(file)?.mark ? undefined : now.size;
  });
  await ctx.out.item({ ...answer, status: "done", size }, { columns: jobColumns, idKey: "file_address" });
  ctx.say.info(`The platform has written ${file} of device "${name}" in ${label}.`);
}

function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end <= 0 ? "/" : path.slice(0, end);
}

/** Files of a folder: when each was written, and its size. A folder that does not exist holds nothing. */
async function fileMarks(client: Resources, folder: string): Promise<Map<string, { mark: string; size: number }>> {
  const marks = new Map<string, { mark: string; size: number }>();
  // Where the folder itself has marks, nothing can be there before the answer names it.
  if (folder.includes("$")) return marks;
  let paginationToken: string | undefined;
  do {
    const query = { path: folder, quantity: 1_000, ...(paginationToken === undefined ? {} : { paginationToken }) };
    const page = await client.files.list(query);
    for (const { filename, last_modified: moment, size } of page.files) {
      marks.set(filename.replace(/^\//, ""), { mark: `${moment?.toISOString() ?? ""} ${size}`, size });
    }
    paginationToken = page.pagination_token;
  } while (paginationToken !== undefined);
  return marks;
}

const backupData = defineCommand({
  path: ["data", "backup"],
  result: one(jobColumns),
  effect: "changes",
  summary: "Have the platform write all data of a device to a file",
  details: jobDetails,
  args: [idArgument],
  options: jobOptions("/backups/$DEVICE$/$TIMESTAMP$"),
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device data backup "name:Weather station" --header --wait --yes',
    "iot device data backup \"name:Weather station\" --path '/backups/$DEVICE$/$FROM$' --dry-run",
  ],
  related: ["iot device data restore", "iot device chunk backup", "iot device data export"],
  async run(ctx, input) {
    const device = await target(ctx, input);
    const records = ctx.flags.dryRun ? 0 : await (await ctx.client()).devices.amount(device.id);
    await runJob(ctx, input, {
      device,
      records,
      route: "data/backup",
      order: (client, body) => client.devices.dataBackup(body),
    });
  },
});

interface RestoreRow {
  readonly device: string;
  readonly file_address: string;
  readonly message: string;
  readonly records?: number;
}

const restoreColumns: readonly Column<RestoreRow>[] = [
  { key: "device", kind: "id" },
  { key: "file_address" },
  { key: "message" },
  { key: "records", kind: "number" },
];

const restoreData = defineCommand({
  path: ["data", "restore"],
  result: one(restoreColumns),
  effect: "changes",
  summary: "Have the platform read a CSV file of the profile into a device",
  details:
    "The file needs a header row, and stays below 200 MB and a million rows. The records are added to those the device has. " +
    "The platform does not tell when it is done: --wait looks at the number of records until it has risen and then rests.",
  args: [idArgument],
  options: [{ name: "path", value: "path", summary: "file of the profile" }, ...waitOptions],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device data restore "name:Freezer 1" --path /backups/freezer.csv --dry-run',
    'iot device data backup "name:Freezer 1" --path /backups/freezer --header --wait --yes && iot device data restore "name:Freezer 1" --path /backups/freezer.csv --confirm \'Freezer 1\'',
  ],
  related: ["iot device data backup", "iot device data import"],
  async run(ctx, input) {
    const path = option(input, "path");
    if (path === undefined) throw usageError("No file was named.", { next: "Name a file of the profile with --path." });
    const device = await target(ctx, input);
    const file = path.replace(/^\//, "");
    const body = { file_address: file };
    if (await ctx.dryRun({ method: "POST", path: `/device/${device.id}/data/restore`, body })) return;
    const name = await device.name();
    const client = await ctx.client();
    const before = await client.devices.amount(device.id);
    await ctx.confirm({ level: 2, action: `Add the records of ${file} to device "${name}"`, name });
    const message = await client.devices.dataRestore({ deviceID: device.id, ...body });
    const row = { device: device.id, file_address: file, message };
    const records = optionFlag(input, "wait") ? await restedAmount(ctx, input, client, device.id, before) : undefined;
    await ctx.out.item(records === undefined ? row : { ...row, records }, { columns: restoreColumns, idKey: "device" });
    const { label } = await ctx.connection();
    ctx.say.info(
      records === undefined
        ? `The platform reads ${file} into device "${name}" in ${label}.`
        : `Device "${name}" in ${label} has ${records - before} more records.`,
    );
  },
});

/** The number of records once it has changed and is the same twice. */
function restedAmount(ctx: CommandContext, input: CommandInput, client: Resources, id: string, before: number) {
  let last = before;
  return pollFor(ctx, input, "the end of the import", async () => {
    const now = await client.devices.amount(id);
    const hasRested = now !== before && now === last;
    last = now;
    return hasRested ? now : undefined;
  });
}

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
  summary: "List the chunks of a device with immutable storage, oldest first",
  args: [idArgument],
  groups: ["limit"],
  examples: ['iot device chunk list "name:Weather station"', 'iot device chunk list "name:Water meter" -o json'],
  related: ["iot device chunk backup"],
  async run(ctx, input) {
    const { id } = await target(ctx, input);
    await ctx.out.list(await chunksOf(ctx, id), { columns: chunkColumns, empty: "The device has no chunks." });
  },
});

async function chunkOf(ctx: CommandContext, device: Target, text: string): Promise<DeviceChunkData> {
  const chunks = await chunksOf(ctx, device.id);
  const found =
    text === "oldest" ? chunks[0] : text === "newest" ? chunks.at(-1) : chunks.find(({ id }) => id === text);
  if (found !== undefined) return found;
  throw notFoundError(`The device has no chunk ${quote(text)}.`, {
    code: "chunk.not_found",
    why:
      chunks.length === 0
        ? "It has no chunks."
        : `It has ${chunks.length}, from ${chunks[0]?.id} to ${chunks.at(-1)?.id}.`,
    next: `Run "iot device chunk list ${device.id}".`,
  });
}

/** `copy` and `backup` are two routes of the platform that do the same. */
function chunkJob(verb: "copy" | "backup"): Command {
  return defineCommand({
    path: ["chunk", verb],
    result: one(jobColumns),
    effect: "changes",
    summary: `Have the platform ${verb === "copy" ? "copy" : "write"} a chunk of a device to a file`,
    details: jobDetails,
    args: [idArgument, chunkArgument],
    options: jobOptions("/backups/$DEVICE$/$CHUNK$"),
    groups: ["confirm", "dryRun"],
    examples: [
      `iot device chunk ${verb} "name:Water meter" newest --header --wait --yes`,
      `iot device chunk ${verb} "name:Water meter" oldest --path '/archive/$CHUNK$' --dry-run`,
    ],
    related: ["iot device chunk list", "iot device chunk delete"],
    async run(ctx, input) {
      const device = await target(ctx, input);
      const { id: chunkID, amount } = await chunkOf(ctx, device, argument(input, "chunk") ?? "");
      await runJob(ctx, input, {
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
  summary: "Delete chunks with all their records",
  args: [idArgument, { ...chunkArgument, name: "chunks", variadic: true }],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device chunk delete "name:Water meter" oldest --dry-run',
    `iot device chunk delete "name:Water meter" oldest --confirm "Water meter"`,
  ],
  related: ["iot device chunk list", "iot device chunk backup"],
  async run(ctx, input) {
    const device = await target(ctx, input);
    const given = argumentList(input, "chunks");
    const found = await Promise.all(given.map((text) => chunkOf(ctx, device, text)));
    const chunks = [...new Map(found.map((chunk) => [chunk.id, chunk])).values()];
    const path = (id: string): string => `/device/${device.id}/chunk/${id}`;
    for (const { id } of ctx.flags.dryRun ? chunks : []) await ctx.dryRun({ method: "DELETE", path: path(id) });
    if (ctx.flags.dryRun) return;
    const name = await device.name();
    const records = chunks.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    await ctx.confirm({
      level: 2,
      action: `Delete ${chunks.length === 1 ? "a chunk" : countOf(chunks.length, "chunk")} of device "${name}" with ${countOf(records, "record")}`,
      name,
      items: chunks.map(({ id, from, to }) => `${id} ${from} to ${to}`),
    });
    const client = await ctx.client();
    const done: DeviceChunkData[] = [];
    for (const chunk of chunks) {
      if (ctx.signal.aborted) break;
      await client.devices.deleteChunk(device.id, chunk.id);
      done.push(chunk);
    }
    await ctx.out.list(done, { columns: chunkColumns, empty: "Nothing was deleted." });
    const { label } = await ctx.connection();
    ctx.say.info(`Deleted ${done.length} of ${countOf(chunks.length, "chunk")} of device "${name}" in ${label}.`);
  },
});

export const commands: readonly Command[] = [
  backupData,
  restoreData,
  listChunks,
  chunkJob("copy"),
  chunkJob("backup"),
  deleteChunks,
];
