import type { CommandContext } from "../kit/context.ts";
import { type Judged, notesText, settingText, type WidgetOutcome } from "../kit/widgets/outcome.ts";

/** Rows that a person can still read. */
export const MAX_SHOWN = 100;
/** Warnings that are worth reading one by one. */
const MAX_WARNINGS = 20;

/** The new text is the data, so what became of each widget goes to stderr. */
export async function tellOnStderr(
  ctx: CommandContext,
  rows: AsyncIterable<Judged>,
  isExplained: boolean,
): Promise<void> {
  let told = 0;
  let bad = 0;
  for await (const { outcome, settings } of rows) {
    told += 1;
    const isBad = outcome.verdict === "invalid" || outcome.verdict === "failed";
    if (isBad) bad += 1;
    if ((isBad ? bad > MAX_WARNINGS : told > MAX_SHOWN) && !isExplained) continue;
    if (isBad) ctx.say.warning(lineOf(outcome));
    else ctx.say.info(lineOf(outcome));
    if (isExplained) for (const each of settings()) ctx.say.info(`  ${settingText(each)}: ${each.result}`);
  }
  if (bad > MAX_WARNINGS && !isExplained)
    ctx.say.warning(`${bad - MAX_WARNINGS} more cannot be converted; use --report-format to list all.`);
}

function lineOf(outcome: WidgetOutcome): string {
  const { label, from, to, verdict } = outcome;
  const types = from === "" ? "" : ` (${to === from ? from : `${from} -> ${to}`})`;
  const notes = notesText(outcome);
  return `${label}${types} ${verdict}${notes === "" ? "" : `: ${notes}`}`;
}
