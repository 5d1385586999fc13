import { cleanLine } from "../../text/clean.ts";
import { countOf, countText } from "../../text/count.ts";
import { isFormatChosen } from "../kit/ask/terminal.ts";
import type { Column } from "../kit/command/columns.ts";
import type { CommandContext } from "../kit/context.ts";
import { jsonText } from "../kit/output/machines.ts";
import { showAge } from "../kit/output/times.ts";
import type { Fleet } from "./read.ts";
import { countStates, type DeviceStateRow, needsAttention } from "./rows.ts";

/** A row, and the state before when it has changed. */
interface ChangedRow extends DeviceStateRow {
  readonly was?: string;
}

export const fleetColumns: readonly Column<ChangedRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "state", rank: 1 },
  { key: "last_input", kind: "time" },
  { key: "battery", kind: "number", hidden: true },
  { key: "tags", kind: "tags" },
  { key: "was", hidden: true },
];

interface Summary {
  readonly devices: number;
  readonly states: Readonly<Record<string, number>>;
  readonly plan: Fleet["plan"];
  readonly analyses: Fleet["analyses"];
  readonly actions: Fleet["actions"];
  readonly problems: Fleet["problems"];
}

export const summaryColumns: readonly Column<Summary>[] = [
  { key: "devices", kind: "number" },
  { key: "states", kind: "json" },
  { key: "plan", kind: "json" },
  { key: "analyses", kind: "json" },
  { key: "actions", kind: "json" },
  { key: "problems", kind: "json" },
];

interface Shown {
  readonly isAll: boolean;
  readonly hasBattery: boolean;
}

const columnsFor = ({ hasBattery }: Shown) =>
  fleetColumns.map((column) => (column.key === "battery" && hasBattery ? { ...column, hidden: false } : column));

const EMPTY = "No device needs attention.";

export async function printSummary(
  ctx: CommandContext,
  { rows, plan, analyses, actions, problems }: Fleet,
): Promise<void> {
  const states = countStates(rows);
  const summary: Summary = { devices: rows.length, states, plan, analyses, actions, problems };
  await ctx.out.item(summary, { columns: summaryColumns, idKey: "devices" });
}

/** The devices on stdout, and the rest in words on stderr. */
export async function printFleet(ctx: CommandContext, fleet: Fleet, shown: Shown): Promise<void> {
  const rows = shown.isAll ? fleet.rows : fleet.rows.filter(needsAttention);
  const empty = fleet.rows.length === 0 ? "No devices found." : EMPTY;
  await ctx.out.list(rows, { columns: columnsFor(shown), empty });
  const style = { form: "relative", nowMs: fleet.atMs } as const;
  for (const problem of fleet.problems) ctx.say.warning(problem);
  ctx.say.info(statesText(fleet.rows));
  const plan = mostUsed(fleet.plan).map(({ service, percent }) => `${service} ${percent} %`);
  if (plan.length > 0) ctx.say.info(`Plan used this month: ${plan.join(", ")}.`);
  for (const { name, last_run: run, line } of fleet.analyses)
    ctx.say.info(`Analysis "${name}" is failing, run ${showAge(run, style)}: ${cleanLine(line, 200)}`);
  const actions = fleet.actions.map(({ name, last_triggered: date }) => `"${name}" ${showAge(date, style)}`);
  if (actions.length > 0) ctx.say.info(`Actions in the last 24 hours: ${actions.join(", ")}.`);
}

/** `12 devices: 2 silent, 10 ok.` */
export function statesText(rows: readonly Pick<DeviceStateRow, "state">[]): string {
  const states = Object.entries(countStates(rows)).filter(([, count]) => count > 0);
  const counts = states.map(([state, count]) => `${countText(count)} ${state}`).join(", ");
  return `${countOf(rows.length, "device")}${counts === "" ? "" : `: ${counts}`}.`;
}

const always = ["input", "output"];

/** Input and output first, then the services that are used most; unused ones are left out. */
export function mostUsed(plan: Fleet["plan"]): { readonly service: string; readonly percent: number }[] {
  const isFirst = ({ service }: { readonly service: string }): number => Number(always.includes(service));
  return plan
    .flatMap(({ service, percent }) => (percent === null ? [] : [{ service, percent }]))
    .filter((use) => use.percent > 0 || isFirst(use) === 1)
    .sort((a, b) => isFirst(b) - isFirst(a) || b.percent - a.percent);
}

interface Changes extends Shown {
  read(isAsked: boolean): Promise<Fleet>;
  readonly refreshMs: number;
  readonly forMs: number;
}

/** The devices, and then each whose state changes: lines for people on a terminal, ndjson elsewhere, or the format chosen. */
export async function printChanges(ctx: CommandContext, first: Fleet, changes: Changes): Promise<void> {
  const columns = columnsFor(changes);
  const rows = changedRows(ctx, first, changes);
  if (isFormatChosen(ctx)) {
    await ctx.out.list(rows, { columns, empty: EMPTY });
    return;
  }
  for await (const row of rows) {
    const line = ctx.io.stdoutIsTerminal ? readable(row, ctx) : jsonText(row);
    await ctx.io.write(`${line}\n`);
  }
}

async function* changedRows(ctx: CommandContext, first: Fleet, changes: Changes): AsyncGenerator<ChangedRow> {
  const { read, refreshMs, forMs, isAll } = changes;
  const endMs = ctx.clock.elapsed() + forMs;
  yield* isAll ? first.rows : first.rows.filter(needsAttention);
  let known = new Map(first.rows.map(({ id, state }) => [id, state]));
  for (;;) {
    const leftMs = endMs - ctx.clock.elapsed();
    await ctx.clock.sleep(Math.max(0, Math.min(refreshMs, leftMs)));
    if (leftMs <= refreshMs) return;
    const { rows, problems } = await read(false);
    for (const problem of problems) ctx.say.detail(problem);
    for (const row of rows) {
      const was = known.get(row.id);
      if (was !== row.state) yield { ...row, ...(was === undefined ? {} : { was }) };
    }
    known = new Map(rows.map(({ id, state }) => [id, state]));
  }
}

/** `14:03:12  Pump 3  silent (was ok)  last input 2 d ago`. */
function readable(row: ChangedRow, { clock, flags }: CommandContext): string {
  const nowMs = clock.now();
  const time = new Date(nowMs).toLocaleTimeString("en-GB", { timeZone: flags.tz });
  const state = row.was === undefined ? row.state : `${row.state} (was ${row.was})`;
  const age =
    row.last_input === null ? "no input" : `last input ${showAge(row.last_input, { form: "relative", nowMs })}`;
  return [time, cleanLine(row.name, 100), state, age].join("  ");
}
