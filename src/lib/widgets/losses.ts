import { displayOf, shownVariables } from "./engine.ts";
import { NO_EFFECT, type ReportEntry, TOO_DEEP } from "./explain.ts";
import { keysOf } from "./paths.ts";
import { decimalsIn, get, isSource, record, type Source } from "./readers.ts";

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

/** What the loss of a key changes, where more is known than that it has no place. */
const effects: Readonly<Record<string, (before: Source, after: unknown) => Fate>> = {
  "display.numberformat": (before) => {
    const d = displayOf(before);
    const digits = decimalsIn(get(d, "numberformat"));
    const formats = record(get(d, "vars_format"));
    if (digits < 0) return notNeeded("it sets no decimals");
    if (shownVariables(before).every(({ key }) => get(formats, key)))
      return notNeeded("each variable has its own format");
    return lost(`numbers show as many decimals as they have instead of ${digits}`);
  },
  "display.unit": (before, after) => {
    const unit = JSON.stringify(get(displayOf(before), "unit"));
    const formula = record(get(displayOf(record(after)), "formula"));
    if (get(formula, "fixed_unit")) return notNeeded("the formula of the variable has the unit");
    return lost(`values show their own unit instead of ${unit}`);
  },
};

/** The keys that are not in the new widget, in source order. A key that holds others is left out: those are listed. */
export function goneKeys(before: unknown, after: unknown, entries: readonly ReportEntry[]): readonly GoneKey[] {
  const gone = entries.filter(({ status }) => status === "dropped" || status === "unknown");
  if (gone.length === 0) return [];
  const values = valuesByPath(before);
  return gone.flatMap((entry) => {
    const { path, reason } = entry;
    const value = values.get(path);
    const harmless = harmlessWhy(entry, value);
    if (harmless !== undefined) return [{ path, ...notNeeded(harmless) }];
    if (isSource(value) && reason !== TOO_DEEP) return [];
    const effect = isSource(before) ? effects[path]?.(before, after) : undefined;
    return [{ path, ...(effect ?? lost(reason ?? "not a known key of this widget type")) }];
  });
}

function harmlessWhy({ path, reason }: ReportEntry, value: unknown): string | undefined {
  if (setByPlatform.has(path)) return "the platform sets it";
  if (isEmpty(value)) return "it is empty or off";
  return reason === NO_EFFECT ? NO_EFFECT : undefined;
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
