import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { fixtures } from "../lib/widgets/fixtures.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const put = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
  return name;
};
const page = (name = "p.html"): string => readFileSync(join(folder, name), "utf8");
const preview = (...args: string[]): Promise<CliResult> => runHere(["widget", "preview", ...args], { cwd: folder });
const count = (text: string, part: string): number => text.split(part).length - 1;

const gauge = {
  type: "gauge",
  label: "Wind",
  data: [{ origin: "d1", variables: ["temperature"] }],
  display: { gauge_type: "angular", minimum: "-50", maximum: "50", unit: "°C", strange: 1 },
};

describe("widget preview --html", () => {
  it("writes one page with each legacy widget next to its conversion, and what is lost", async () => {
    put("w.json", [gauge, ...fixtures.map(({ old }) => old), { type: "hologram", label: "H", display: {} }]);
    const result = await preview("w.json", "--html", "p.html");
    expect(result).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("p.html") });
    const html = page();
    expect(html).toMatch(/^<!DOCTYPE html>/);
    expect(count(html, 'data-structure="legacy"')).toBe(fixtures.length + 1);
    expect(count(html, "<figure ")).toBe(2 * (fixtures.length + 1) + 1);
    expect(html).toContain("<p>Old: gauge/angular</p>");
    expect(html).toContain("<p>New: angular</p>");
    expect(html).toMatch(/<li>display\.strange: lost: /);
    expect(html).toContain('<span class="lost">1 key lost</span>');
    expect(html).not.toMatch(/dropped|left out|no effect|ignored|harmless|unsupported</);
    expect(html).toContain("No drawing for this type: hologram");
    expect(html).toContain("sample values");
    expect(html).not.toMatch(/<script|<img|<image|<link|<iframe|\shref=|\ssrc="|url\(|@import|\sstyle="/i);
  });

  it("shows the data of a file in both drawings", async () => {
    put("w.json", gauge);
    const record = { variable: "temperature", value: 17.25, time: "2026-01-15T10:00:00Z" };
    const forms = [[record], { content: [{ result: [record] }] }, { status: true, result: [record] }];
    for (const [i, data] of forms.entries()) {
      const result = await preview("w.json", "--html", `${i}.html`, "--data", put("d.json", data), "--theme", "dark");
      expect(result.code).toBe(0);
      expect(count(page(`${i}.html`), ">17.25 °C<")).toBe(2);
      expect(page(`${i}.html`)).toContain('<html lang="en" data-theme="dark">');
      expect(page(`${i}.html`)).not.toContain("sample values");
    }
  });

  it("rejects data that has no records, flags without --html, and two sources, and writes nothing", async () => {
    put("w.json", gauge);
    for (const text of ["{", "5", "[1]", '{"content":7}', "null"]) {
      const result = await preview("w.json", "--html", "p.html", "--data", put("d.json", text));
      expect([text, result.code]).toEqual([text, 3]);
    }
    expect(await preview("w.json", "--html", "p.html", "--data", "none.json")).toMatchObject({ code: 3 });
    expect(await preview("w.json", "--html", "no/p.html")).toMatchObject({ code: 3 });
    expect(await preview("none.json", "--html", "p.html")).toMatchObject({ code: 3 });
    expect(await preview("w.json", "--html", "p.html", "--data", "d.json", "--device", "x")).toMatchObject({ code: 2 });
    for (const flag of [["--open"], ["--data", "d.json"], ["--theme", "dark"]]) {
      expect(await preview("w.json", ...flag)).toMatchObject({ code: 2, stderr: expect.stringContaining("--html") });
    }
    expect(existsSync(join(folder, "p.html"))).toBe(false);
  });

  it("keeps a page that is there until it is told to overwrite it", async () => {
    put("w.json", gauge);
    put("p.html", "mine");
    expect((await preview("w.json", "--html", "p.html")).code).not.toBe(0);
    expect(page()).toBe("mine");
    expect((await preview("w.json", "--html", "p.html", "--yes")).code).toBe(0);
    expect(page()).toContain("<figure");
  });

  it("ends with 8 when some widgets are none, and still draws the others", async () => {
    put("w.json", [gauge, 5]);
    expect((await preview("w.json", "--html", "p.html")).code).toBe(8);
    expect(count(page(), "<figure ")).toBe(2);
  });

  it("draws 200 widgets at most", async () => {
    put(
      "w.json",
      Array.from({ length: 202 }, (_, i) => ({ type: "note", label: `N ${i}`, display: { value: "x" } })),
    );
    await preview("w.json", "--html", "p.html");
    expect(count(page(), "<figure ")).toBe(200);
    expect(page()).toContain("Only the first 200 widgets are drawn.");
    expect(page()).toContain("N 201");
  });
});

describe("with a device", () => {
  let here: SandboxUnderTest;
  beforeAll(async () => {
    here = await sandboxUnderTest();
  });
  afterAll(() => here.close());

  it("shows its last records, whatever device the widgets name", async () => {
    put("w.json", gauge);
    const path = join(folder, "p.html");
    const file = join(folder, "w.json");
    const result = await here.iot(["widget", "preview", file, "--html", path, "--device", "name:Freezer 1"]);
    expect(result.code).toBe(0);
    const [last] = await here.json<{ value: number }[]>([
      "device",
      "data",
      "list",
      "name:Freezer 1",
      "--variable",
      "temperature",
      "--limit",
      "1",
    ]);
    expect(count(page(), `>${last?.value} °C<`)).toBe(2);
    expect(
      await here.iot(["widget", "preview", file, "--html", path, "--device", "name:Nobody", "--yes"]),
    ).toMatchObject({ code: 6 });
  });
});
