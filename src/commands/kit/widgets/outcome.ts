import type { ReportEntry } from "../../../lib/widgets/index.ts";
import type { SettingResult } from "../../../lib/widgets/settings.ts";
import { countOf, countText } from "../../../text/count.ts";
import type { Column } from "../command/columns.ts";
import { textDigest } from "../state/digest.ts";

export interface DroppedKey {
  readonly path: string;
  /** The setting it is part of: `vars_formula`. */
  readonly setting: string;
  readonly reason: string;
  /** It is not needed: nothing is lost without it. */
  readonly isHarmless: boolean;
}

/** What became, or would become, of one widget. */
export interface WidgetOutcome {
  readonly file: string;
  /** Position in the file, from 1; 0 for the file as a whole. */
  readonly place: number;
  readonly id: string;
  readonly label: string;
  /** `failed`: the file could not be read or written. */
  readonly verdict: "legacy" | "mixed" | "converted" | "current" | "unsupported" | "invalid" | "failed";
  /** Type before, with its sub-type: `gauge/angular`. */
  readonly from: string;
  /** Type after. */
  readonly to: string;
  /** Why it was judged so, and what the conversion could not keep. */
  readonly notes: readonly string[];
  /** Keys without an effect in the new widget: lost ones, and those that are not needed. */
  readonly dropped: readonly DroppedKey[];
}

export const outcomeColumns: readonly Column<WidgetOutcome>[] = [
  { key: "file" },
  { key: "place", kind: "number", hidden: true },
  { key: "label", rank: 1 },
  { key: "verdict", rank: 1 },
  { key: "from" },
  { key: "to" },
  { key: "notes", schema: { type: "array", items: { type: "string" } }, value: notesText },
  { key: "id", kind: "id", hidden: true },
];

/** The notes in one line, with the settings that are lost. */
export function notesText({ notes, dropped }: WidgetOutcome): string {
  const lost = lostSettings(dropped).map(([name, keys]) =>
    keys.length === 1 ? name : `${name} (${countOf(keys.length, "key")})`,
  );
  const others = dropped.filter(({ isHarmless }) => isHarmless).length;
  return [
    ...notes,
    ...(lost.length === 0 ? [] : [`lost ${lost.join(", ")}`]),
    ...(others === 0 ? [] : [`${countText(others)} not needed`]),
  ].join("; ");
}

/** The settings with keys that are lost, and those keys. */
export function lostSettings(dropped: readonly DroppedKey[]): readonly (readonly [string, readonly DroppedKey[]])[] {
  const lost = new Map<string, DroppedKey[]>();
  for (const key of dropped) {
    if (key.isHarmless) continue;
    const keys = lost.get(key.setting) ?? [];
    keys.push(key);
    lost.set(key.setting, keys);
  }
  return [...lost];
}

/** A setting with the number of keys in it: `display.vars_formula (8 keys)`. */
export const settingText = ({ path, keys }: SettingResult): string =>
  keys.length === 1 ? (keys[0]?.path ?? path) : `${path} (${countOf(keys.length, "key")})`;

export interface Judged {
  readonly outcome: WidgetOutcome;
  /** The verdict before anything was converted. */
  readonly before: WidgetOutcome["verdict"];
  /** The widget as it was. */
  readonly source: unknown;
  /** The widget afterwards; the same object when nothing was converted. */
  readonly widget: unknown;
  /** What became of every key. */
  readonly entries: readonly ReportEntry[];
  /** The same by setting: what is lost first, then what is changed. */
  readonly settings: () => readonly SettingResult[];
  /** The line of a value in the widget, such as `data[0].origin`; absent for a file as a whole. */
  readonly lineOf?: (path: string) => number;
}

export type Judge = (widget: unknown, file: string, place: number) => Judged;

/**
 * Looks at widgets one by one and converts the legacy ones. Current and unknown widgets are left alone, and so is one
 * whose new form would not be what its schema says.
 *
 * @param isStrict what loses keys, or has no converter, is not converted either
 */
