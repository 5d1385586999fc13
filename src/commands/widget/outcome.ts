import type { Column } from "../kit/output.ts";

/** What became, or would become, of one widget. */
export interface Outcome {
  readonly file: string;
  /** Place in the file, from 1. */
  readonly place: number;
  readonly id: string;
  readonly label: string;
  readonly verdict: "legacy" | "mixed" | "converted" | "current" | "unsupported" | "invalid";
  /** Type before, with its sub-type: `gauge/angular`. */
  readonly from: string;
  /** Type after. */
  readonly to: string;
  /** Why it was judged so, and what the conversion could not keep. */
  readonly notes: readonly string[];
  /** Keys that are not in the new widget. */
  readonly dropped: readonly { readonly path: string; readonly reason: string }[];
}

export const outcomeColumns: readonly Column<Outcome>[] = [
  { key: "file" },
  { key: "place", kind: "number", hidden: true },
  { key: "label" },
  { key: "verdict" },
  { key: "from" },
  { key: "to" },
  { key: "notes", value: notesText },
  { key: "id", kind: "id", hidden: true },
];

/** The notes in one line, with the number of keys that were dropped. */
export function notesText({ notes, dropped }: Outcome): string {
  const lost = dropped.length === 0 ? [] : [`${dropped.length} ${dropped.length === 1 ? "key" : "keys"} dropped`];
  return [...notes, ...lost].join("; ");
}

export interface Judged {
  readonly outcome: Outcome;
  /** The verdict before anything was converted. */
  readonly before: Outcome["verdict"];
  /** The widget as it stands afterwards; the same object when nothing was converted. */
  readonly widget: unknown;
}

export type Judge = (widget: unknown, file: string, place: number) => Judged;

/** Looks at widgets one by one and converts the legacy ones. Current and unknown widgets are left alone. */
export async function createJudge(): Promise<Judge> {
  const { convertWithReport } = await import("../../lib/widgets/report.ts");
  return (widget, file, place) => {
    const about = describe(widget, file, place);
    const report = convertWithReport(widget);
    const { verdict, reason } = report.inspection;
    if (!report.converted) {
      const notes = verdict === "current" ? [] : [reason];
      return { widget, before: verdict, outcome: { ...about, verdict, to: about.from, notes, dropped: [] } };
    }
    const dropped = report.entries
      .filter(({ status }) => status === "dropped" || status === "unknown")
      .map(({ path, reason: why }) => ({ path, reason: why ?? "no widget of this type is known to have it" }));
    const to = textOf(report.widget, "type");
    const outcome: Outcome = { ...about, verdict: "converted", to, notes: report.warnings, dropped };
    return { widget: report.widget, before: verdict, outcome };
  };
}

const subTypeKeys = ["gauge_type", "chart_type", "pie_type", "table_type", "layer_type", "type_media", "input_type"];

function describe(
  widget: unknown,
  file: string,
  place: number,
): Pick<Outcome, "file" | "place" | "id" | "label" | "from"> {
  const display = member(widget, "display");
  const subType = subTypeKeys.map((key) => textOf(display, key)).find((text) => text !== "");
  const type = textOf(widget, "type");
  return {
    file,
    place,
    id: textOf(widget, "id"),
    label: textOf(widget, "label") || `widget ${place}`,
    from: subType === undefined ? type : `${type}/${subType}`,
  };
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}

function textOf(value: unknown, key: string): string {
  const text = member(value, key);
  return typeof text === "string" ? text : "";
}
