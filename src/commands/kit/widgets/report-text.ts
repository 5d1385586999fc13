import type { Judged } from "./outcome.ts";
import type { WidgetCounts } from "./tally.ts";

/** A report is written as its widgets arrive, so that it may be about any number of them. */
export interface ReportText {
  start(): string;
  widget(judged: Judged): string;
  end(tally: WidgetCounts): string;
}
