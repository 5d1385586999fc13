import { describe, expect, it } from "vitest";
import { z } from "zod";
import { convertWithReport, inspectWidget, Migration } from "../../src/lib/widgets/index.ts";
import { checkWidget } from "../../src/schema/widgets/check.ts";
import { anyWidgetSchema, type JsonSchema, widgetSchema, widgetTypes } from "../../src/schema/widgets/index.ts";
import { fixtures, sharedVectors } from "../lib/widgets/fixtures.ts";

/** Another reading of the same schema, by a package that knows nothing of ours. */
function accepts(schema: JsonSchema | undefined, value: unknown): boolean {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success;
}

const typeOf = (widget: unknown): string => String((widget as { type?: unknown }).type);
const messages = (widget: unknown): readonly string[] => (checkWidget(widget) ?? []).map(({ message }) => message);

describe("the schemas of widgets", () => {
  it("exist for every type a conversion can produce", () => {
    expect([...new Set(fixtures.map((fixture) => typeOf(fixture.new)))].sort()).toEqual([...widgetTypes].sort());
  });

  it.each(fixtures)("accept the converted $name, with our checker and another", (fixture) => {
    expect(checkWidget(fixture.new)).toEqual([]);
    expect(accepts(widgetSchema(typeOf(fixture.new)), fixture.new)).toBe(true);
  });

  it.each(widgetTypes)("define everything %s refers to", (type) => {
    const text = JSON.stringify(widgetSchema(type));
    const names = [...text.matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name);
    expect(Object.keys(widgetSchema(type)?.$defs ?? {}).sort()).toEqual([...new Set(names)].sort());
  });

  it("accept exactly the known types in the schema for all widgets", () => {
    const reader = z.fromJSONSchema(anyWidgetSchema() as Parameters<typeof z.fromJSONSchema>[0]);
    for (const fixture of fixtures) expect(reader.safeParse(fixture.new).success, fixture.name).toBe(true);
    for (const odd of [{}, { type: "gauge", display: {} }, { type: "angular" }, null, []]) {
      expect(reader.safeParse(odd).success).toBe(false);
    }
  });

  it("accept the converted shared vectors whose data is a list", { tags: ["slow"] }, () => {
    const convertible = sharedVectors.filter(
      ({ input, method }) => method === undefined && Migration.hasMigrate(input) && !hasOddData(input),
    );
    const problems = convertible.flatMap(({ name, input }) =>
      messages(Migration.convertWidget(input)).map((message) => `${name}: ${message}`),
    );
    expect(problems).toEqual([]);
    const reported = convertible.map(({ name, input }) => ({ name, report: convertWithReport(input) }));
    // A mixed widget keeps an entry of its new list that names no variable; that is what the schema is there to say.
    const wrong = reported.filter(({ report }) => report.converted && messages(report.widget).length > 0);
    const found = wrong.flatMap(({ report }) => messages(report.widget));
    expect(found.filter((message) => !/^display\.variables\[\d\]\.variable is missing\.$/.test(message))).toEqual([]);
  });

  it("accept a map whose pin names no type of icon", () => {
    const map = fixtures.find((fixture) => typeOf(fixture.new) === "map")?.new;
    const widget: unknown = JSON.parse(JSON.stringify(map), (key, value: unknown) =>
      key === "icon_type" ? undefined : value,
    );
    expect(JSON.stringify(map)).toContain("icon_type");
    expect(messages(widget)).toEqual([]);
    expect(accepts(widgetSchema("map"), widget)).toBe(true);
  });

  it("accept the new widgets among the shared vectors", () => {
    const current = sharedVectors.filter(({ name }) => name.startsWith("new format"));
    const wrong = current.filter(({ input }) => widgetTypes.includes(typeOf(input)) && messages(input).length > 0);
    const stillCurrent = wrong.filter(({ input }) => inspectWidget(input).verdict === "current");
    expect(stillCurrent.map(({ name, input }) => [name, messages(input)])).toEqual([]);
  });
});

function hasOddData(widget: unknown): boolean {
  const { data } = widget as { data?: unknown };
  return data !== undefined && data !== null && !Array.isArray(data);
}

const angular = (display: Record<string, unknown>): unknown => ({ type: "angular", display });
const range = { type: "minmax", minimum: 0, maximum: 1 };

describe("checkWidget", () => {
  it.each([
    [angular({ range }), []],
    [angular({}), ["display.range is missing."]],
    [{ type: "angular" }, ["display is missing."]],
    [angular({ range: 5 }), ["display.range must be object, not number."]],
    [angular({ range: { type: "minmax", minimum: 0 } }), ["display.range.maximum is missing."]],
    [angular({ range, help: [] }), ["display.help must be string or null, not array."]],
    [angular({ range, header_buttons: [1] }), ["display.header_buttons[0] must be object, not number."]],
    [{ type: "note", display: { value: "x" }, data: {} }, ["data must be array or null, not object."]],
  ])("reports the problems of %j", (widget, expected) => {
    expect(messages(widget)).toEqual(expected);
  });

  it("returns undefined for old types and values that are not widgets", () => {
    for (const odd of [{ type: "gauge", display: {} }, { type: "toString", display: {} }, null, 5, [], "angular"]) {
      expect(checkWidget(odd)).toBeUndefined();
    }
  });

  it("ignores inherited keys", () => {
    expect(messages(Object.create(angular({ range }) as object))).toEqual([]);
    expect(messages(JSON.parse('{"type":"angular","display":{"__proto__":{"range":5}}}'))).toEqual([
      "display.range is missing.",
    ]);
  });

  it("stops after fifty problems and handles any depth", () => {
    const many = Array.from({ length: 200 }, () => 5);
    expect(messages({ type: "pie", display: { variables: many } })).toHaveLength(50);
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    expect(messages({ type: "note", display: { value: deep } })).not.toEqual([]);
  });
});
