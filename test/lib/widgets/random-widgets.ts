import fc from "fast-check";
import { fixtures } from "./fixtures.ts";

const names = ["temperature", "flow", "__proto__", "constructor", "a.b", ""];
const origins = ["dev1", "dev2", "toString"];

// Everything a key of an old display may hold, in the right and in wrong types.
const leaf = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, -7, 1e308, "", "0", "12", "abc", "https://a.b/c/", "date", "yes", "static"),
  fc.string({ maxLength: 6 }),
);
const odd = fc.oneof(
  { weight: 4, arbitrary: leaf },
  { weight: 1, arbitrary: fc.array(leaf, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom("id", "origin", "variable", "x", "__proto__"), leaf) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown> },
);
const record = fc.dictionary(
  fc.constantFrom("origin", "variable", "color", "url", "condition", "value", "enable", "unit", "fieldtype", "row"),
  odd,
);
const perVariable = fc.dictionary(
  fc.tuple(fc.constantFrom(...origins), fc.constantFrom(...names)).map((parts) => parts.join("")),
  fc.oneof(odd, record, fc.array(record, { maxLength: 2 })),
  { maxKeys: 4 },
);

const displayKeys = [...new Set(fixtures.flatMap((each) => keysOf(each.old).concat(keysOf(each.new))))];

function keysOf(widget: Record<string, unknown>): string[] {
  return Object.keys(widget["display"] as object);
}

const display = fc.dictionary(
  fc.constantFrom(...displayKeys),
  fc.oneof(odd, record, perVariable, fc.array(record, { maxLength: 3 })),
  { maxKeys: 14 },
);

const item = fc.record(
  {
    origin: fc.oneof(fc.constantFrom(...origins), odd),
    variables: fc.oneof(fc.array(fc.oneof(fc.constantFrom(...names), odd), { maxLength: 3 }), odd),
    is_hide: odd,
    is_global_time_data: odd,
    query: fc.constantFrom("last_value", "last_location"),
  },
  { requiredKeys: [] },
);

const roots = fixtures.map(({ old }) => {
  const { type, display: d } = old as { type: string; display: Record<string, unknown> };
  const subtypes = Object.entries(d).filter(([key]) => /_type$|type_media$/.test(key));
  return { type, subtypes: Object.fromEntries(subtypes) };
});

/** Widgets that look like old, new or mixed ones, with anything at any place. */
export const randomWidget: fc.Arbitrary<Record<string, unknown>> = fc
  .record(
    {
      root: fc.constantFrom(...roots),
      id: leaf,
      label: leaf,
      realtime: odd,
      analysis_run: odd,
      data: fc.oneof(
        { weight: 4, arbitrary: fc.array(fc.oneof(item, odd), { maxLength: 4 }) },
        { weight: 1, arbitrary: odd },
      ),
      display: fc.oneof({ weight: 9, arbitrary: display }, { weight: 1, arbitrary: odd }),
      resource: odd,
    },
    { requiredKeys: ["root"] },
  )
  .map(({ root, ...rest }) => {
    const d = rest.display;
    const isObject = typeof d === "object" && d !== null && !Array.isArray(d);
    return { ...rest, type: root.type, ...(isObject ? { display: { ...d, ...root.subtypes } } : {}) };
  });
