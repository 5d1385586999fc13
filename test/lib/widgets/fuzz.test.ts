import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertWithReport, inspectWidget, Migration, type ReportEntry } from "../../../src/lib/widgets/index.ts";
import { checkWidget } from "../../../src/schema/widgets/check.ts";
import { amount } from "../../helpers/amount.ts";
import { fixtures } from "./fixtures.ts";
import { randomWidget } from "./random-widgets.ts";

const verdicts = new Set(["current", "legacy", "mixed", "unsupported", "invalid"]);
const RUNS = amount(8_000, 100_000);
const WILD_RUNS = Math.ceil(RUNS / 5);

type Fields = Record<string, unknown>;

/** A small generator of numbers: one seed gives one widget, so that a hundred thousand take seconds. */
function dice(seed: number): (sides: number) => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % sides;
  };
}

const leaves: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -7,
  2.5,
  1e308,
  "",
  "0",
  "12",
  "abc",
  "1 hra",
  "https://a.b/c/",
  "yes",
  "__proto__",
];
const oddities: readonly unknown[] = [
  [],
  {},
  [null],
  [[]],
  { id: "x" },
  { origin: { id: "d1" }, variable: "a" },
  [{ condition: ">", value: 1 }],
  { a: { b: { c: [1] } } },
];

/** A value in the place of another: mostly of its kind, sometimes of any. */
function otherThan(value: unknown, roll: (sides: number) => number): unknown {
  const how = roll(10);
  if (how === 0) return structuredClone(oddities[roll(oddities.length)]);
  if (how <= 2) return leaves[roll(leaves.length)];
  if (typeof value === "string") return ["", "x", "12", "abc def", "https://e.org/"][roll(5)];
  if (typeof value === "number") return [0, 1, -1, 50, 1e9][roll(5)];
  if (typeof value === "boolean") return roll(2) === 0;
  return structuredClone(value);
}

/** The same tree with some keys gone, some values replaced, and some keys of other widgets put in. */
function disturbed(value: unknown, roll: (sides: number) => number, rate: number): unknown {
  if (roll(rate) === 0) return otherThan(value, roll);
  if (Array.isArray(value)) return value.map((item: unknown) => disturbed(item, roll, rate));
  if (typeof value !== "object" || value === null) return value;
  const result: Fields = {};
  for (const [key, item] of Object.entries(value)) {
    if (roll(rate * 2) !== 0) result[key] = disturbed(item, roll, rate);
  }
  return result;
}

/** A widget made of an old one, some keys of its new form, and keys of other old widgets, all disturbed. */
function structuredWidget(seed: number): Fields {
  const roll = dice(seed);
  const base = fixtures[roll(fixtures.length)] ?? fixtures[0];
  const other = fixtures[roll(fixtures.length)];
  const widget = disturbed(base?.old, roll, 8 + roll(60)) as Fields;
  // The whole widget may have been replaced by something that is none.
  const display = typeof widget === "object" && widget !== null ? widget["display"] : undefined;
  if (typeof display !== "object" || display === null || Array.isArray(display)) return widget;
  for (const source of [base?.new, other?.old]) {
    for (const [key, item] of Object.entries((source?.["display"] ?? {}) as Fields)) {
      if (roll(12) === 0) (display as Fields)[key] ??= item;
    }
  }
  return widget;
}

/** Whether a fault of the output stands where the source put a value: then it is the source's fault, not ours. */
function comesFromSource(path: string, entries: readonly ReportEntry[], isConverted: boolean): boolean {
  if (!isConverted) return true;
  const meets = (place: string): boolean => place !== "display" && (path.startsWith(place) || place.startsWith(path));
  return entries.some(({ to }) => to?.some(meets) === true);
}

let converted = 0;
let faulty = 0;

function judge(widget: unknown): void {
  const before = JSON.stringify(widget);
  const isConvertible = Migration.hasMigrate(widget);
  const plain = Migration.convertWidget(widget);
  const inspection = inspectWidget(widget);
  const report = convertWithReport(widget);
  const fail = (what: string): never => expect.fail(`${what}: ${before}`);
  if (JSON.stringify(widget) !== before) fail("The widget was changed");
  if (!verdicts.has(inspection.verdict)) fail(`The verdict ${inspection.verdict} does not exist`);
  if (report.inspection.verdict !== inspection.verdict) fail("The two verdicts differ");
  const isOld = inspection.verdict === "legacy" || inspection.verdict === "mixed";
  if (report.converted !== isOld) fail("Converted, or left, against the verdict");
  if (isConvertible && Migration.isOldStructure(plain)) fail("The result is an old widget");
  if (isConvertible && inspection.verdict === "unsupported") fail("A widget with a converter is unsupported");
  if (!report.converted) return;
  converted += 1;
  const problems = checkWidget(report.widget);
  if (problems === undefined) return void fail("The result has a type without a schema");
  if (problems.length > 0) faulty += 1;
  for (const { path, message } of problems) {
    if (!comesFromSource(path, report.entries, report.converted)) fail(`${message} And no key of the source is there`);
  }
  JSON.stringify(report.widget);
}

describe("random widgets", () => {
  function expectMatches(runs: number): void {
    [converted, faulty] = [0, 0];
    fc.assert(
      fc.property(fc.integer(), (seed) => judge(structuredWidget(seed))),
      { numRuns: runs, ignoreEqualValues: false },
    );
    // Most of them must be worth converting, and most results right, or this test says nothing.
    expect(converted).toBeGreaterThan(runs * 0.7);
    expect(faulty).toBeLessThan(converted * 0.6);
    expect(faulty).toBeGreaterThan(0);
  }
  const expectNoException = (runs: number): void => fc.assert(fc.property(randomWidget, judge), { numRuns: runs });

  it("match their schema after the conversion, except where the source value is invalid", { tags: ["slow"] }, () =>
    expectMatches(1_000),
  );

  it("of any shape are judged without an exception", () => expectNoException(200));

  it(`do both, ${RUNS} of them`, { tags: ["slow"], timeout: 240_000 }, () => {
    expectMatches(RUNS);
    expectNoException(WILD_RUNS);
  });

  it("convert to valid widgets when all their values have the right type", { tags: ["slow"] }, () => {
    for (const { name, old } of fixtures) {
      for (let seed = 0; seed < amount(80, 300); seed += 1) {
        const roll = dice(seed);
        const display = Object.fromEntries(
          Object.entries(old["display"] as Fields).filter(([key]) => roll(3) !== 0 || /type/.test(key)),
        );
        const report = convertWithReport({ ...old, display });
        const problems = report.converted ? checkWidget(report.widget) : [];
        expect({ name, seed, problems }).toEqual({ name, seed, problems: [] });
      }
    }
  });
});
