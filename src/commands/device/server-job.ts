import type { Resources } from "../../index.ts";
import { MAX_FILE_LIST_QTY } from "../../lib/core/limits.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { announceJob } from "../kit/devices/cost.ts";
import type { ResourceTarget } from "../kit/resource/resolve-id.ts";
import { pollFor, waitOptions } from "./poll.ts";

interface JobRow {
  readonly file_address: string;
  readonly chunk_id?: string;
  readonly status?: string;
  readonly size?: number;
}

export const serverJobColumns: readonly Column<JobRow>[] = [
  { key: "file_address" },
  { key: "status" },
  { key: "chunk_id", kind: "id" },
  { key: "size", kind: "number" },
];

export const serverJobOptions = (path: string) =>
  [
    {
      name: "path",
      value: "path",
      summary: "path in Files; placeholders $DEVICE$ $CHUNK$ $FROM$ $TO$ $TIMESTAMP$",
      default: path,
    },
    { name: "header", summary: "add a header row, which restore requires" },
    { name: "max-records", kind: "integer", summary: "skip the cost confirmation up to this many records" },
    ...waitOptions(),
  ] as const satisfies Options;

type JobInput = Input<[], ReturnType<typeof serverJobOptions>>;

export const jobDetails =
  "The platform writes the CSV file to Files and responds before it is done; --wait waits until the file exists.";

/** What a job of the server is asked for. */
interface Job {
  readonly device: ResourceTarget;
  readonly records: number;
  readonly route: string;
  readonly chunk?: string;
  order(client: Resources, body: { deviceID: string; file_address: string; headers: boolean }): Promise<JobRow>;
}

/** Shows the cost, orders the file, and waits for it if asked to. */
export async function runServerJob(ctx: CommandContext, input: JobInput, job: Job): Promise<void> {
  const { path, header: headers, maxRecords, wait } = input.options;
  const body = { file_address: path, headers, ...(job.chunk === undefined ? {} : { chunk_id: job.chunk }) };
  if (await ctx.dryRun({ method: "POST", path: `/device/${job.device.id}/${job.route}`, body })) return;
  const client = await ctx.client();
  await announceJob(ctx, client, job.records, maxRecords);
  const before = await fileMarks(client, folderOf(path));
  const answer = await job.order(client, { deviceID: job.device.id, file_address: path, headers });
  const name = await job.device.name();
  if (!wait) {
    await ctx.out.item(answer, { columns: serverJobColumns, idKey: "file_address" });
    await ctx.done(`The platform is writing ${answer.file_address} for device "${name}"`);
    return;
  }
  const file = answer.file_address.replace(/^\//, "");
  const size = await pollFor(ctx, input, `the file ${file}`, async () => {
    const now = (await fileMarks(client, folderOf(file))).get(file);
    return now === undefined || now.mark === before.get(file)?.mark ? undefined : now.size;
  });
  await ctx.out.item({ ...answer, status: "done", size }, { columns: serverJobColumns, idKey: "file_address" });
  await ctx.done(`The platform has written ${file} for device "${name}"`);
}

function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end <= 0 ? "/" : path.slice(0, end);
}

/** Files of a folder: when each was written, and its size. A folder that does not exist holds nothing. */
async function fileMarks(client: Resources, folder: string): Promise<Map<string, { mark: string; size: number }>> {
  const marks = new Map<string, { mark: string; size: number }>();
  // If the folder itself has placeholders, nothing can be there before the response names it.
  if (folder.includes("$")) return marks;
  let paginationToken: string | undefined;
  do {
    const query = {
      path: folder,
      quantity: MAX_FILE_LIST_QTY,
      ...(paginationToken === undefined ? {} : { paginationToken }),
    };
    const page = await client.files.list(query);
    for (const { filename, last_modified: moment, size } of page.files) {
      marks.set(filename.replace(/^\//, ""), { mark: `${moment?.toISOString() ?? ""} ${size}`, size });
    }
    paginationToken = page.pagination_token;
  } while (paginationToken !== undefined);
  return marks;
}
