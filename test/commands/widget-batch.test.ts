import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type CliResult, startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { waitFor } from "../helpers/wait-for.ts";

const legacy = {
  id: "w1",
  label: "Wind",
  type: "gauge",
  data: [{ origin: "d1", variables: ["wind"] }],
  display: { gauge_type: "angular", minimum: "0", maximum: "120", vars_labels: { d1wind: "Wind" } },
};
const current = { id: "w2", label: "Note", type: "note", display: { value: "Hello" } };
const form = {
  id: "w3",
  label: "Form",
  type: "input",
  display: { input_type: "form", form: { label_submit: "Go", fields: { a: { fieldtype: "text", label: "A" } } } },
};

const CLEAR = "\r\u001b[2K";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const put = (name: string, value: unknown): string => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
  return name;
};
const text = (name: string): string => readFileSync(join(folder, name), "utf8");
const json = <T>(name: string): T => JSON.parse(text(name)) as T;
const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const typesOf = (name: string): string[] =>
  text(name)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => (JSON.parse(line) as { type: string }).type);
const convert = (...args: string[]): Promise<CliResult> => runHere(["widget", "convert", ...args], { cwd: folder });
const temporaries = (): string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith(".tmp"));

describe("what widget convert reads", () => {
  it("takes a folder with all JSON files below it and keeps their places", async () => {
    put("in/a.json", [legacy]);
    put("in/deep/er/b.json", { widgets: [legacy] });
    put("in/c.jsonl", lines(legacy, current));
    put("in/readme.txt", "no widgets");
    put("in/.hidden/d.json", [legacy]);
    const { code, stdout } = await convert("in", "--out", "new", "-o", "json");
    expect({ code, files: (JSON.parse(stdout) as { file: string }[]).map(({ file }) => file) }).toEqual({
      code: 0,
      files: ["in/a.json", "in/c.jsonl", "in/c.jsonl", "in/deep/er/b.json"],
    });
    expect((readdirSync(join(folder, "new"), { recursive: true }) as string[]).sort()).toEqual([
      "a.json",
      "c.jsonl",
      "deep",
      "deep/er",
      "deep/er/b.json",
    ]);
    expect(typesOf("new/c.jsonl")).toEqual(["angular", "note"]);
  });

  it("expands patterns by itself, and --glob chooses among the files of a folder", async () => {
    for (const name of ["in/old-a.json", "in/old-b.json", "in/x/old-c.json", "in/new.json"]) put(name, [legacy]);
    const files = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await convert(...args, "--check", "-o", "json");
      return (JSON.parse(stdout) as { file: string }[]).map(({ file }) => file);
    };
    expect(await files("in/old-?.json")).toEqual(["in/old-a.json", "in/old-b.json"]);
    expect(await files("in/**/old-{a,c}.json")).toEqual(["in/old-a.json", "in/x/old-c.json"]);
    expect(await files("in/[!o]*.json")).toEqual(["in/new.json"]);
    expect(await files("in", "--glob", "x/*")).toEqual(["in/x/old-c.json"]);
  });

  it("finds widgets in exports of dashboards, however they are wrapped, and leaves the rest alone", async () => {
    const dashboard = {
      type: "dashboard",
      label: "Plant",
      arrangement: [{ widget_id: "w1", x: 0 }],
      widgets: [legacy],
    };
    put("one.json", dashboard);
    put("list.json", [dashboard, { ...dashboard, widgets: [] }]);
    put("wrapped.json", { status: true, result: { export: { dashboards: [dashboard] } } });
    put("answer.json", { status: true, result: [legacy, current] });
    put("byId.json", { label: "Plant", widgets: { w1: legacy, w2: current } });
    const names = ["one.json", "list.json", "wrapped.json", "answer.json", "byId.json"];
    expect((await convert(...names, "--out", "new")).code).toBe(0);
    expect(json("new/one.json")).toMatchObject({ ...dashboard, widgets: [{ type: "angular" }] });
    expect(json("new/list.json")).toMatchObject([{ widgets: [{ type: "angular" }] }, { widgets: [] }]);
    expect(json("new/wrapped.json")).toMatchObject({
      status: true,
      result: { export: { dashboards: [{ widgets: [{ type: "angular" }] }] } },
    });
    expect(json("new/answer.json")).toMatchObject({ result: [{ type: "angular" }, current] });
    expect(json("new/byId.json")).toMatchObject({ widgets: { w1: { type: "angular" }, w2: current } });
  });

  it("reads JSON lines by their look too, from stdin as well, and keeps blank lines and line ends", async () => {
    const source = `\uFEFF${JSON.stringify(legacy)}\r\n\r\n${JSON.stringify(current)}\r\n${JSON.stringify(legacy)}`;
    put("lines.json", source);
    expect((await convert("lines.json", "--out", "new")).code).toBe(0);
    const result = text("new/lines.json");
    expect(result.startsWith("\uFEFF{")).toBe(true);
    expect(result.split("\r\n").map((line) => line === "" || /"type":"(angular|note)"/.test(line))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(result.split("\r\n")[2]).toBe(JSON.stringify(current));
    const piped = await runHere(["widget", "convert", "-"], { stdin: lines(legacy, current) });
    expect(piped.stdout.trim().split("\n")).toHaveLength(2);
  });

  it("gives the same text in every run", async () => {
    put("form.json", [form, legacy]);
    const [first, second] = [await convert("form.json"), await convert("form.json")];
    expect(first.stdout).toBe(second.stdout);
    expect(first.stdout).toContain('"type":"form"');
  });
});

