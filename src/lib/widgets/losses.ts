import { displayOf, shownVariables } from "./engine.ts";
import { type ReportEntry, TOO_DEEP } from "./explain.ts";
import { harmless, isHarmless } from "./harmless.ts";
import { keyPath, keysOf } from "./paths.ts";
import { decimalsIn, get, isSource, list, record, type Source } from "./readers.ts";

/** A key of the old widget that is not in the new one. */
export interface GoneKey {
  readonly path: string;
  /** False for a key that is not needed: the new widget looks and works the same without it. */
  readonly isLost: boolean;
  /** What is different to see, or why it is lost or not needed. */
  readonly why: string;
}

type Fate = Pick<GoneKey, "isLost" | "why">;

const setByPlatform: ReadonlySet<string> = new Set(["created_at", "updated_at"]);
const notNeeded = (why: string): Fate => ({ isLost: false, why });
const lost = (why: string): Fate => ({ isLost: true, why });

/** What the loss of a key at `path`, which had `value`, changes. */
type Effect = (before: Source, after: unknown, path: string, value: unknown) => Fate;

const decimals: Effect = (before) => {
  const d = displayOf(before);
  const digits = decimalsIn(get(d, "numberformat"));
  const formats = record(get(d, "vars_format"));
  if (digits < 0) return notNeeded("it sets no decimals");
  if (shownVariables(before).every(({ key }) => get(formats, key)))
    return notNeeded("each variable has its own format");
  return lost(`numbers show as many decimals as they have instead of ${digits}`);
};

const unit: Effect = (_, after, _path, value) => {
  const formula = record(get(displayOf(record(after)), "formula"));
  if (get(formula, "fixed_unit")) return notNeeded("the formula of the variable has the unit");
  return lost(`values show their own unit instead of ${JSON.stringify(value)}`);
};

const alignment: Effect = (before, _, path, value) => {
  const isShown = shownVariables(before).some(({ key }) => keyPath("display.column_alignments", key) === path);
  if (!isShown) return notNeeded(harmless.hiddenVariable);
  return lost(`the value has the alignment of the new widget instead of ${JSON.stringify(value)}`);
};

/** The new filter of a map lists variables by name, whichever device has them. */
const filterDevice: Effect = (before, _, path) => {
  const d = displayOf(before);
  const by = get(d, "filter_by");
  if (!get(d, "show_filter")) return notNeeded("the filter is not shown");
  if (by === "devices" || by === "values") return notNeeded(`the filter lists ${by}`);
  const index = Number(/\[(\d+)\]/.exec(path)?.[1]);
  const name = get(record(list(get(d, "filter_variable"))[index]), "variable");
  const having = shownVariables(before).filter(({ variable }) => variable === name);
  if (new Set(having.map(({ originText }) => originText)).size <= 1)
    return notNeeded("no other device of the widget has the variable");
  return lost(`the filter lists ${JSON.stringify(name)} of every device instead of one`);
};

/** The keys of which more is known than that they are gone. */
const effects: readonly (readonly [RegExp, Effect])[] = [
  [/^display\.numberformat$/, decimals],
  [/^display\.unit$/, unit],
  [/^display\.column_alignments[.[]/, alignment],
  [/^display\.filter_variable\[\d+\]\.(?:origin|bucket)\b/, filterDevice],
  [/^display\.ignore_00$/, () => lost("records at latitude 0 and longitude 0 are shown too")],
];

/** The keys that are not in the new widget, in source order. A key that holds others is left out: those are listed. */
export function goneKeys(before: unknown, after: unknown, entries: readonly ReportEntry[]): readonly GoneKey[] {
  const gone = entries.filter(({ status }) => status === "dropped" || status === "unknown");
  if (gone.length === 0) return [];
  const values = valuesByPath(before);
  return gone.flatMap((entry) => {
    const { path, reason } = entry;
    const value = values.get(path);
    const why = harmlessWhy(entry, value);
    if (why !== undefined) return [{ path, ...notNeeded(why) }];
    if (isSource(value) && reason !== TOO_DEEP) return [];
    const effect = effects.find(([at]) => at.test(path))?.[1];
    const fate = isSource(before) ? effect?.(before, after, path, value) : undefined;
    return [{ path, ...(fate ?? lost(reason ?? "not a known key of this widget type")) }];
  });
}

function harmlessWhy({ path, reason }: ReportEntry, value: unknown): string | undefined {
  if (setByPlatform.has(path)) return "the platform sets it";
  if (isEmpty(value)) return "it is empty or off";
  return reason !== undefined && isHarmless(reason) ? reason : undefined;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false;
}

/** The keys that were unusable, so that a default takes their place, in the words of a loss. */
export function replacedKeys(before: unknown, entries: readonly ReportEntry[]): readonly GoneKey[] {
  const values = valuesByPath(before);
  return entries.flatMap(({ path, status, reason = "unusable" }) => {
    const value = values.get(path);
    return status !== "defaulted" || isSource(value) || isEmpty(value) ? [] : [{ path, ...lost(reason) }];
  });
}

const IS_LOST = " is lost: ";

/** A loss in a sentence. */
export const lossText = ({ path, why }: GoneKey): string => `${path}${IS_LOST}${why}`;

/** The key and the reason of a sentence of `lossText`; undefined for any other sentence. */
export function lossIn(sentence: string): { readonly key: string; readonly why: string } | undefined {
  const at = sentence.indexOf(IS_LOST);
  if (at < 0) return undefined;
  const key = /^(?:display\.)?([^.[]+)/.exec(sentence.slice(0, at))?.[1];
  return key === undefined ? undefined : { key, why: sentence.slice(at + IS_LOST.length) };
}

function valuesByPath(widget: unknown): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  const open: (readonly [string, unknown])[] = [["", widget]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [parent, value] = next;
    if (!isSource(value)) continue;
    for (const [key, path] of keysOf(value, parent)) {
      const item = get(value, key);
      values.set(path, item);
      open.push([path, item]);
    }
  }
  return values;
}
