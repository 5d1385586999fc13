import type { CommandContext } from "../kit/context.ts";
import { messageOf } from "../kit/batch.ts";
import type { Column } from "../kit/output.ts";

/** What became, or would become, of one widget. */
export type Verdict = "legacy" | "converted" | "current" | "unsupported" | "failed";

export interface Outcome {
  readonly file: string;
  readonly id: string;
  readonly label: string;
  readonly verdict: Verdict;
  /** Type before, with its sub-type: `gauge/angular`. */
  readonly from: string;
  /** Type after. */
  readonly to: string;
  readonly notes: readonly string[];
}

export const outcomeColumns: readonly Column<Outcome>[] = [
  { key: "file" },
  { key: "label" },
  { key: "verdict" },
  { key: "from" },
  { key: "to" },
  { key: "notes", value: ({ notes }) => notes.join("; ") },
  { key: "id", kind: "id", hidden: true },
];

export interface Judged {
  readonly outcome: Outcome;
  /** The widget as it stands afterwards; the same object when nothing was converted. */
  readonly widget: unknown;
}

type Judge = (widget: unknown, file: string, place: number) => Judged;

/** Looks at widgets one by one and converts the legacy ones. Current and unknown widgets are left alone. */
export async function createJudge(ctx: CommandContext): Promise<Judge> {
  const { Migration } = await ctx.library();
  return (widget, file, place) => {
    const about = describe(widget, file, place);
    if (!Migration.hasMigrate(widget)) {
      const isNew = newTypes.has(about.from);
      return { widget, outcome: { ...about, to: about.from, verdict: isNew ? "current" : "unsupported", notes: isNew ? [] : ["No converter for this type"] } };
    }
    if (!Migration.isOldStructure(widget)) return { widget, outcome: { ...about, to: about.from, verdict: "current", notes: [] } };
    try {
      const after = Migration.convertWidget(widget);
      return { widget: after, outcome: { ...about, to: textOf(after, "type"), verdict: "converted", notes: [] } };
    } catch (error) {
      return { widget, outcome: { ...about, to: "", verdict: "failed", notes: [messageOf(error)] } };
    }
  };
}

/** Types that exist in the new structure only. */
const newTypes = new Set(
  ["angular", "solid", "clock", "vu-meter", "line_chart", "area_chart", "horizontal_bar_chart", "vertical_bar_chart"].concat(
    ["multiple_axis_chart", "semidonut", "video", "image_marker", "heat_map", "compose", "dynamic_table", "static_table"],
    ["control", "form"],
  ),
);

const subTypeKeys = ["gauge_type", "chart_type", "pie_type", "table_type", "layer_type", "type_media", "input_type"] as const;

function describe(widget: unknown, file: string, place: number): Omit<Outcome, "verdict" | "to" | "notes"> {
  const display = member(widget, "display");
  const subType = subTypeKeys.map((key) => textOf(display, key)).find((text) => text !== "");
  const type = textOf(widget, "type");
  return {
    file,
    id: textOf(widget, "id"),
    label: textOf(widget, "label") || `#${place}`,
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