describe("what goes wrong in a batch", () => {
  it("has a row for every widget and every file, and ends with 8", async () => {
    put("good.json", [legacy]);
    put("bad.json", "[{");
    put("mixed.jsonl", `${JSON.stringify(legacy)}\n{"type":\n5\n${JSON.stringify(current)}\n`);
    const { code, stdout } = await convert(
      "bad.json",
      "good.json",
      "mixed.jsonl",
      "none.json",
      "--out",
      "new",
      "-o",
      "json",
    );
    const rows = JSON.parse(stdout) as { file: string; label: string; verdict: string; notes: string[] }[];
    expect(code).toBe(8);
    expect(rows.map(({ file, verdict }) => `${file} ${verdict}`).sort()).toEqual([
      "bad.json failed",
      "good.json converted",
      "mixed.jsonl converted",
      "mixed.jsonl current",
      "mixed.jsonl invalid",
      "mixed.jsonl invalid",
      "none.json failed",
    ]);
    expect(rows.find(({ label }) => label === "line 2")?.notes[0]).toMatch(/line 2.*not valid JSON/);
    expect(text("new/mixed.jsonl").split("\n").slice(1, 3)).toEqual(['{"type":', "5"]);
    expect(existsSync(join(folder, "new", "bad.json"))).toBe(false);
    expect(temporaries()).toEqual([]);
  });

  it("leaves a widget alone whose new form would break its schema", async () => {
    const odd = {
      ...legacy,
      type: "chart",
      data: [{ origin: 5, variables: ["a"] }],
      display: { chart_type: "spline", vars_labels: { x: 1 }, help: { a: 1 } },
    };
    const { code, stdout } = await convert(put("odd.json", [odd, legacy]), "-o", "json");
    expect(code).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject([odd, { type: "angular" }]);
  });

  it("writes nothing for a file that --strict refuses, and ends with 3", async () => {
    const clean = { id: "n", type: "note", label: "N", display: { text: "Hello" } };
    put("lossy.json", [{ ...legacy, display: { ...legacy.display, strange: 1 } }]);
    put("clean.json", [clean]);
    put("lossy.jsonl", lines(clean, { ...clean, secret_sauce: 1 }));
    const { code, stdout } = await convert(
      "lossy.json",
      "clean.json",
      "lossy.jsonl",
      "--out",
      "new",
      "--strict",
      "-o",
      "json",
    );
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject([
      { verdict: "invalid", notes: ["a key would be lost"], dropped: [{ path: "display.strange" }] },
      { verdict: "converted" },
      { verdict: "converted" },
      { verdict: "invalid", dropped: [{ path: "secret_sauce" }] },
    ]);
    expect(readdirSync(join(folder, "new"))).toEqual(["clean.json"]);
    expect((await convert("clean.json", "--strict")).code).toBe(0);
    const refused = await convert("lossy.json", "--strict");
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 3, stdout: "" });
  });

  it.each([
    ["bytes that are no text", Buffer.from([0x7b, 0xff, 0xfe, 0x00])],
    ["a number", "5"],
    ["null", "null"],
    ["keys named __proto__", '{"__proto__":{"type":"gauge"}}'],
  ])("ends with 3 for %s, with nothing written", async (_, content) => {
    writeFileSync(join(folder, "w.json"), content);
    const { code, stderr } = await convert("w.json", "--out", "new");
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/deep|UTF-8|No widgets found/) });
    expect(existsSync(join(folder, "new", "w.json"))).toBe(false);
    expect(temporaries()).toEqual([]);
  });

  it("keeps keys named __proto__ as keys like any other", async () => {
    const source = '{"widgets":[{"type":"note","display":{"text":"x"},"label":"L"}],"__proto__":{"polluted":1}}';
    expect((await convert(put("p.json", source), "--out", "new")).code).toBe(0);
    expect(text("new/p.json")).toContain('"__proto__":{"polluted":1}');
  });

  it("says why a folder cannot be written, and leaves nothing behind", async () => {
    put("w.json", [legacy]);
    put("file", "not a folder");
    const { code, stderr } = await convert("w.json", "--out", "file");
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: /m);
    expect(temporaries()).toEqual([]);
    expect(text("file")).toBe("not a folder");
  });

  it("throws its result away when the file changes meanwhile", { tags: ["slow"] }, async () => {
    const name = put("log.jsonl", lines(...Array.from({ length: 1_000 }, () => legacy)));
    put("other.json", [legacy]);
    let looks = 0;
    // The clock is read at the start and for each widget: here the file changes with the first one.
    const elapsed = (): number => {
      looks += 1;
      if (looks === 2) appendFileSync(join(folder, name), lines(current));
      return 0;
    };
    const args = ["widget", "convert", name, "other.json", "--in-place", "--yes", "-o", "ndjson"];
    const { code, stdout, stderr } = await runHere(args, { cwd: folder, clock: { ...quickClock(), elapsed } });
    expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining("changed during the conversion") });
    expect(stdout.trim().split("\n").at(-1)).toContain('"other.json"');
    expect(typesOf(name)[0]).toBe("gauge");
    expect(temporaries()).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(["log.jsonl", "other.json", "other.json.bak"]);
  });

  it("refuses to write a result over its source", async () => {
    put("w.json", [legacy]);
    const { code, stderr } = await convert("w.json", "--out", ".", "--yes");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("would be overwritten by its result"),
    });
    expect(json<unknown[]>("w.json")).toEqual([legacy]);
  });
});

