import { describe, expect, it } from "vitest";
import { isNewKey, isOldName, ruleFor, rules } from "../../../src/lib/widgets/catalog.ts";
import { displays } from "../../../src/lib/widgets/displays.ts";
import { convert, displayOf } from "../../../src/lib/widgets/engine.ts";
import { isSource, type Recorder, recording, type Source } from "../../../src/lib/widgets/readers.ts";
import { fixtures } from "./fixtures.ts";

/** Every key of the display that a conversion reads, by the object it is read from. Keys that are data are left out. */
function keysRead(widget: Source): { readonly top: Set<string>; readonly deeper: Set<string> } {
  const reads = new Map<object, Set<string>>();
  const keyedByData = new Set<unknown>();
  const note = (from: object, key: PropertyKey) => reads.set(from, (reads.get(from) ?? new Set()).add(String(key)));
  const recorder: Recorder = {
    mark: (from, key, value) => {
      note(from, key);
      return value;
    },
    drop: note,
    table: (table) => keyedByData.add(table),
  };
  const rule = ruleFor(widget);
  if (rule !== undefined) recording(recorder, () => convert(rule, widget, () => ""));
  const display = displayOf(widget);
  const deeper = new Set<string>();
  const walk = (value: object, name: string): void => {
    const isKeyedByData = Array.isArray(value) || keyedByData.has(value) || name === "fields" || name === "cell";
    if (value !== display && !isKeyedByData) for (const key of reads.get(value) ?? []) deeper.add(key);
    for (const [key, item] of Object.entries(value)) if (isSource(item)) walk(item, key);
  };
  walk(display, "");
  return { top: reads.get(display) ?? new Set(), deeper };
}

describe("the catalog", () => {
  it("has one rule for every old type and sub-type, and a display for every new type", () => {
    const from = rules.flatMap((rule) => rule.from);
    expect(new Set(from).size).toBe(from.length);
    expect(rules.filter((rule) => /\//.test(String(rule.from)) && rule.chosenBy === undefined)).toEqual([]);
    expect([...new Set(rules.map(({ type }) => type))].sort()).toEqual(Object.keys(displays()).sort());
  });

  it.each(fixtures)("knows every display key that the conversion of $name reads", ({ old }) => {
    const { top, deeper } = keysRead(old);
    expect(top.size).toBeGreaterThan(0);
    expect([...top].filter((key) => !isOldName(key) && !isNewKey(key))).toEqual([]);
    expect([...deeper].filter((name) => !isOldName(name))).toEqual([]);
  });
});
