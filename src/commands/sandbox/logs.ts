import type { RequestLogEntry } from "../../sandbox/index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { printFollowed } from "../kit/output/followed.ts";
import { chosen, inspect, objects, portOption } from "./place.ts";
import type { Inspected } from "./request.ts";

const LOOK_AGAIN_MS = 200;
const DEFAULT_ROWS = 20;

type LogRow = Omit<RequestLogEntry, "durationMs"> & { readonly duration_ms: number };

const columns: readonly Column<LogRow>[] = [
  { key: "time", kind: "time", exact: true },
  { key: "method", rank: 1 },
  { key: "url", rank: 1 },
  { key: "status", kind: "number", rank: 1 },
  { key: "duration_ms", kind: "number" },
  { key: "token", rank: 3 },
  { key: "gap" },
  { key: "n", kind: "number", hidden: true },
];

function isLogRow(value: unknown): value is LogRow {
  return isObject(value) && typeof value["n"] === "number" && typeof value["status"] === "number";
}

async function read(running: Inspected, after: number): Promise<LogRow[]> {
  return objects(await inspect(running, "GET", `requests?after=${after}`)).filter(isLogRow);
}

/** `404`, `4xx`, or nothing. */
function statusFilter(text: string | undefined): (status: number) => boolean {
  if (text === undefined) return () => true;
  if (!/^[1-5](\d\d|xx)$/i.test(text)) {
    throw usageError(`Invalid --status ${quote(text)}.`, {
      next: "Use a status such as 404, or a class such as 4xx.",
    });
  }
  const pattern = new RegExp(`^${text.replaceAll(/x/gi, "\\d")}$`);
  return (status) => pattern.test(String(status));
}

/** `/device*` and the like; a text without a star matches anywhere. */
function pathFilter(text: string | undefined): (url: string) => boolean {
  if (text === undefined) return () => true;
  if (!text.includes("*")) return (url) => url.includes(text);
  const parts = text.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`^${parts.join(".*")}$`);
  return (url) => pattern.test(url.split("?", 1)[0] ?? "");
}

const options = [
  portOption,
  { name: "follow", summary: "print new requests as they arrive" },
  { name: "for", kind: "duration", summary: "stop --follow after this time" },
  { name: "limit", kind: "integer", summary: `maximum number of requests (${DEFAULT_ROWS})` },
  { name: "method", value: "name", summary: "only this method: GET, POST ..." },
  { name: "status", value: "code", summary: "only this status or class: 404, 4xx" },
  { name: "path", value: "text", summary: "only paths containing this text; * matches any: /device/*" },
] as const satisfies Options;

type Given = Input<[], typeof options>;

function filterFrom(input: Given): (entry: LogRow) => boolean {
  const method = input.options.method?.toUpperCase();
  const hasStatus = statusFilter(input.options.status);
  const hasPath = pathFilter(input.options.path);
  return (entry) => (method === undefined || entry.method === method) && hasStatus(entry.status) && hasPath(entry.url);
}

/** New requests as they come, until the time is over or somebody stops it. */
async function* follow(
  ctx: CommandContext,
  running: Inspected,
  from: number,
  untilMs: number,
): AsyncGenerator<LogRow, void, undefined> {
  let last = from;
  while (!ctx.signal.aborted && ctx.clock.elapsed() < untilMs) {
    const rows = await read(running, last);
    yield* rows;
    last = rows.at(-1)?.n ?? last;
    await ctx.clock.sleep(LOOK_AGAIN_MS);
  }
}

async function* chosenRows(
  rows: AsyncIterable<LogRow>,
  fits: (entry: LogRow) => boolean,
): AsyncGenerator<LogRow, void, undefined> {
  for await (const row of rows) if (fits(row)) yield row;
}

/** `14:03:12  GET  /device  404  profile`. */
function readable({ time, method, url, status, token, gap }: LogRow, zone: string | undefined): string {
  const clock = new Date(time).toLocaleTimeString("en-GB", { timeZone: zone });
  return [clock, method, url, status, token, ...(gap === undefined ? [] : [gap])].join("  ");
}

export const logsCommand: Command = defineCommand({
  path: ["logs"],
  asks: "nothing",
  result: rows(columns),
  effect: "reads",
  summary: "Show the request log of a sandbox",
  details:
    "Keeps the last 1,000 requests, without tokens. The column gap names the assumptions of the sandbox that a response rests on. Requests to the sandbox's own routes are shown only if --path asks for them. " +
    "With --follow, prints new requests as they arrive, one per line, until Ctrl-C or --for.",
  options,
  examples: [
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox logs --status 4xx && iot sandbox stop --all",
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox logs --follow --for 1s -o ndjson && iot sandbox stop --all",
  ],
  exitCodes: [6, 10, 130, 143],
  related: ["iot sandbox status"],
  async run(ctx, input) {
    const running = await chosen(ctx, input);
    const path = input.options.path;
    const fitsAll = filterFrom(input);
    const isShown = (entry: LogRow): boolean =>
      fitsAll(entry) && (path !== undefined || !entry.url.startsWith("/__sandbox/"));
    const limit = input.options.limit ?? DEFAULT_ROWS;
    const kept = await read(running, 0);
    const rows = kept.filter(isShown).slice(-limit);
    if (!input.options.follow) {
      await ctx.out.list(rows, { columns, empty: "No matching requests.", idKey: "n" });
      return;
    }
    const untilMs = ctx.clock.elapsed() + (input.options.for ?? Number.POSITIVE_INFINITY);
    async function* all(): AsyncGenerator<LogRow, void, undefined> {
      yield* rows;
      yield* chosenRows(follow(ctx, running, kept.at(-1)?.n ?? 0, untilMs), isShown);
    }
    const list = { columns, empty: "No new requests.", idKey: "n" } as const;
    await printFollowed(ctx, all(), list, (entry) => readable(entry, ctx.flags.tz));
  },
});