describe("a long batch", () => {
  it("stops at Ctrl-C without half a file, and --resume does only the rest", { tags: ["slow", "posix"] }, async () => {
    const names = ["a.jsonl", "b.jsonl", "c.jsonl"];
    for (const name of names) put(join("in", name), lines(...Array.from({ length: 5_000 }, () => legacy)));
    const args = ["widget", "convert", "in", "--out", "new", "-o", "ndjson"];
    const config = { IOT_CONFIG_DIR: join(folder, "config") };
    const child = await startCli(args, { cwd: folder, env: config });
    child.stdout?.resume();
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    await waitFor(() => existsSync(join(folder, "new", "a.jsonl")), "the first file");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(existsSync(join(folder, "new", "c.jsonl"))).toBe(false);
    expect(temporaries()).toEqual([]);
    const before = statSync(join(folder, "new", "a.jsonl")).mtimeMs;
    const again = await runHere([...args, "--resume"], { cwd: folder, env: config });
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(/Already finished: [12] files?\./);
    expect(again.stdout).not.toContain("in/a.jsonl");
    expect(statSync(join(folder, "new", "a.jsonl")).mtimeMs).toBe(before);
    for (const name of names) expect(typesOf(join("new", name))).toHaveLength(5_000);
    const finished = await runHere([...args, "--resume", "--yes"], { cwd: folder, env: config });
    expect(finished).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("Already finished: 3 files."),
    });
  });

  it("does a file again that has changed since, or whose result is gone", async () => {
    for (const name of ["a.json", "b.json", "c.json"]) put(join("in", name), [legacy]);
    put("in/broken.json", "[{");
    const config = { IOT_CONFIG_DIR: join(folder, "config") };
    const run = (...more: string[]): Promise<CliResult> =>
      runHere(["widget", "convert", "in", "--out", "new", "-o", "json", ...more], { cwd: folder, env: config });
    expect((await run()).code).toBe(8);
    put("in/a.json", [legacy, legacy]);
    rmSync(join(folder, "new", "b.json"));
    put("in/broken.json", [legacy]);
    const { code, stdout } = await run("--resume", "--yes");
    expect(code).toBe(0);
    const files = new Set((JSON.parse(stdout) as { file: string }[]).map(({ file }) => file));
    expect([...files]).toEqual(["in/a.json", "in/b.json", "in/broken.json"]);
  });

  it("shows how far it is: one line that goes away on a terminal, plain lines elsewhere, none with --no-progress", async () => {
    put("big.jsonl", lines(...Array.from({ length: 150 }, () => legacy)));
    const run = (terminal: number | undefined, ...flags: string[]): Promise<CliResult> => {
      let ms = 0;
      const elapsed = (): number => {
        ms += 50;
        return ms;
      };
      const clock = { ...quickClock(), elapsed };
      const args = ["widget", "convert", "big.jsonl", "--out", `new-${flags}-${terminal}`, ...flags];
      return runHere(args, { cwd: folder, clock, ...(terminal === undefined ? {} : { terminal }) });
    };
    const plain = await run(undefined, "-o", "id");
    expect(plain.stderr).toMatch(/^info: Checked [\d,]+ widgets, [\d,]+\/s\.$/m);
    const silent = await run(undefined, "-o", "id", "--no-progress");
    expect(silent.stderr).not.toContain("Checked");
    const shown = await run(80);
    expect({ code: shown.code, last: shown.stderr.split(CLEAR).at(-1) }).toEqual({
      code: 0,
      last: expect.stringMatching(/150 converted/),
    });
    expect(shown.stderr).toContain(`${CLEAR}Checked 100 widgets`);
    expect(shown.stderr).toMatch(/50 more widgets not shown/);
  });

  it("lists the widgets in the order of the files", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `${String(i).padStart(2, "0")}.jsonl`);
    for (const [i, name] of names.entries()) put(`in/${name}`, lines(...Array.from({ length: 12 - i }, () => legacy)));
    const { stdout } = await convert("in", "--check", "-o", "json");
    const files = (JSON.parse(stdout) as { readonly file: string }[]).map(({ file }) => file);
    expect(files).toEqual(names.flatMap((name, i) => Array(12 - i).fill(join("in", name))));
  });

  it("keeps the mode of the files it replaces", { tags: ["posix"] }, async () => {
    put("a.json", [legacy]);
    put("new/a.json", "old");
    chmodSync(join(folder, "new", "a.json"), 0o600);
    await convert("a.json", "--out", "new", "--yes");
    expect(statSync(join(folder, "new", "a.json")).mode & 0o777).toBe(0o600);
  });
});