export async function createJudge(isStrict = false): Promise<Judge> {
  const { convertWithReport } = await import("../../../lib/widgets/report.ts");
  const { goneKeys, rootOf, settingName } = await import("../../../lib/widgets/losses.ts");
  const { settingsOf } = await import("../../../lib/widgets/settings.ts");
  const { checkWidget } = await import("../../../schema/widgets/check.ts");
  const judge: Judge = (widget, file, place) => {
    const about = describe(widget, file, place);
    const report = convertWithReport(widget, { newId: steadyIds(widget) });
    const { verdict, reason } = report.inspection;
    const { entries } = report;
    const gone = report.converted ? goneKeys(widget, report.widget, entries) : [];
    const settings = (): readonly SettingResult[] => settingsOf(widget, report.widget, entries, gone);
    const left = (
      how: WidgetOutcome["verdict"],
      notes: readonly string[],
      dropped: WidgetOutcome["dropped"] = [],
    ): Judged => ({
      source: widget,
      widget,
      before: verdict,
      entries,
      settings,
      outcome: { ...about, verdict: how, to: about.from, notes, dropped },
    });
    if (!report.converted) {
      const isRefused = isStrict && verdict === "unsupported";
      return left(isRefused ? "invalid" : verdict, verdict === "current" ? [] : [reason]);
    }
    const dropped = gone.map(({ path, why, isLost }) => ({
      path,
      setting: settingName(rootOf(path)),
      reason: why,
      isHarmless: !isLost,
    }));
    const problems = checkWidget(report.widget) ?? [];
    if (problems.length > 0)
      return left("invalid", ["its converted form does not match the schema", ...problems.map(messageIn)]);
    const notes = report.warnings;
    if (isStrict && (notes.length > 0 || dropped.some(({ isHarmless }) => !isHarmless)))
      return left("invalid", ["a key would be lost", ...notes], dropped);
    const outcome: WidgetOutcome = {
      ...about,
      verdict: "converted",
      to: textOf(report.widget, "type"),
      notes,
      dropped,
    };
    return { source: widget, widget: report.widget, before: verdict, entries, settings, outcome };
  };
  return withDepthLimit(judge);
}

/** A widget whose nesting exhausts the stack is an invalid one. */
const withDepthLimit =
  (judge: Judge): Judge =>
  (widget, file, place) => {
    try {
      return judge(widget, file, place);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return failureRow(file, "nested too deeply", {
        place,
        label: `widget ${place}`,
        verdict: "invalid",
        source: widget,
      });
    }
  };

/** The row of something that is no widget, or no file. */
export function failureRow(
  file: string,
  reason: string,
  more: Partial<Pick<WidgetOutcome, "place" | "label" | "verdict">> & { readonly source?: unknown } = {},
): Judged {
  const { source, ...about } = more;
  const empty = { file, place: 0, id: "", label: "", from: "", to: "", dropped: [] };
  const outcome: WidgetOutcome = { ...empty, verdict: "failed", ...about, notes: [reason] };
  return { outcome, before: outcome.verdict, source, widget: source, entries: [], settings: () => [] };
}

const messageIn = ({ message }: { readonly message: string }): string => message.replace(/\.$/, "");

/** Ids that depend on nothing but the widget: a second run produces the same file. */
export function steadyIds(widget: unknown): () => string {
  let text: string | undefined;
  let count = 0;
  return () => {
    text ??= JSON.stringify(widget);
    count += 1;
    return textDigest(`${count}:${text}`);
  };
}

const subTypeKeys = ["gauge_type", "chart_type", "pie_type", "table_type", "layer_type", "type_media", "input_type"];

function describe(
  widget: unknown,
  file: string,
  place: number,
): Pick<WidgetOutcome, "file" | "place" | "id" | "label" | "from"> {
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
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function textOf(value: unknown, key: string): string {
  const text = member(value, key);
  return typeof text === "string" ? text : "";
}
