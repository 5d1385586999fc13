import { countText } from "../../../text/count.ts";
import type { CommandContext } from "../context.ts";

/** How far a long piece of work is. */
export interface Progress {
  /** Shows what is done so far, of `total` if known. Cheap: call it as often as you like. */
  at(done: number, total?: number): void;
  /** Takes the line away; to be called in every case. */
  end(): void;
}

const BEFORE_MS = 500;
const REDRAW_MS = 100;
const LINE_EVERY_MS = 30_000;

/**
 * Progress on stderr: on a terminal one line that is redrawn, elsewhere plain lines, the first after 500 ms and then at
 * most every 30 s. Nothing with `--quiet` or `--no-progress`.
 *
 * @param what the activity and the unit: `["Converting", "widgets"]`; `"bytes"` are shown as kB, MB ...
 */
export function createProgress(
  ctx: Pick<CommandContext, "flags" | "say" | "clock" | "status">,
  [verb, unit]: readonly [string, string],
): Progress {
  const { flags, say, clock, status } = ctx;
  const isOff = flags.quiet || !flags.progress;
  const startMs = clock.elapsed();
  let nextMs = startMs + BEFORE_MS;

  function textAt(nowMs: number, done: number, total: number | undefined): string {
    const seconds = (nowMs - startMs) / 1000;
    const rate = done / seconds;
    const amount = unit === "bytes" ? bytesText : countText;
    const counted = unit === "bytes" ? "" : ` ${(total ?? done) === 1 ? unit.replace(/s$/, "") : unit}`;
    const parts = [`${verb} ${amount(done)}${total === undefined ? "" : ` of ${amount(total)}`}${counted}`];
    parts.push(`${amount(Math.round(rate))}/s`);
    if (total !== undefined && done > 0 && done < total) parts.push(`${timeText((total - done) / rate)} left`);
    return parts.join(", ");
  }

  return {
    at(done, total) {
      if (isOff) return;
      const nowMs = clock.elapsed();
      if (nowMs < nextMs) return;
      const text = textAt(nowMs, done, total);
      nextMs = nowMs + (status.isShown ? REDRAW_MS : LINE_EVERY_MS);
      if (status.isShown) status.show("progress", () => text);
      else say.info(`${text}.`);
    },
    end() {
      status.show("progress", undefined);
      nextMs = Number.POSITIVE_INFINITY;
    },
  };
}

const byteUnits = ["B", "kB", "MB", "GB", "TB"] as const;

/** Bytes as people read them: `7.3 MB`, in steps of 1000. */
export function bytesText(bytes: number): string {
  const step = Math.min(byteUnits.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** step;
  return `${amount.toFixed(step > 0 && amount < 100 ? 1 : 0)} ${byteUnits[step] ?? "B"}`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
