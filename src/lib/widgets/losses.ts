import { displayOf, shownVariables } from "./engine.ts";
import { type ReportEntry, TOO_DEEP } from "./explain.ts";
import { harmless, isHarmless } from "./harmless.ts";
import { keyPath, keysOf } from "./paths.ts";
import { decimalsIn, EMPTY, get, isSource, list, record, type Source } from "./readers.ts";

/** A key of the old widget that has no effect in the new one. */
export interface GoneKey {
  readonly path: string;
  /** False for a key that is not needed: it had no effect in the old widget either. */
  readonly isLost: boolean;
  /** What is different to see, or why it is lost or not needed. */
  readonly why: string;
}

type Fate = Pick<GoneKey, "isLost" | "why">;

const setByPlatform: ReadonlySet<string> = new Set(["created_at", "updated_at"]);
const notNeeded = (why: string): Fate => ({ isLost: false, why });
const lost = (why: string): Fate => ({ isLost: true, why });

/** What is different to see without the key at `path`, which had `value`; undefined if that is not known. */
type Effect = (before: Source, after: unknown, path: string, value: unknown) => Fate | undefined;

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
  return lost(`values show their own unit instead of ${shown(value)}`);
};

/** A value as a sentence about it quotes it. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

const MAX_SHOWN = 60;

/** The entry of a table that a path leads into, and the name of the key in it. */
function entryAt(table: unknown, tablePath: string, path: string): readonly [entry: Source, key: string] {
  for (const [key, below] of keysOf(record(table), tablePath)) {
    const rest = path.slice(below.length);
    if (path.startsWith(below) && /^[.[]/.test(rest))
      return [record(get(record(table), key)), /^\.([^.[]+)/.exec(rest)?.[1] ?? ""];
  }
  return [EMPTY, ""];
}

const formula: Effect = (before, _, path) => {
  const [entry, key] = entryAt(get(displayOf(before), "vars_formula"), "display.vars_formula", path);
  const isStored = get(entry, "formula_type") === "dynamic";
  if (!get(entry, "enable")) return notNeeded("the formula is off");
  if (path.endsWith(".origin.name")) return notNeeded("the id of the device is enough");
  if (!isStored && key === "formula_variable") return notNeeded("the formula is a fixed one");
  const what = isStored ? "the formula in the variable" : `the formula ${shown(get(entry, "formula"))}`;
  const unitText = get(entry, "unit") ? ` and the unit ${shown(get(entry, "unit"))}` : "";
  return lost(`values are shown without ${what}${unitText}`);
};

const format: Effect = (_before, _after, path, value) =>
  path.endsWith(".decimals")
    ? lost(`numbers show as many decimals as they have instead of ${shown(value)}`)
    : lost(`numbers are not formatted by ${shown(value)}`);

const dataEntry: Effect = (_, after, path) => {
  const read = list(get(record(after), "data")).length;
  const index = Number(/\d+/.exec(path)?.[0]);
  if (index < read) return undefined;
  return lost(read === 0 ? "the widget shows no data" : `data entry ${index + 1} is not shown`);
};

const withChoices: ReadonlySet<unknown> = new Set(["dropdown", "dropdown-multi", "radio", "image-select"]);
const withVariable: ReadonlySet<unknown> = new Set(["dropdown", "dropdown-multi", "image-select", "filtered"]);
const withLimits: ReadonlySet<unknown> = new Set(["clock-set", "incremental-step", "number"]);

/** A form stores all settings with each of its fields, also those that its kind of field does not have. */
const formField: Effect = (before, _, path) => {
  const fields = get(record(get(displayOf(before), "form")), "fields");
  const [field, key] = entryAt(fields, "display.form.fields", path);
  const type = get(field, "fieldtype");
  const other = notNeeded(`not a setting of ${shown(type)} fields`);
  if (type === "hidden" && /^(?:label|placeholder|required|visibility_conditions|new_line)$/.test(key))
    return notNeeded("the field is hidden");
  if (key === "options" && !withChoices.has(type)) return other;
  if (key === "use_variable" && !withVariable.has(type)) return other;
  if (key === "hide_end_date" && type !== "calendar") return other;
  if (/^(?:increment|maximum|minimum)$/.test(key) && !withLimits.has(type)) return other;
  return lost(inField[key] ?? `the field has no setting ${key}`);
};

/** What is different to see in a field without a key. */
const inField: Readonly<Record<string, string>> = {
  maximum: "the field accepts larger numbers",
  minimum: "the field accepts smaller numbers",
  increment: "the field has steps of 1",
  label: "the field has no label",
  required: "the field can be left empty",
  visibility_conditions: "the field does not depend on other fields",
};

const alignment: Effect = (before, _, path, value) => {
  const isShown = shownVariables(before).some(({ key }) => keyPath("display.column_alignments", key) === path);
  if (!isShown) return notNeeded(harmless.hiddenVariable);
  return lost(`the value has the alignment of the new widget instead of ${shown(value)}`);
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
  [/^display\.vars_formula[.[]/, formula],
  [/^display\.vars_format[.[]/, format],
  [/^display\.form\.fields[.[]/, formField],
  [/^data\[/, dataEntry],
  [/^display\.column_alignments[.[]/, alignment],
  [/^display\.filter_variable\[\d+\]\.(?:origin|bucket)\b/, filterDevice],
  [/^display\.ignore_00$/, () => lost("records at latitude 0 and longitude 0 are shown too")],
];

/**
 * The keys without an effect in the new widget, in source order: those that are not in it, and those that were unusable, so
 * that a default takes their place. A key that holds others is left out: those are listed.
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
    const fate = isSource(before) ? effect?.(before, after, path, value) : undefined;
    return [{ path, ...(fate ?? lost(reason ?? "not a known key of this widget type")) }];
  });
}

function harmlessWhy({ path, reason }: ReportEntry, value: unknown): string | undefined {
  if (setByPlatform.has(path)) return "the platform sets it";
  if (path === "realtime") return "new widgets are live without it";
  if (isEmpty(value)) return "it is empty or off";
  return reason !== undefined && isHarmless(reason) ? reason : undefined;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false;
}

const ROOT = /^(?:display(?:\.[^.[]+|\["(?:[^"\\]|\\.)*"\])|[^.[]+|\["(?:[^"\\]|\\.)*"\])/;

/** The setting that a key is part of, by which reports are grouped: `display.vars_formula`, `data`. */
export const rootOf = (path: string): string => ROOT.exec(path)?.[0] ?? path;

/** The name of a setting: `vars_formula`. */
export const settingName = (root: string): string => root.replace(/^display\./, "");

/** The keys by the setting they are part of. */
export function byRoot<T extends { readonly path: string }>(keys: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const key of keys) {
    const root = rootOf(key.path);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [key]);
    else group.push(key);
  }
  return groups;
}

const MAX_WHYS = 3;

/** The reasons of keys, each once, in one line. */
export function whysText(gone: readonly GoneKey[]): string {
  const whys = [...new Set(gone.map(({ why }) => why))];
  const more = whys.length - MAX_WHYS;
  return whys.slice(0, MAX_WHYS).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

const ONE_LOST = " is lost: ";
const MANY_LOST = /: \d+ keys are lost: /;

/** The losses, one sentence for each setting. */
export function lossTexts(gone: readonly GoneKey[]): readonly string[] {
  const groups = byRoot(gone.filter(({ isLost }) => isLost));
  return [...groups].map(([root, keys]) => {
    const [first, ...others] = keys;
    if (first === undefined || others.length > 0) return `${root}: ${keys.length} keys are lost: ${whysText(keys)}`;
    return `${first.path}${ONE_LOST}${first.why}`;
  });
}

/** The setting and the reason of a sentence of `lossTexts`; undefined for any other sentence. */
export function lossIn(sentence: string): { readonly key: string; readonly why: string } | undefined {
  const mark = MANY_LOST.exec(sentence)?.[0] ?? ONE_LOST;
  const at = sentence.indexOf(mark);
  if (at < 0) return undefined;
  return { key: settingName(rootOf(sentence.slice(0, at))), why: sentence.slice(at + mark.length) };
}

/** Every value in a widget. */
export function valuesByPath(widget: unknown): ReadonlyMap<string, unknown> {
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
