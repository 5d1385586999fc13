import { displayOf, shownVariables } from "./engine.ts";
import { type ReportEntry, TOO_DEEP } from "./explain.ts";
import { harmless, isHarmless } from "./harmless.ts";
import { keyPath, keysOf } from "./paths.ts";
import { decimalsIn, get, isSource, list, record, type Source, text } from "./readers.ts";

/** A key of the old widget that has no effect in the new one. */
export interface GoneKey {
  readonly path: string;
  /** False for a key that is not needed: it had no effect in the old widget either. */
  readonly isLost: boolean;
  /** What is different to see, or why it is lost or not needed. */
  readonly why: string;
}

type Fate = Pick<GoneKey, "isLost" | "why">;

/** The platform sets the times; all new widgets are live. */
const setAgain: ReadonlySet<string> = new Set(["created_at", "updated_at", "realtime"]);
const notNeeded = (why: string): Fate => ({ isLost: false, why });
const lost = (why: string): Fate => ({ isLost: true, why });

type Values = ReadonlyMap<string, unknown>;

/** What is different to see without the key at `path` of the values of the old widget; undefined if that is not known. */
type Effect = (before: Source, after: unknown, path: string, values: Values) => Fate | undefined;

const OWN_DECIMALS = "numbers show as many decimals as they have instead of ";

const decimals: Effect = (before) => {
  const d = displayOf(before);
  const digits = decimalsIn(get(d, "numberformat"));
  const formats = record(get(d, "vars_format"));
  if (digits < 0) return notNeeded("it sets no decimals");
  if (shownVariables(before).every(({ key }) => get(formats, key)))
    return notNeeded("each variable has its own format");
  return lost(OWN_DECIMALS + digits);
};

const unit: Effect = (_, after, path, values) => {
  const formula = record(get(displayOf(record(after)), "formula"));
  if (get(formula, "fixed_unit")) return notNeeded("the formula of the variable has the unit");
  return lost(`values show their own unit instead of ${shown(values.get(path))}`);
};

/** A value as a sentence about it quotes it. */
const shown = (value: unknown): string => `"${text(value).slice(0, MAX_SHOWN)}"`;

const MAX_SHOWN = 60;