describe("files that a killed run left behind", () => {
  it("are removed by the next run on the same files, and those of living processes are not", async () => {
    const dead = spawnSync(process.execPath, ["--version"]).pid;
    put("a.json", [legacy]);
    for (const name of [`a.json.${dead}.abc123.tmp`, `a.json.${process.pid}.abc123.tmp`, `other.${dead}.abc123.tmp`])
      writeFileSync(join(folder, name), "[");
    expect((await convert("a.json", "--in-place", "--yes")).code).toBe(0);
    const left = readdirSync(folder).filter((name) => name.endsWith(".tmp"));
    expect(left.sort()).toEqual([`a.json.${process.pid}.abc123.tmp`, `other.${dead}.abc123.tmp`]);
  });
});

describe("a file in which some widgets are converted", () => {
  it("keeps a widget that is nested too deeply to be written, and converts the others", async () => {
    const deep = `{"type":"x","a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    writeFileSync(join(folder, "deep.json"), `[{"type":"note","display":{"text":"a"}},${deep}]`);
    const { code, stdout } = await convert("deep.json", "--stdout");
    expect([code, stdout.endsWith(`,${deep}]\n`)]).toEqual([0, true]);
  });

  it("keeps everything else byte for byte: large numbers, names that stand twice, blanks and escapes", async () => {
    const odd = '{ "type":"dial", "n": 12345678901234567890, "m": 1e400, "a": 1, "a" : "\\u0041 \\" }",\t"list":[ ] }';
    const text = `{\r\n  "x": 1.0,\r\n  "widgets": [\r\n    ${odd},\r\n    ${JSON.stringify(legacy)}\r\n  ],\r\n  "y": [1.50]\r\n}\r\n`;
    writeFileSync(join(folder, "mixed.json"), text);
    expect((await convert("mixed.json", "--in-place", "--yes")).code).not.toBe(3);
    const after = readFileSync(join(folder, "mixed.json"), "utf8");
    const [head = "", tail = ""] = text.split(JSON.stringify(legacy));
    expect(after.startsWith(head)).toBe(true);
    expect(after.endsWith(tail)).toBe(true);
    expect(after).not.toBe(text);
    expect(JSON.parse(after.replaceAll("\r\n", "\n")).widgets).toHaveLength(2);
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
  });
});
