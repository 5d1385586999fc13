import type { WidgetData } from "../../index.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import { newWidget, type ShownVariable, sampleVariables } from "../../lib/widgets/starter.ts";
import type { Definition } from "./model.ts";

const namesIn = (variables: unknown): string[] => [variables].flat().filter((name) => typeof name === "string");

/** The variables that a widget loads, entry by entry. */
export const sourcesOf = ({ data }: Definition): ShownVariable[] =>
  (data ?? [])
    .filter(isRecord)
    .flatMap((entry) =>
      namesIn(entry["variables"]).map((variable) => ({ origin: String(entry["origin"] ?? ""), variable })),
    );

/** Whether widgets of the type, or this one, show variables of devices. */
export const hasSources = (definition: Definition): boolean =>
  sampleVariables(definition.type).length > 0 || sourcesOf(definition).length > 0;

const isSource = (one: ShownVariable, other: ShownVariable): boolean =>
  one.origin === other.origin && one.variable === other.variable;

/** The variable that a part of a display is about: it names it, or its `data` does. */
function sourceIn(part: unknown): ShownVariable | undefined {
  if (!isRecord(part)) return undefined;
  const { variable, origin, device } = part;
  if (typeof variable === "string") return { variable, origin: String(idOf(origin ?? device) ?? "") };
  return sourceIn(part["data"]);
}

const idOf = (origin: unknown): unknown => (isRecord(origin) ? origin["id"] : origin);

/** A copy of settings in which everything that names a variable names another one. */
function replaced(value: unknown, from: ShownVariable, to: ShownVariable): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, from, to));
  if (!isRecord(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, from, to)]));
  const { variable, origin, device } = value;
  const own = idOf(origin ?? device);
  // One without a device belongs to that of its widget.
  if (variable !== from.variable || (own !== undefined && own !== from.origin)) return copy;
  const place = (known: unknown): unknown => (isRecord(known) ? { ...known, id: to.origin } : to.origin);
  return {
    ...copy,
    variable: to.variable,
    ...(origin !== undefined && { origin: place(origin) }),
    ...(device !== undefined && { device: place(device) }),
  };
}

/** The entries with one variable replaced by others; an entry that reads several is split. */
function withEntry(data: Definition["data"], from: ShownVariable, to: readonly ShownVariable[]): WidgetData[] {
  return (data ?? []).flatMap((entry) => {
    const names = namesIn(entry.variables);
    if (entry.origin !== from.origin || !names.includes(from.variable)) return [entry];
    const rest = names.filter((name) => name !== from.variable);
    const own = to.map(({ origin, variable }) => {
      const { bucket, ...others } = entry;
      return { ...others, origin, ...(bucket !== undefined && { bucket: origin }), variables: [variable] };
    });
    if (rest.length === 0) return own;
    // Before the others where it was the first of them, else behind.
    const others = { ...entry, variables: rest };
    return names[0] === from.variable ? [...own, others] : [others, ...own];
  });
}

/** The widget with a variable replaced by another, which takes over its settings. */
export function withSource(definition: Definition, from: ShownVariable, to: ShownVariable): Definition {
  if (isSource(from, to)) return definition;
  const display = replaced(definition.display, from, to) as Definition["display"];
  return { ...definition, display, data: withEntry(definition.data, from, [to]) };
}

/** The widget without a variable and its settings. */
export function withoutSource(definition: Definition, source: ShownVariable): Definition {
  const isOwn = (part: unknown): boolean => {
    const found = sourceIn(part);
    return found !== undefined && isSource({ ...found, origin: found.origin || source.origin }, source);
  };
  const display = Object.fromEntries(
    Object.entries(definition.display).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.filter((part) => !isOwn(part)).map((part) => withoutFields(part, isOwn)) : value,
    ]),
  );
  return { ...definition, display, data: withEntry(definition.data, source, []) };
}

/** A section of a form without the fields of a variable. */
const withoutFields = (part: unknown, isOwn: (field: unknown) => boolean): unknown =>
  isRecord(part) && Array.isArray(part["fields"])
    ? { ...part, fields: part["fields"].filter((field) => !isOwn(field)) }
    : part;

/** The widget with one more variable, with the settings that a new widget of its type would have for it. */
export function withMore(definition: Definition, source: ShownVariable): Definition {
  const known = sourcesOf(definition);
  const fresh = newWidget(definition.type, [...known, source]);
  const data = [...(definition.data ?? []), ...(newWidget(definition.type, [source]).data ?? [])];
  const display = { ...definition.display };
  for (const [key, value] of Object.entries(fresh.display)) {
    const own = display[key];
    if (!Array.isArray(value) || !Array.isArray(own)) continue;
    display[key] = joined(own, value, source);
  }
  return { ...definition, display, data };
}

/** A list of settings with those that a new one has for a variable, behind the others that are about variables. */
function joined(own: readonly unknown[], fresh: readonly unknown[], source: ShownVariable): unknown[] {
  const isNew = (part: unknown): boolean => {
    const found = sourceIn(part);
    return found !== undefined && isSource(found, source);
  };
  const parts = fresh.filter(isNew);
  if (parts.length === 0) return own.map((part, i) => withFields(part, fresh[i], source));
  const last = own.findLastIndex((part) => sourceIn(part) !== undefined);
  return own.toSpliced(last + 1, 0, ...parts);
}

const withFields = (part: unknown, fresh: unknown, source: ShownVariable): unknown => {
  if (!isRecord(part) || !isRecord(fresh) || !Array.isArray(part["fields"]) || !Array.isArray(fresh["fields"]))
    return part;
  return { ...part, fields: joined(part["fields"], fresh["fields"], source) };
};
