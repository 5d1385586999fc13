import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
let folder: string;
/** Devices and dictionaries, as exported. */
let exported: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  folder = temporaryFolder();
  exported = join(folder, "profile");
  expect(await inFolder(["profile", "export", "--include", "device,dictionary", "--out", "profile"])).toMatchObject({
    code: 0,
  });
});
afterAll(() => here.close());

const inFolder = (args: readonly string[], more: HereOptions = {}): Promise<CliResult> =>
  here.iot(args, { cwd: folder, ...more });
const check = (args: readonly string[], more: HereOptions = {}): Promise<CliResult> =>
  inFolder(["check", ...args, "--json"], more);
/** Without a token, and with an address where nothing listens. */
const alone = (args: readonly string[], more: HereOptions = {}): Promise<CliResult> =>
  runHere(["check", ...args, "--json"], {
    cwd: folder,
    ...more,
    env: { IOT_CONFIG_DIR: temporaryFolder(), IOT_API_URL: "http://127.0.0.1:9", ...more.env },
  });

interface Row {
  readonly check: string;
  readonly severity: string;
  readonly rule: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string;
}

const rowsOf = ({ stdout }: CliResult): Row[] => JSON.parse(stdout) as Row[];
const place = (path: string): string => join(folder, path);
const fileIn = (kind: string, start: string): string =>
  `profile/${kind}/${readdirSync(join(exported, kind)).find((name) => name.startsWith(start)) ?? ""}`;
/** The first line of a file with a text, from 1. */
const lineWith = (path: string, text: string): number =>
  readFileSync(place(path), "utf8")
    .split("\n")
    .findIndex((line) => line.includes(text)) + 1;

/** Changes a file for one test. */
async function changed(path: string, change: (text: string) => string, work: () => Promise<void>): Promise<void> {
  const before = readFileSync(place(path), "utf8");
  writeFileSync(place(path), change(before));
  try {
    await work();
  } finally {
    writeFileSync(place(path), before);
  }
}

