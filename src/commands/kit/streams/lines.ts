import type { LiveRow } from "../../../tui/live/types.ts";
import { isFormatChosen } from "../ask/terminal.ts";
import type { Column } from "../command/columns.ts";
import type { CommandContext } from "../context.ts";
import type { JsonObject } from "../files/files.ts";
import { jsonText } from "../output/machines.ts";
import type { Arrival } from "./follow.ts";
import { liveRow, type RecordFilter } from "./records.ts";

/** How arrivals become lines. */
export interface LineForm {
  /** What machines get of one event. */
  machine(arrival: Arrival): readonly JsonObject[];
  readonly columns: readonly Column<JsonObject>[];
  readonly empty: string;
}

/** Lines for people on a terminal, ndjson elsewhere, unless a format was asked for. */
export async function printArrivals(
  ctx: CommandContext,
  arrivals: AsyncIterable<Arrival>,
  wanted: RecordFilter,
  form: LineForm,
): Promise<void> {
  if (isFormatChosen(ctx)) {
    await ctx.out.list(machines(arrivals, form), { columns: form.columns, empty: form.empty });
    return;
  }
  for await (const { entry, records } of arrivals) {
    const lines = ctx.io.stdoutIsTerminal
      ? records.map((one) => readable(liveRow(one, entry, wanted), ctx.flags.tz, wanted.names.size !== 1))
      : form.machine({ entry, records }).map((row) => jsonText(row));
    await ctx.io.write(lines.map((line) => `${line}\n`).join(""));
  }
}

async function* machines(arrivals: AsyncIterable<Arrival>, form: LineForm): AsyncGenerator<JsonObject> {
  for await (const arrival of arrivals) yield* form.machine(arrival);
}

/** `14:03:12  Pump 3  pressure  4.21 bar`. */
function readable(row: LiveRow, zone: string | undefined, withDevice: boolean): string {
  const time = new Date(row.timeMs).toLocaleTimeString("en-GB", { timeZone: zone });
  const value = row.unit === "" ? row.value : `${row.value} ${row.unit}`;
  return [time, ...(withDevice && row.device !== "" ? [row.device] : []), row.variable, value].join("  ");
}