const formula: Effect = (_before, _after, path, values) => {
  const entry = /^display\.vars_formula(?:\.[^.[]+|\[.*?\])/.exec(path)?.[0];
  const isStored = values.get(`${entry}.formula_type`) === "dynamic";
  if (values.get(`${entry}.enable`) && (isStored || !path.includes(".formula_variable")))
    return lost("values are shown without their formula");
  return notNeeded("no formula uses it");
};

const dataEntry: Effect = (_, after, path) => {
  const index = Number(/\d+/.exec(path)?.[0]);
  return index < list(get(record(after), "data")).length ? undefined : lost(`data entry ${index + 1} is not shown`);
};

/** A form stores these settings with each of its fields; the kinds that have them read them. */
const FIELD_SETTING =
  /^display\.form\.fields.+\.(?:options\[\d+\]\.(?:label|value)|use_variable\.(?:variable|origin|origin\.id)|hide_end_date)$/;

const alignment: Effect = (before, _, path, values) => {
  const isShown = shownVariables(before).some(({ key }) => keyPath("display.column_alignments", key) === path);
  if (!isShown) return notNeeded(harmless.hiddenVariable);
  return lost(`the value has the alignment of the new widget instead of ${shown(values.get(path))}`);
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
  return lost(`the filter lists ${shown(name)} of every device instead of one`);
};

/** The keys of which more is known than that they are gone. */
const effects: readonly (readonly [RegExp, Effect])[] = [
  [/^display\.numberformat$/, decimals],
  [/^display\.unit$/, unit],
  [/\.origin\.name$/, () => notNeeded("the device id is enough")],
  [/^display\.vars_formula[.[]/, formula],
  [/^display\.vars_format.+\.decimals$/, (_, __, path, values) => lost(OWN_DECIMALS + text(values.get(path)))],
  [FIELD_SETTING, () => notNeeded("fields of its kind have none")],
  [/^data\[/, dataEntry],
  [/^display\.column_alignments[.[]/, alignment],
  [/^display\.filter_variable\[\d+\]\.(?:origin|bucket)\b/, filterDevice],
  [/^display\.ignore_00$/, () => lost("records at latitude 0 and longitude 0 are shown too")],
];

/**
 * The keys without an effect in the new widget, in source order: those that are not in it, and those that were unusable, so
 * that a default replaces them. A key that holds others is left out: those are listed.
 */
export function goneKeys(before: unknown, after: unknown, entries: readonly ReportEntry[]): readonly GoneKey[] {
  const gone = entries.filter(({ status }) => status !== "mapped");
  if (gone.length === 0) return [];
  const values = valuesByPath(before);
  return gone.flatMap((entry) => {
    const { path, status, reason } = entry;
    const value = values.get(path);
    if (isSource(value) && reason !== TOO_DEEP && !isEmpty(value)) return [];
    const why = harmlessWhy(entry, value);
    if (why !== undefined) return status === "defaulted" && isEmpty(value) ? [] : [{ path, ...notNeeded(why) }];
    if (status === "defaulted") return [{ path, ...lost(`the default is used instead of ${shown(value)}`) }];
    const effect = effects.find(([at]) => at.test(path))?.[1];
    const fate = isSource(before) ? effect?.(before, after, path, values) : undefined;
    return [{ path, ...(fate ?? lost(reason ?? "not a known key of this widget type")) }];
  });
}

function harmlessWhy({ path, reason }: ReportEntry, value: unknown): string | undefined {
  if (setAgain.has(path)) return "it is set again";
  if (isEmpty(value)) return "it is empty or off";
  return reason !== undefined && isHarmless(reason) ? reason : undefined;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false;
}

const ROOT = /^(?:display(?=.))?\.?[^.[]+/;

/** The setting that a key is part of, by which reports are grouped: `display.vars_formula`, `data`. */
export const rootOf = (path: string): string => ROOT.exec(path)?.[0] ?? path;

/** The name of a setting: `vars_formula`. */
export const settingName = (root: string): string => root.replace(/^display\./, "");

/** The keys by the setting they are part of. */
export function byRoot<T extends { readonly path: string }>(keys: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const key of keys) {
    const root = rootOf(key.path);
    const group = groups.get(root) ?? [];
    group.push(key);
    groups.set(root, group);
  }
  return groups;
}

const MAX_WHYS = 3;

/** The first reasons of keys, each once, in one line. */
export const whysText = (gone: readonly GoneKey[]): string =>
  [...new Set(gone.map(({ why }) => why))].slice(0, MAX_WHYS).join("; ");

const ONE_LOST = " is lost: ";
const MANY_LOST = /: \d+ keys are lost: /;

/** The losses, one sentence for each setting. */
export function lossTexts(gone: readonly GoneKey[]): readonly string[] {
  return [...byRoot(gone.filter(({ isLost }) => isLost))].map(([root, keys]) =>
    keys.length === 1
      ? `${keys[0]?.path}${ONE_LOST}${whysText(keys)}`
      : `${root}: ${keys.length} keys are lost: ${whysText(keys)}`,
  );
}

/** The setting and the reason of a sentence of `lossTexts`; undefined for any other sentence. */
export function lossIn(sentence: string): { readonly key: string; readonly why: string } | undefined {
  const mark = MANY_LOST.exec(sentence)?.[0] ?? ONE_LOST;
  const at = sentence.indexOf(mark);
  if (at < 0) return undefined;
  return { key: settingName(rootOf(sentence.slice(0, at))), why: sentence.slice(at + mark.length) };
}

/** Every value in a widget. */
export function valuesByPath(widget: unknown): Values {
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