function write(path: string, content: unknown): string {
  mkdirSync(dirname(place(path)), { recursive: true });
  writeFileSync(place(path), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

const widget = (label: string, display: unknown = {}) => ({
  type: "iframe",
  label,
  display: { header_buttons: [], ...(display as object) },
});

describe("iot check: the profile", () => {
  it("ends with 0 and no rows where files and platform are the same", async () => {
    const found = await check(["profile", "--only", "profile", "--include", "device,dictionary"]);
    expect(found).toMatchObject({ code: 0, stdout: "[]\n", stderr: expect.stringContaining("No problems found.") });
  });

  it("tells what differs at its file and line, without the values", async () => {
    const file = fileIn("device", "freezer-1");
    const text = '"name": "Freezer 1"';
    await changed(
      file,
      (before) => before.replace(text, '"name": "Hidden value"'),
      async () => {
        const found = await check(["profile", "--include", "device"]);
        expect(found.code).toBe(11);
        expect(rowsOf(found)).toMatchObject([
          { check: "profile", severity: "error", rule: "changed", file, line: lineWith(file, "Hidden value") },
        ]);
        expect(rowsOf(found)[0]?.message).toBe('The device "Hidden value" differs in name.');
      },
    );
    const gone = readFileSync(place(file), "utf8");
    rmSync(place(file));
    try {
      const found = await check(["profile", "--include", "device"]);
      expect(rowsOf(found)).toMatchObject([
        { severity: "warning", rule: "removed", file: "profile/profile.json", line: null },
      ]);
      expect(found.code).toBe(11);
    } finally {
      writeFileSync(place(file), gone);
    }
  });

  it("finds the line of an entry that the difference names by its key", async () => {
    const file = fileIn("device", "freezer-1");
    const tag = /("key": "site",\s+"value": ")plant"/;
    await changed(
      file,
      (before) => before.replace(tag, '$1elsewhere"'),
      async () => {
        const rows = rowsOf(await check(["profile", "--include", "device"]));
        expect(rows).toMatchObject([
          { message: 'The device "Freezer 1" differs in tags[site].value.', line: lineWith(file, "elsewhere") },
        ]);
      },
    );
  });

  it("reports files that cannot be read with 3, and goes on with the other checks", async () => {
    const file = fileIn("device", "freezer-1");
    const bad = write("bad.json", [widget("No URL", { url: 5 })]);
    await changed(
      file,
      () => "{",
      async () => {
        const found = await check(["profile", "--include", "device", "--widgets", bad]);
        expect(found.code).toBe(3);
        const rows = rowsOf(found);
        expect(rows[0]).toMatchObject({
          check: "profile",
          rule: "unreadable",
          message: expect.stringContaining(file.slice("profile/".length)),
        });
        expect(rows[0]?.message).not.toContain(folder);
        expect(rows.slice(1).map((row) => row.check)).toContain("widgets");
      },
    );
    expect((await check(["no-such-folder"])).code).toBe(3);
  });

  it("ends as every command does when the platform cannot be asked", async () => {
    expect(await alone(["profile", "--include", "device"])).toMatchObject({ code: 4, stdout: "" });
  });
});

describe("iot check: widgets", () => {
  it("validates files without a platform, each problem at its line", async () => {
    const file = write("widgets/mixed.json", {
      widgets: [
        widget("Fine", { url: "https://example.test/" }),
        { type: "angular", label: "Dial", display: { header_buttons: [], range: { type: "never" } } },
      ],
    });
    const before = here.requests().length;
    const found = await alone(["--offline", "--widgets", "widgets"]);
    expect(found.code).toBe(11);
    const rows = rowsOf(found);
    expect(new Set(rows.map(({ message }) => message.split(":")[0]))).toEqual(new Set(['Widget "Dial"']));
    const wrong = rows.find(({ message }) => message.includes("range.type"));
    expect(wrong).toMatchObject({ file, line: lineWith(file, '"never"'), rule: "invalid", severity: "error" });
    expect(here.requests()).toHaveLength(before);
    rmSync(place("widgets"), { recursive: true });
  });

  it("warns of legacy widgets, and names the line of JSON lines", async () => {
    const legacy = { type: "gauge", label: "Old", display: { gauge_type: "dial" } };
    const file = write("old.ndjson", `${JSON.stringify(legacy)}\n\n${JSON.stringify(legacy)}\n`);
    const rows = rowsOf(await alone(["--offline", "--widgets", file]));
    expect(rows).toMatchObject([
      { rule: "legacy", severity: "warning", line: 1 },
      { rule: "legacy", severity: "warning", line: 3 },
    ]);
  });

  it("reports a file that is no JSON, a missing one and a folder without files, and ends with 3", async () => {
    write("broken/a.json", "{ no");
    write("broken/b.json", [widget("No URL", { url: 5 })]);
    mkdirSync(place("nothing"), { recursive: true });
    const found = await alone(["--offline", "--widgets", "broken", "--widgets", "gone.json", "--widgets", "nothing"]);
    expect(found.code).toBe(3);
    const unreadable = rowsOf(found).filter(({ rule }) => rule === "unreadable");
    expect(unreadable.map(({ file }) => file)).toEqual(["gone.json", "nothing", "broken/a.json"]);
    expect(rowsOf(found).some(({ file, rule }) => file === "broken/b.json" && rule === "invalid")).toBe(true);
    rmSync(place("broken"), { recursive: true });
  });
});

describe("iot check: dictionaries", () => {
  it("reads those of the profile's folder without a platform", async () => {
    const file = fileIn("dictionary", "test-texts");
    const found = await alone(["profile", "--offline"]);
    expect(found).toMatchObject({ code: 11, stderr: expect.stringContaining("Nothing was compared") });
    expect(rowsOf(found)).toContainEqual(
      expect.objectContaining({
        check: "dictionaries",
        rule: "missing",
        file,
        line: lineWith(file, '"pt-BR": {'),
        message: "TEST.GOODBYE has no pt-BR translation.",
      }),
    );
  });

  it("finds expressions without a key at their lines", async () => {
    const file = write("page.html", "<p>\n#TEST.DEVICES_OF#</p>\n<b>#TEST.NO_SUCH_KEY#</b>\n");
    for (const args of [
      ["profile", "--offline"],
      ["--dictionary", "name:TEST"],
    ]) {
      const rows = rowsOf(await check([...args, "--only", "dictionaries", "--file", "*.html"]));
      expect(rows.filter(({ rule }) => rule === "unknown")).toMatchObject([
        { file, line: 3, message: "The key TEST.NO_SUCH_KEY is in no dictionary." },
      ]);
    }
  });

  it("asks the platform for those that are named, and for all without a name", async () => {
    const named = rowsOf(await check(["--dictionary", "name:TEST"]));
    expect(named.map(({ message }) => message)).toContain("TEST.GOODBYE has no pt-BR translation.");
    expect(rowsOf(await check(["--only", "dictionaries"]))).toEqual(named);
    expect((await check(["--dictionary", "name:NO_SUCH"])).code).toBe(6);
  });
});

describe("iot check: types", () => {
  it("compares files with what the same flags make now", async () => {
    const flags = ["--device", "name:Freezer 1", "--no-dictionaries"];
    expect((await inFolder(["generate", "types", "--out", "src/types.ts", ...flags])).code).toBe(0);
    const types = { out: "src/types.ts", device: ["name:Freezer 1"], dictionaries: false };
    write("iot.config.json", { check: { types } });
    expect(await check(["--only", "types"])).toMatchObject({ code: 0, stdout: "[]\n" });
    await changed(
      "src/types.ts",
      (text) => text.replace("  city: string;", "  town: string;"),
      async () => {
        const found = await check(["--only", "types"]);
        expect(found.code).toBe(11);
        expect(rowsOf(found)).toMatchObject([
          { check: "types", rule: "stale", file: "src/types.ts", line: lineWith("src/types.ts", "town: string") },
        ]);
      },
    );
    const missing = await check(["--types", "src/other.json"]);
    expect(rowsOf(missing)).toMatchObject([{ rule: "missing", file: "src/other.json" }]);
    rmSync(place("iot.config.json"));
  });
});

describe("iot check: the project file", () => {
  it("names what is checked; flags go first, and --only and --skip choose", async () => {
    const file = write("site/widgets/one.json", [widget("No URL", { url: 5 })]);
    mkdirSync(place("site/profile"), { recursive: true });
    const project = { profile: "profile", include: "device", widgets: "widgets", dictionary: [] };
    write("site/iot.config.json", { check: project });
    const cwd = place("site");
    const skipped = await check(["--skip", "profile,dictionaries"], { cwd });
    expect(rowsOf(skipped)).toMatchObject([{ check: "widgets", file: "widgets/one.json" }]);
    expect(skipped.stderr).toContain("Checked widgets:");
    const all = rowsOf(await check(["../profile"], { cwd }));
    expect(new Set(all.map((row) => row.check))).toEqual(new Set(["widgets", "dictionaries"]));
    const below = await check(["--only", "widgets"], { cwd: place("site/profile") });
    expect(rowsOf(below)).toMatchObject([{ file: expect.stringMatching(/^\.\.\/widgets\/one\.json$/) }]);
    const github = await check(["--only", "widgets"], {
      cwd,
      env: { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: folder },
    });
    expect(github.stderr).toContain(`::error file=${file},line=`);
    rmSync(place("site"), { recursive: true });
  });

  it("rejects what is not in its schema, and paths that lead out of the project", async () => {
    const schema = JSON.parse((await inFolder(["config", "schema"])).stdout) as object;
    const isValid = new Ajv2020().compile(schema);
    for (const wrong of [
      "profile",
      { profil: "x" },
      { profile: 5 },
      { widgets: ["a", 5] },
      { types: { file: "x" } },
      { types: [{ out: "x", entities: "no" }] },
      { types: { out: "x", format: "xml" } },
    ]) {
      write("iot.config.json", { check: wrong });
      const { code, stderr } = await check(["--only", "widgets"]);
      expect({ wrong, code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('"config.invalid"') });
      expect({ wrong, isValid: isValid({ check: wrong }) }).toEqual({ wrong, isValid: false });
    }
    for (const wrong of [{ profile: "../other" }, { widgets: "/etc" }, { types: "../x.ts" }, { file: ["a/../../b"] }]) {
      write("iot.config.json", { check: wrong });
      expect(await check([])).toMatchObject({ code: 3, stderr: expect.stringContaining("below the folder") });
      expect(isValid({ check: wrong })).toBe(true);
    }
    rmSync(place("iot.config.json"));
  });
});

describe("iot check: annotations and reports", () => {
  /** A label that tries to be a command for the CI, to end an attribute, and to be a second line. */
  const hostile =
    'x ##vso[task.setvariable variable=A]b ##[add-mask]c\n::stop-commands::d\r\n%0A::error::e "><a>\u0000\uffff]]>;,';
  const files = (): string[] => ["--offline", "--widgets", write("hostile.json", [widget(hostile, { url: 5 })])];

  /** The commands that the runner of GitHub, or the agent of Azure, finds in what a job prints. */
  const commandsIn = ({ stdout, stderr }: CliResult): string[] =>
    `${stdout}\n${stderr}`.split(/\r\n|\r|\n/).filter((line) => /^\s*::|##\[|##vso\[/i.test(line));

  it.each([
    [
      "GITHUB_ACTIONS",
      "github",
      /^::error file=hostile\.json,line=\d+,title=iot check widgets::Widget "x # #vso\[[^\n]*$/,
    ],
    [
      "TF_BUILD",
      "azure",
      /^##vso\[task\.logissue type=error;sourcepath=hostile\.json;linenumber=\d+;code=widgets\.invalid;\]Widget "x # #vso\[[^\n]*$/,
    ],
  ])("writes one line for each problem in %s, and nothing else that is a command", async (variable, name, form) => {
    for (const format of ["json", "tsv", "csv", "table", "md", "yaml"]) {
      const found = await alone([...files(), "-o", format], { env: { [variable]: "True" } });
      expect({ format, code: found.code }).toEqual({ format, code: 11 });
      const commands = commandsIn(found);
      expect(commands).toHaveLength(1);
      expect(commands[0]).toMatch(form);
      expect(found.stdout).not.toContain(commands[0]);
    }
    expect(commandsIn(await alone([...files(), "--annotations", name]))).toHaveLength(1);
    expect(commandsIn(await alone([...files(), "--annotations", "none"], { env: { [variable]: "true" } }))).toEqual([]);
    expect(commandsIn(await alone(files()))).toEqual([]);
  });

  it("escapes the percent sign and what ends a property", async () => {
    const file = write("50%,a:b;]c.json", "{ no");
    const github = await alone(["--offline", "--widgets", file, "--annotations", "github"]);
    expect(github.stderr).toContain("::error file=50%25%2Ca%3Ab;]c.json,title=");
    const azure = await alone(["--offline", "--widgets", file, "--annotations", "azure"]);
    expect(azure.stderr).toContain("sourcepath=50%AZP25,a:b%3B%5Dc.json;");
    rmSync(place(file));
  });

  it("writes a code quality report whose fingerprints stay when lines move", async () => {
    interface Issue {
      readonly fingerprint: string;
      readonly severity: string;
      readonly check_name: string;
      readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
    }
    const report = async (indent: number): Promise<Issue[]> => {
      const same = [widget("A", { url: 5 }), widget("A", { url: 5 }), widget("B", { url: 5 })];
      write("same.json", JSON.stringify(same, null, indent));
      const found = await alone(["--offline", "--widgets", "same.json", "--report", "out/quality.json"]);
      expect(found.code).toBe(11);
      return JSON.parse(readFileSync(place("out/quality.json"), "utf8")) as Issue[];
    };
    const [wide, flat] = [await report(2), await report(0)];
    const prints = wide.map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
    expect(prints.length).toBeGreaterThanOrEqual(3);
    expect(flat.map(({ fingerprint }) => fingerprint)).toEqual(prints);
    expect(flat.at(-1)?.location.lines.begin).not.toBe(wide.at(-1)?.location.lines.begin);
    expect(wide[0]).toMatchObject({
      severity: "major",
      check_name: "widgets.invalid",
      location: { path: "same.json" },
    });
    const remote = await check(["--dictionary", "name:TEST", "--report", "out/remote.json"]);
    expect(remote.code).toBe(11);
    const issues = JSON.parse(readFileSync(place("out/remote.json"), "utf8")) as Issue[];
    expect(issues[0]?.location).toEqual({ path: "iot.config.json", lines: { begin: 1 } });
  });

  it("writes a JUnit report that is well-formed whatever the text", async () => {
    const found = await alone([...files(), "--report", "out/junit.xml"]);
    expect(found).toMatchObject({ code: 11, stderr: expect.stringContaining("Wrote the report out/junit.xml.") });
    const text = readFileSync(place("out/junit.xml"), "utf8");
    const open: string[] = [];
    for (const [, end, name = "", attributes = "", single] of text.matchAll(
      /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g,
    )) {
      if (end === "/") expect(open.pop()).toBe(name);
      else if (single !== "/") open.push(name);
      expect(attributes.replace(/&(amp|lt|gt|quot);/g, "")).not.toContain("&");
    }
    expect(open).toEqual([]);
    // Nothing is left that is no tag and no plain text.
    expect(text.replace(/<\?xml[^>]*\?>|<\/?[a-z]+(?: [a-z]+="[^"<]*")*\/?>/g, "")).not.toMatch(/[<>]/);
    for (const mark of ["\u0000", "\uffff"]) expect(text).not.toContain(mark);
    expect(text).toContain('<testsuite name="widgets" tests="1" failures="1">');
    const clean = write("clean.json", [widget("Fine", { url: "https://example.test/" })]);
    expect((await alone(["--offline", "--widgets", clean, "--report", "out/junit.xml"])).code).toBe(0);
    expect(readFileSync(place("out/junit.xml"), "utf8")).toContain('name="widgets"/>');
  });

  it("leads to the report in GitLab", async () => {
    const clean = write("clean.json", [widget("Fine", { url: "https://example.test/" })]);
    const args = ["--offline", "--widgets", clean];
    const hinted = await alone(args, { env: { GITLAB_CI: "true" } });
    expect(hinted).toMatchObject({ code: 0, stderr: expect.stringContaining("--report gl-code-quality-report.json") });
    expect((await alone([...args, "--annotations", "gitlab"])).code).toBe(2);
    const report = ["--report", "gl.json"];
    const { code, stderr } = await alone([...args, "--annotations", "gitlab", ...report]);
    expect({ code, isHinted: stderr.includes("hint:") }).toEqual({ code: 0, isHinted: false });
    expect(readFileSync(place("gl.json"), "utf8")).toBe("[]\n");
  });

  it.each([
    [[], "There is nothing to check."],
    [["--only", "types"], 'nothing to check for "types"'],
    [["--only", "widget"], "widgets"],
    [["--offline", "--only", "dictionaries"], "--offline leaves out"],
    [["--offline", "--types", "types.ts"], "There is nothing to check."],
    [["--offline", "--widgets", "clean.json", "--report", "out.txt"], ".json (GitLab code quality)"],
    [["--annotations", "jenkins", "--widgets", "clean.json"], "github"],
  ])("rejects %j with 2", async (args, text) => {
    const found = await alone(args);
    expect(found).toMatchObject({ code: 2, stdout: "" });
    expect(found.stderr.replaceAll('\\"', '"')).toContain(text);
    expect(readdirSync(folder)).not.toContain(basename("out.txt"));
  });
});
