import { defined } from "../../../lib/core/defined.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import { cleanLine } from "../../../text/clean.ts";
import { countOf } from "../../../text/count.ts";
import type { ListData } from "../../../tui/list/types.ts";
import { canDraw, screenColor } from "../ask/terminal.ts";
import { lent } from "../ask/terminal-lent.ts";
import type { ListOptions, ScreenTable } from "../command/columns.ts";
import type { CommandInput } from "../command/define.ts";
import { isOn, optionValue } from "../command/dynamic.ts";
import type { Options } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import { LONGEST_TIMER_MS } from "../long-wait.ts";
import { wantsHelp } from "../output/fields.ts";
import { pickFields } from "../output/values.ts";
import type { Listing } from "../resource/paging.ts";

const REFRESH_MS = 5_000;
const LEAST_REFRESH_MS = 1_000;
const smallest = { columns: 40, rows: 8 };

/** Flags of a list that can be followed. */
export const watchOptions = [
  {
    name: "watch",
    summary: "read the list again and again: a screen, or rows that are new or changed",
    leadsAway: true,
  },
  {
    name: "refresh",
    kind: "duration",
    summary: "with --watch, read again after this time (5s)",
    needs: ["watch"],
    leadsAway: true,
  },
] as const satisfies Options;

/** How often the list is read; undefined where it is read once. What cannot be followed is an error. */
export function watchMs(ctx: CommandContext, input: CommandInput): number | undefined {
  if (!isOn(input, "watch") || wantsHelp(defined({ fields: ctx.flags.fields }))) return undefined;
  const given = optionValue(input, "refresh");
  const refreshMs = typeof given === "number" ? given : REFRESH_MS;
  if (refreshMs < LEAST_REFRESH_MS)
    throw usageError("--refresh needs at least 1s.", { next: "Use a duration such as 10s." });
  const { format } = ctx.out;
  if (format === "json" || (ctx.flags.jq !== undefined && format !== "ndjson")) {
    throw usageError("--watch has no end, and a JSON document needs one.", {
      next: "Use -o ndjson: each row is a line of its own.",
    });
  }
  return refreshMs;
}

/** What is followed. */
interface Followed<Row> extends ListOptions<Row> {
  /** What the rows are: `devices`. */
  readonly what: string;
  readonly refreshMs: number;
  /** Reads the list, as often as it is called. */
  read(): Listing<Row>;
}

interface Read<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

async function readAll<Row>({ read }: Pick<Followed<Row>, "read">): Promise<Read<Row>> {
  const listing = read();
  const rows: Row[] = [];
  for await (const row of listing.rows) rows.push(row);
  return { rows, hasMore: listing.more() };
}

const columnFormats = ["table", "csv", "tsv", "md", "id"];

/** What of a row is printed: another change is none to whoever looks. */
function contentOf<Row extends object>(ctx: CommandContext, { columns }: Followed<Row>): (row: Row) => string {
  const visible = columns.filter(({ hidden }) => hidden !== true).map(({ key }) => key as string);
  const fields = ctx.flags.fields ?? (columnFormats.includes(ctx.out.format) ? visible : undefined);
  return (row) => JSON.stringify(fields === undefined ? row : pickFields(row, fields, columns));
}

/** Follows a list until Ctrl-C: on a screen, or as rows, those that are new or changed once more. */
export async function watchList<Row extends { readonly id: string }>(
  ctx: CommandContext,
  followed: Followed<Row>,
): Promise<void> {
  const first = await readAll(followed);
  // Rejects unknown fields, before there is a stream that does not end.
  const table = await ctx.out.table(first.rows, followed.columns);
  const isTable = ctx.out.format === "table";
  if (isTable && canDraw(ctx, smallest)) return onScreen(ctx, followed, { first, table });
  const batches = changes(ctx, followed, first.rows);
  if (!isTable || !ctx.io.stdoutIsTerminal) return void (await ctx.out.list(each(batches), followed));
  // A table waits for rows that decide the widths of its columns: what is read at one time is one table.
  for await (const rows of batches) if (rows.length > 0) await ctx.out.list(rows, followed);
}

interface Shown<Row> {
  readonly first: Read<Row>;
  readonly table: ScreenTable<Row>;
}

async function onScreen<Row extends { readonly id: string }>(
  ctx: CommandContext,
  followed: Followed<Row>,
  { first, table }: Shown<Row>,
): Promise<void> {
  const { what, empty, refreshMs } = followed;
  const content = contentOf(ctx, followed);
  const shown = ({ rows, hasMore }: Read<Row>): ListData => ({
    atMs: Date.now(),
    rows: rows.map((row) => ({ id: row.id, cells: table.cells(row), content: content(row) })),
    hasMore,
  });
  const place = cleanLine(await ctx.where(), 100);
  const { openListScreen } = await import("../../../tui/index.ts");
  await lent(ctx.status, () =>
    openListScreen({
      title: what,
      place,
      columns: table.columns,
      data: shown(first),
      empty,
      load: async () => shown(await readAll(followed)),
      refreshMs: Math.min(refreshMs, LONGEST_TIMER_MS),
      color: screenColor(ctx),
      ascii: ctx.flags.ascii,
      signal: ctx.signal,
    }),
  );
}

async function* each<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const rows of batches) yield* rows;
}

/** All rows, and then each time those that are new or changed. Says on stderr which are not listed any more. */
async function* changes<Row extends { readonly id: string }>(
  ctx: CommandContext,
  followed: Followed<Row>,
  first: readonly Row[],
): AsyncGenerator<readonly Row[]> {
  const content = contentOf(ctx, followed);
  const contents = (rows: readonly Row[]) => new Map(rows.map((row) => [row.id, content(row)]));
  if (first.length === 0) ctx.say.info(followed.empty);
  yield first;
  let known = contents(first);
  const outage = { isKnown: false };
  for (;;) {
    await ctx.clock.sleep(followed.refreshMs);
    const rows = await readAgain(ctx, followed, outage);
    if (rows === undefined) continue;
    const now = contents(rows);
    yield rows.filter(({ id }) => now.get(id) !== known.get(id));
    const gone = [...known.keys()].filter((id) => !now.has(id));
    if (gone.length > 0) ctx.say.info(`Not listed any more: ${goneText(gone)}.`);
    known = now;
  }
}

/** Ids that a line names. */
const MOST_IDS = 5;

const goneText = (ids: readonly string[]): string =>
  ids.length > MOST_IDS ? countOf(ids.length, "row") : ids.join(", ");

/**
 * The rows; nothing while the platform cannot be reached, which is reported once. A rejected token will not be accepted
 * later.
 */
async function readAgain<Row>(
  ctx: CommandContext,
  followed: Followed<Row>,
  outage: { isKnown: boolean },
): Promise<readonly Row[] | undefined> {
  try {
    const { rows } = await readAll(followed);
    if (outage.isKnown) ctx.say.info("The list can be read again.");
    outage.isKnown = false;
    return rows;
  } catch (error) {
    if (ctx.signal.aborted || !(error instanceof Error)) throw error;
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    if (!outage.isKnown) ctx.say.warning(`Not read: ${error.message}`);
    outage.isKnown = true;
    return undefined;
  }
}
