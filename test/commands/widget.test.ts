import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

const example = readFileSync(fileURLToPath(new URL("../../examples/legacy-widgets.json", import.meta.url)), "utf8");

const legacy = {
  id: "65a1000000000000000b1001",
  label: "Wind",
  type: "gauge",
  data: [{ origin: "65a1000000000000000d0002", variables: ["wind"] }],
  display: {
    gauge_type: "angular",
    minimum: "0",
    maximum: "120",
    vars_labels: { "65a1000000000000000d0002wind": "Wind" },
  },
};
const unknown = { id: "1", label: "Odd", type: "gauge", display: { gauge_type: "sundial" } };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const put = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
  return name;
};
const text = (name: string): string => readFileSync(join(folder, name), "utf8");
const json = <T>(name: string): T => JSON.parse(text(name)) as T;
const widget = (...args: string[]): Promise<CliResult> => runHere(["widget", ...args], { cwd: folder });

interface Widget {
  readonly type: string;
  readonly label: string;
}

describe("widget convert", () => {
  it("writes the converted file to stdout and what became of each widget to stderr", async () => {
    const { code, stdout, stderr } = await widget("convert", put("w.json", [legacy, unknown]));
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Widget[]).map(({ type }) => type)).toEqual(["angular", "gauge"]);
    expect(stderr).toContain("Wind (gauge/angular -> angular) converted");
    expect(stderr).toContain("Odd (gauge/sundial) unsupported");
    expect(stderr).toContain("1 converted, 0 already current, 1 without a converter, 0 invalid");
  });

  it("reads a widget, a list, a dashboard with widgets, and stdin", async () => {
    const dashboard = JSON.stringify({ label: "Plant", widgets: [legacy], tabs: [] });
    const whole = JSON.parse((await widget("convert", put("d.json", dashboard))).stdout) as {
      label: string;
      widgets: Widget[];
    };
    expect(whole).toMatchObject({ label: "Plant", tabs: [], widgets: [{ type: "angular" }] });
    expect(JSON.parse((await widget("convert", put("w.json", legacy))).stdout)).toMatchObject({ type: "angular" });
    const piped = await runHere(["widget", "convert", "-"], { stdin: JSON.stringify([legacy]) });
    expect(JSON.parse(piped.stdout)).toMatchObject([{ type: "angular" }]);
  });

  it("converts every widget of the example file", async () => {
    put("e.json", example);
    const { code, stdout } = await widget("convert", "e.json", "--out", "new", "-o", "json");
    expect(code).toBe(0);
    const rows = JSON.parse(stdout) as { verdict: string }[];
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(["converted"]));
    expect((await widget("detect", join("new", "e.json"))).code).toBe(0);
  });

  it("keeps indentation, line ends, the byte-order mark and the end of the file", async () => {
    for (const [indent, lineEnd, tail] of [
      ["  ", "\n", "\n"],
      ["\t", "\r\n", "\r\n"],
      ["    ", "\n", ""],
      ["", "\n", "\n"],
    ]) {
      const source = `\uFEFF${JSON.stringify([legacy], null, indent).replaceAll("\n", lineEnd ?? "")}${tail}`;
      put("w.json", source);
      await widget("convert", "w.json", "--out", "new", "--yes");
      const result = text(join("new", "w.json"));
      const value: unknown = JSON.parse(result.slice(1));
      expect(result).toBe(`\uFEFF${JSON.stringify(value, null, indent).replaceAll("\n", lineEnd ?? "")}${tail}`);
    }
  });

  it("changes files in place after a yes, with a copy beside each, and leaves current ones untouched", {
    tags: ["posix"],
  }, async () => {
    put("old.json", [legacy]);
    const first = await widget("convert", "old.json", "--out", "current");
    expect(first.code).toBe(0);
    put("current.json", text(join("current", "old.json")));
    chmodSync(join(folder, "old.json"), 0o640);
    const before = text("old.json");
    expect((await widget("convert", "old.json", "current.json", "--in-place")).code).toBe(2);
    expect(text("old.json")).toBe(before);
    expect((await widget("convert", "old.json", "current.json", "--in-place", "--yes")).code).toBe(0);
    expect(json<Widget[]>("old.json")[0]?.type).toBe("angular");
    expect(text("old.json.bak")).toBe(before);
    expect(statSync(join(folder, "old.json")).mode & 0o777).toBe(0o640);
    expect(existsSync(join(folder, "current.json.bak"))).toBe(false);
  });

  it("never writes over an older copy", async () => {
    put("w.json", [legacy]);
    put("w.json.bak", "precious");
    expect((await widget("convert", "w.json", "--in-place", "--yes")).code).toBe(0);
    expect(text("w.json.bak")).toBe("precious");
    expect(json<Widget[]>("w.json.bak1")[0]?.type).toBe("gauge");
  });

  it("changes the file behind a link, not the link", { tags: ["posix"] }, async () => {
    put("real.json", [legacy]);
    symlinkSync("real.json", join(folder, "link.json"));
    expect((await widget("convert", "link.json", "--in-place", "--yes")).code).toBe(0);
    expect(json<Widget[]>("real.json")[0]?.type).toBe("angular");
  });

  it("asks before it writes over a result that exists", async () => {
    put("w.json", [legacy]);
    mkdirSync(join(folder, "new"));
    put(join("new", "w.json"), "precious");
    const { code, stderr } = await widget("convert", "w.json", "--out", "new");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(text(join("new", "w.json"))).toBe("precious");
  });

  it("leaves results that are the same alone, and asks about others", async () => {
    const file = put("w.json", legacy);
    expect((await widget("convert", file, "--out", "new")).code).toBe(0);
    const again = await widget("convert", file, "--out", "new");
    expect({ code: again.code, stderr: again.stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("1 file unchanged."),
    });
    writeFileSync(join(folder, "new", "w.json"), "{}");
    expect((await widget("convert", file, "--out", "new")).stderr).toContain("needs confirmation");
  });

  it("names keys that are lost, and counts those that did nothing", async () => {
    const display = { ...legacy.display, watermark: false, header_buttons: [], help: "", unit_of_old: "x" };
    const { stderr } = await widget("convert", put("w.json", { ...legacy, display }));
    expect(stderr).toMatch(/converted: .*\d+ not needed/);
    expect(stderr).toMatch(/0 invalid\. (No keys|\d+ keys?) lost, \d+ not needed\./);
  });

  it("says how to write files when the result fills a terminal", async () => {
    const shown = await runHere(["widget", "convert", put("w.json", legacy)], { cwd: folder, terminal: 80 });
    expect(shown.stderr).toContain("hint: Use --out <folder> to write files, or --in-place to replace them");
    expect((await widget("convert", put("w.json", legacy))).stderr).not.toContain("hint:");
  });

  it("warns of twenty items that are no widgets, and counts the others", async () => {
    const list = [...Array.from({ length: 30 }, () => 7), legacy];
    const { code, stderr } = await widget("convert", put("w.json", list));
    expect(code).toBe(8);
    expect(stderr.match(/^warning: widget \d+ invalid/gm)).toHaveLength(20);
    expect(stderr).toContain("warning: 10 more cannot be converted; use --report-format to list all.");
    expect(stderr).not.toContain("()");
  });

  it.runIf(existsSync("/proc"))("ends where a folder can never be made", { tags: ["posix"] }, async () => {
    expect((await widget("convert", put("w.json", legacy), "--out", "/proc/new")).code).not.toBe(0);
  });

  it("ends --check with 11 and writes nothing while a widget is legacy, and with 0 after", async () => {
    put("w.json", [legacy]);
    const check = await widget("convert", "w.json", "--check", "-o", "json");
    expect(check.code).toBe(11);
    expect(JSON.parse(check.stdout)).toMatchObject([{ verdict: "legacy", from: "gauge/angular", to: "angular" }]);
    expect(readdirSync(folder)).toEqual(["w.json"]);
    await widget("convert", "w.json", "--in-place", "--yes");
    expect((await widget("convert", "w.json", "--check")).code).toBe(0);
  });

  it("converts what it can when another file cannot be read, and ends with 8", async () => {
    put("good.json", [legacy]);
    put("bad.json", "[{");
    const { code, stderr } = await widget("convert", "good.json", "bad.json", "missing.json", "--out", "new");
    expect(code).toBe(8);
    expect(stderr).toContain("bad.json");
    expect(stderr).toContain("missing.json");
    expect(readdirSync(join(folder, "new"))).toEqual(["good.json"]);
  });

  it("ends with 8 when one entry of a list is no widget, and keeps it as it is", async () => {
    const { code, stdout } = await widget("convert", put("w.json", [legacy, 5]));
    expect(code).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject([{ type: "angular" }, 5]);
  });

  it.each([
    ["text that is not JSON", "{ nope"],
    ["JSON without widgets", '{"a":1}'],
    ["a bare text", '"gauge"'],
    ["nothing", ""],
  ])("ends with 3 for %s, with nothing on stdout", async (_, content) => {
    const { code, stdout, stderr } = await widget("convert", put("w.json", content));
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/^error: .*\n {2}why: .*\n {2}next: .*\n$/);
  });

  it("refuses several files without a place to write, two places, and two files of one name", async () => {
    put("a.json", [legacy]);
    mkdirSync(join(folder, "sub"));
    put(join("sub", "a.json"), [legacy]);
    put("b.json", [legacy]);
    for (const args of [
      ["a.json", "b.json"],
      ["a.json", "--check", "--stdout"],
      ["a.json", "sub/a.json", "--out", "new"],
      ["-", "--in-place"],
    ]) {
      expect((await widget("convert", ...args)).code, args.join(" ")).toBe(2);
    }
    expect(existsSync(join(folder, "new"))).toBe(false);
  });
});

describe("widget detect", () => {
  it("shows the verdict on each widget and ends with 11 while one is legacy", async () => {
    const { code, stdout } = await widget(
      "detect",
      put("w.json", [legacy, unknown]),
      "-o",
      "csv",
      "--fields",
      "label,verdict",
    );
    expect({ code, stdout: stdout.replaceAll("\r", "") }).toEqual({
      code: 11,
      stdout: "label,verdict\nWind,legacy\nOdd,unsupported\n",
    });
  });
});
