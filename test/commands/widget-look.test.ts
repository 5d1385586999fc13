import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { fixtures } from "../lib/widgets/fixtures.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const put = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), JSON.stringify(value));
  return name;
};
const widget = (...args: string[]): Promise<CliResult> => runHere(["widget", ...args], { cwd: folder });
const rows = <T>({ stdout }: CliResult): T[] => JSON.parse(stdout) as T[];
const legacy = { type: "gauge", label: "Wind", display: { gauge_type: "angular", minimum: "0", strange: 1 } };

describe("widget detect", () => {
  it("names the keys that prove the verdict", async () => {
    const result = await widget("detect", put("w.json", [legacy]), "-o", "json");
    expect(result.code).toBe(11);
    expect(rows(result)).toMatchObject([{ verdict: "legacy", to: "angular", keys: expect.arrayContaining(["type"]) }]);
  });
});

describe("widget explain", () => {
  it("tells of every key what becomes of it, or only of the lost ones", async () => {
    put("w.json", [legacy]);
    const all = rows<{ key: string; status: string }>(await widget("explain", "w.json", "-o", "json"));
    expect(all.map(({ key }) => key)).toEqual([
      "type",
      "label",
      "display",
      "display.gauge_type",
      "display.minimum",
      "display.strange",
    ]);
    const lost = await widget("explain", "w.json", "--lost", "-o", "json");
    expect({ code: lost.code, rows: rows(lost) }).toMatchObject({
      code: 0,
      rows: [{ label: "Wind", key: "display.strange", status: "unknown" }],
    });
  });
});

describe("widget explain on a terminal", () => {
  const display = { gauge_type: "angular", minimum: "0", strange: { a: 1, b: 2 }, watermark: false };

  it("shows a row for each setting, what is lost first, and every key elsewhere", async () => {
    put("w.json", [{ ...legacy, display }]);
    const { stdout } = await runHere(["widget", "explain", "w.json"], { cwd: folder, terminal: 120 });
    expect(stdout).toContain("display.strange (2 keys)");
    expect(stdout).not.toContain("display.strange.a");
    expect(stdout.indexOf("display.strange")).toBeLessThan(stdout.indexOf("display.minimum"));
    const all = await widget("explain", "w.json", "-o", "json");
    expect(rows<object>(all)).toContainEqual(
      expect.objectContaining({ key: "display.strange.a", setting: "display.strange", state: "lost" }),
    );
  });

  it("leaves out with --lost what is not needed", async () => {
    put("w.json", [{ ...legacy, display }]);
    const lost = rows<{ key: string }>(await widget("explain", "w.json", "--lost", "-o", "json"));
    expect(lost.map(({ key }) => key)).toEqual(["display.strange.a", "display.strange.b"]);
  });
});

describe("widget validate", () => {
  it("ends with 0 when all are valid, 8 when some are not, 3 when none is", async () => {
    const valid = fixtures.map((fixture) => fixture.new);
    expect((await widget("validate", put("new.json", valid))).code).toBe(0);
    const broken = { type: "angular", label: "B", display: { range: 5 } };
    const some = await widget(
      "validate",
      put("some.json", [...valid, broken, legacy, 5, { type: "x", display: {} }]),
      "-o",
      "json",
    );
    expect(some.code).toBe(8);
    const found = rows<{ result: string; problems: string[] }>(some).slice(valid.length);
    expect(found.map(({ result }) => result)).toEqual(["invalid", "legacy", "invalid", "unsupported"]);
    expect(found[0]?.problems).toEqual(["display.range must be object, not number."]);
    expect((await widget("validate", put("none.json", [broken]))).code).toBe(3);
  });

  it("finds nothing wrong with what convert made of old widgets", async () => {
    put(
      "old.json",
      fixtures.map(({ old }) => old),
    );
    await widget("convert", "old.json", "--out", "new");
    const { code, stderr } = await widget("validate", "new/old.json");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `info: ${fixtures.length} of ${fixtures.length} widgets are valid.\n`,
    });
  });
});

describe("widget schema and types", () => {
  it("print the schema of a type and of any", async () => {
    const one = JSON.parse((await widget("schema", "angular")).stdout) as { properties: { type: unknown } };
    expect(one.properties.type).toEqual({ const: "angular" });
    expect(JSON.parse((await widget("schema")).stdout)).toHaveProperty("anyOf");
    const unknown = await widget("schema", "angulr");
    expect({ code: unknown.code, stderr: unknown.stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining('Did you mean "angular"?'),
    });
  });

  it("list every type with what it was, and every field of one", async () => {
    const types = rows<{ type: string; legacy: string }>(await widget("types", "-o", "json"));
    expect(types).toHaveLength(fixtures.length - 1);
    expect(types.find(({ type }) => type === "line_chart")?.legacy).toBe("chart/spline");
    expect(types.filter(({ legacy: names }) => names === "")).toEqual([]);
    const fields = rows<{ field: string; required: boolean }>(await widget("types", "form", "-o", "json"));
    expect(fields.map(({ field }) => field)).toContain("display.sections[].fields[].type");
    expect(fields.find(({ field }) => field === "display")?.required).toBe(true);
  });
});

describe("widget preview", () => {
  it("draws every type in a box of one width, in plain characters when asked", async () => {
    put(
      "all.json",
      fixtures.map((fixture) => fixture.new),
    );
    const { code, stdout } = await widget("preview", "all.json", "--ascii");
    expect(code).toBe(0);
    expect([...stdout].filter((char) => char !== "\n" && (char < " " || char > "~"))).toEqual([]);
    const lines = stdout.trimEnd().split("\n");
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([64]));
    expect(stdout).not.toContain("no drawing");
    for (const fixture of fixtures) expect(stdout).toContain(`+- ${String(fixture.new["type"])} -`);
    const nice = (await widget("preview", "all.json")).stdout;
    expect(nice).toContain("┌─ ");
  });

  it("draws hostile and wrong values without being taken in", async () => {
    const odd = [
      { type: "note", label: "\u001b[31mRed\u202e", display: { value: "a\u0007\nb" } },
      { type: "static_table", label: "T", display: { variables: [{ position: { x: 1e9, y: -1 } }, 5, null] } },
      { type: "pie", label: "漢字かな".repeat(40), display: { variables: "x" } },
      { type: "constructor", label: "C", display: {} },
      { type: "angular", display: { range: { minimum: "x", maximum: {} }, number_format: { decimals: 1e9 } } },
      5,
    ];
    const { code, stdout, stderr } = await widget("preview", put("odd.json", odd));
    expect(code).toBe(8);
    for (const char of ["\u001b", "\u0007", "\u202e"]) expect(stdout).not.toContain(char);
    expect(stdout).toContain("No preview for this type.");
    expect(stderr).toContain("A widget is an object.");
  });
});
