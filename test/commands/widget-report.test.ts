import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

const label = `<script>alert("1")</script>\u202e\u001b[31m'&`;
const legacy = {
  id: "w1",
  label,
  type: "gauge",
  data: [{ origin: "d1", variables: ["wind"] }],
  display: { gauge_type: "angular", minimum: "0", unit: "<img src=x onerror=alert(1)>", '"></td><script>': 1 },
};

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "w.json"), JSON.stringify([legacy, { type: "gauge", label: "Odd", display: {} }, 5]));
});

const text = (name: string): string => readFileSync(join(folder, name), "utf8");
const convert = (...args: string[]): Promise<CliResult> => runHere(["widget", "convert", ...args], { cwd: folder });

describe("the html report", () => {
  it("is one file that loads nothing, runs nothing, and shows hostile text as text", async () => {
    expect((await convert("w.json", "--out", "new", "--report-file", "r.html")).code).toBe(8);
    const html = text("r.html");
    expect(html).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
    expect(html).not.toMatch(/<script|<img|<link|<iframe|\shref=|\ssrc="|url\(|@import|javascript:/i);
    expect(html).toContain("&lt;script&gt;alert(");
    expect(html).not.toContain("\u202e");
    expect(html).not.toContain("\u001b");
    expect(html).toContain("U+202E");
    // Every element that opens also closes.
    for (const tag of ["details", "table", "tbody", "main", "section", "ul", "summary", "label"]) {
      const count = (pattern: RegExp): number => html.match(pattern)?.length ?? 0;
      expect(count(new RegExp(`<${tag}[ >]`, "g")), tag).toBe(count(new RegExp(`</${tag}>`, "g")));
    }
  });

  it("has old and new side by side, and every key with what became of it", async () => {
    await convert("w.json", "--out", "new", "--report-file", "r.html");
    const html = text("r.html");
    expect(html).toContain('<td class="old">  &quot;type&quot;: &quot;gauge&quot;,</td>');
    expect(html).toContain('<td class="new">  &quot;type&quot;: &quot;angular&quot;,</td>');
    expect(html).toContain("<td>display.minimum</td><td>mapped: display.range.minimum</td>");
    expect(html).toContain('<tr class="lost">');
    expect(html).toContain("<p>Old: gauge/angular</p><figure ");
    expect(html).toContain("<p>New: angular</p><figure ");
    expect(html).toMatch(/<b>1<\/b><span>converted/);
    expect(html).toMatch(/<b>1<\/b><span>invalid/);
  });
});

const chart = {
  id: "c1",
  label: "Flow",
  type: "chart",
  data: [{ origin: "d1", query: "last_value", variables: ["a", "b"] }],
  display: {
    chart_type: "spline",
    numberformat: "0.00",
    vars_labels: { d1a: "A" },
    made_up: { x: 1, y: 2, z: {} },
    watermark: false,
  },
};
const note = (label: string): object => ({ id: label, label, type: "note", display: { value: "new" } });

/** Writes a report about two files: Harbour with one legacy widget between current ones, and Depot without legacy widgets. */
async function aboutTwo(name: string): Promise<string> {
  writeFileSync(join(folder, "harbour.json"), JSON.stringify([note("North"), chart, note("South")]));
  writeFileSync(join(folder, "depot.json"), JSON.stringify([note("East")]));
  await convert("harbour.json", "depot.json", "--out", `new-${name}`, "--yes", "--report-file", name);
  return text(name);
}

describe("a report of several files", () => {
  it("has a section for each, with the current widgets folded and counted after those that changed", async () => {
    const html = await aboutTwo("r.html");
    const [, harbour = "", depot = ""] = html.split('<section class="group">');
    expect(harbour).toMatch(/^\s*<h2>harbour\.json<\/h2>/);
    expect(depot).toMatch(/^\s*<h2>depot\.json<\/h2>/);
    expect(harbour.indexOf("<b>Flow</b>")).toBeLessThan(harbour.indexOf("<b>North</b>"));
    expect(harbour).toContain('<details class="left"><summary>2 already current</summary>');
    expect(depot).toContain('<details class="left"><summary>1 already current</summary>');
  });

  it("offers to show only what changed, lost something, or lost one setting, without a script", async () => {
    const html = await aboutTwo("r.html");
    for (const id of ["all", "changed", "loses", "lost-0", "lost-1"])
      expect(html).toContain(`<input type="radio" name="show" id="show-${id}"`);
    expect(html).toContain('<section class="widget changed loses lost-0 lost-1">');
    expect(html).toMatch(/id="show-lost-0"> numberformat \(1 widget\): numbers show as many decimals as they have/);
    expect(html).toContain('<div class="widget line">');
    expect(html).toMatch(/main:has\(#show-lost-1:checked\) :is\(\.widget:not\(\.lost-1\)/);
  });

  it("folds the keys of a setting under it, what is lost first, in HTML, Markdown and JSON", async () => {
    const html = await aboutTwo("r.html");
    expect(html).toContain('<tr class="lost"><td>display.made_up</td><td>2 of 3 keys lost: not a known key');
    expect(html).toContain("<summary>3 keys</summary><ul><li>display.made_up.x: lost: not a known key");
    expect(html.indexOf("<td>display.made_up</td>")).toBeLessThan(html.indexOf("<td>display.vars_labels.d1a</td>"));
    const markdown = await aboutTwo("r.md");
    expect(markdown).toContain("## harbour.json\n\n### North\n");
    expect(markdown).toContain("| display.made\\_up (3 keys) | 2 of 3 keys lost: not a known key");
    expect(markdown).not.toContain("made\\_up.x");
    const { widgets } = JSON.parse(await aboutTwo("r.json")) as {
      widgets: { settings: { path: string; state: string; keys: { path: string; state: string }[] }[] }[];
    };
    expect(widgets[1]?.settings.find(({ path }) => path === "display.made_up")).toMatchObject({
      state: "lost",
      keys: [{ state: "lost" }, { path: "display.made_up.y", state: "lost" }, { state: "not needed" }],
    });
    const order = ["lost", "changed", "not needed", "unchanged"];
    const states = widgets[1]?.settings.map(({ state }) => order.indexOf(state)) ?? [];
    expect(states).toEqual([...states].sort());
    expect(new Set(states).size).toBe(order.length);
  });

  it("shows only lines that differ as different, whatever the order of the keys", async () => {
    const html = await aboutTwo("r.html");
    for (const line of ["label&quot;: &quot;Flow&quot;,", "id&quot;: &quot;c1&quot;,", "origin&quot;: &quot;d1&quot;,"])
      expect(html).toMatch(new RegExp(`<td class="same">\\s*&quot;${line}</td>`));
    expect(html).not.toMatch(/<td class="(?:old|new)"> {2}&quot;(?:id|label|data)&quot;/);
  });

  it("uses two words for keys without an effect: lost and not needed", async () => {
    const other = /\b(?:dropped|ignored|harmless|unsupported|left out)\b/i;
    expect((await aboutTwo("r.html")).replace(/<style>.*?<\/style>/s, "")).not.toMatch(other);
    expect(await aboutTwo("r.md")).not.toMatch(other);
    const { stdout, stderr } = await convert("harbour.json", "--check");
    expect(stdout + stderr).not.toMatch(other);
    expect(stdout).toContain("lost numberformat, made_up (2 keys); ");
  });
});

describe("the other reports", () => {
  it("tell every key of every widget in JSON, on stdout in place of the rows", async () => {
    const { stdout } = await convert("w.json", "--out", "new", "--report-format", "json");
    const report = JSON.parse(stdout) as {
      widgets: { verdict: string; keys: { path: string; status: string }[]; old: unknown; new: unknown }[];
      summary: unknown;
    };
    expect(report.summary).toEqual({ total: 3, converted: 1, current: 0, unsupported: 1, invalid: 1, failed: 0 });
    expect(report.widgets.map(({ verdict }) => verdict)).toEqual(["converted", "unsupported", "invalid"]);
    expect(report.widgets[0]).toMatchObject({ old: legacy, new: { type: "angular" } });
    expect(report.widgets[0]?.keys.map(({ path }) => path)).toContain("display.minimum");
  });

  it("are Markdown with hostile text escaped, and tab-separated text", async () => {
    await convert("w.json", "--out", "new", "--report-file", "r.md");
    expect(text("r.md")).toContain("\\<script\\>alert");
    expect(text("r.md")).toContain("| display.minimum | mapped: display.range.minimum |");
    await convert("w.json", "--out", "new", "--yes", "--report-file", "r.txt");
    expect(text("r.txt").split("\n")[0]).toBe("file\tplace\tlabel\tverdict\tfrom\tto\tnotes");
    expect(text("r.txt").trim().split("\n")).toHaveLength(4);
  });

  it("are asked for by the former name of the flag as well, which names the new one", async () => {
    const { stdout, stderr } = await convert("w.json", "--out", "new", "--report", "json");
    expect(JSON.parse(stdout)).toHaveProperty("summary");
    expect(stderr).toContain("warning: --report is now --report-format.\n");
    expect((await convert("--help")).stdout).not.toMatch(/--report </);
  });

  it("go beside the converted text only into a file", async () => {
    const { code, stderr } = await convert("w.json", "--report-format", "html");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--report-file") });
    const both = await convert("w.json", "--report-format", "html", "--report-file", "r.html");
    expect(both.code).toBe(8);
    expect(JSON.parse(both.stdout)).toMatchObject([{ type: "angular" }, {}, 5]);
    expect(existsSync(join(folder, "r.html"))).toBe(true);
    expect((await convert("w.json", "--report-format", "pdf")).code).toBe(2);
  });

  it("are not written at all where they cannot be", async () => {
    const { code, stderr } = await convert("w.json", "--check", "--report-file", "w.json/r.html");
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/part of its path is a file/m) });
  });
});
