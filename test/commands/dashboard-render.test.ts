import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const PLANT = "65a1000000000000000b0002";
const LEGACY = "65a1000000000000000b0001";
const SILO = "65a1000000000000000b0003";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest({ clock: new Date("2026-01-15T13:37:20Z") });
});
afterAll(() => here.close());

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
  here.sandbox.faults.set([]);
});

const render = (...args: string[]): Promise<CliResult> => here.iot(["dashboard", "render", ...args], { cwd: folder });
const text = (name: string): string => readFileSync(join(folder, name), "utf8");
const count = (whole: string, part: string): number => whole.split(part).length - 1;

describe("dashboard render --html", () => {
  it("writes one page with every widget, and reads each once and nothing else", async () => {
    const before = here.requests().length;
    const result = await render(PLANT, "--html", "p.html");
    expect(result).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining('"Plant overview" to p.html'),
    });
    const html = text("p.html");
    expect(html).toMatch(/^<!DOCTYPE html>/);
    expect(html).toContain("<h1>Plant overview</h1>");
    expect(html).not.toMatch(/<script|<img|<image|<link|<iframe|\shref=|\ssrc="|url\(|@import|\sstyle="/i);
    const reads = here
      .requests()
      .slice(before)
      .filter((line) => line.includes("/data/"));
    expect(new Set(reads).size).toBe(reads.length);
    expect(count(html, '<figure class="iot-widget')).toBe(reads.length);
    expect(
      here
        .requests()
        .slice(before)
        .filter((line) => !line.startsWith("GET ")),
    ).toEqual([]);
    expect(html).not.toContain(here.sandbox.tokens.profile);
  });

  it("draws legacy widgets, one tab, and the dark theme", { tags: ["slow"] }, async () => {
    expect(await render(LEGACY, "--html", "old.html", "--theme", "dark")).toMatchObject({ code: 0 });
    expect(text("old.html")).toContain('<html lang="en" data-theme="dark">');
    expect(count(text("old.html"), 'data-structure="legacy"')).toBeGreaterThan(20);
    expect(await render(PLANT, "--tab", "More", "--html", "tab.html")).toMatchObject({ code: 0 });
    expect(count(text("tab.html"), "<section>")).toBe(1);
    expect(await render(PLANT, "--tab", "None", "--html", "no.html")).toMatchObject({ code: 6 });
    expect(existsSync(join(folder, "no.html"))).toBe(false);
  });

  it("shows the first device that fits a placeholder, or the one that is chosen", async () => {
    expect(await render(SILO, "--html", "first.html")).toMatchObject({ code: 0 });
    expect(text("first.html")).not.toContain("No data");
    const choice = ["--choose", "silo=name:Silo north"];
    const before = here.requests().length;
    expect(await render(SILO, "--html", "chosen.html", ...choice)).toMatchObject({ code: 0 });
    expect(here.requests().slice(before).join("\n")).toContain("blueprint_devices");
    expect(await render(SILO, "--html", "x.html", "--choose", "barn=name:Silo north")).toMatchObject({ code: 2 });
  });

  it("says in the box of a widget why it could not be read, and ends with 8", async () => {
    const widgets = `/data/${PLANT}/`;
    const { stdout } = await here.iot(["widget", "list", "--dashboard", PLANT, "-o", "id"]);
    const [first = ""] = stdout.split("\n");
    here.sandbox.faults.set([{ kind: "status", status: 403, message: "<b>No</b>", route: `GET ${widgets}${first}` }]);
    const result = await render(PLANT, "--html", "p.html");
    expect(result).toMatchObject({ code: 8, stderr: expect.stringMatching(/1 of \d+ widgets could not be read/) });
    expect(text("p.html")).toContain("This widget could not be read: 403 &lt;b&gt;No&lt;/b&gt;");
    expect(count(text("p.html"), '<figure class="iot-widget')).toBeGreaterThan(20);
  });

  it("writes nothing where no widget can be read, and leaves a file that is there", async () => {
    writeFileSync(join(folder, "p.html"), "mine");
    expect(await render(PLANT, "--html", "p.html")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes"),
    });
    here.sandbox.faults.set([{ kind: "status", status: 403, route: "GET /data/*" }]);
    expect(await render(PLANT, "--html", "p.html", "--yes")).toMatchObject({ code: 5 });
    expect(text("p.html")).toBe("mine");
    here.sandbox.faults.set([]);
    expect(await render(PLANT, "--html", "p.html", "--yes")).toMatchObject({ code: 0 });
    expect(text("p.html")).toMatch(/^<!DOCTYPE html>/);
    expect(readdirSync(folder)).toEqual(["p.html"]);
  });

  it("asks for what is missing, and takes one output", async () => {
    expect(await render(PLANT)).toMatchObject({ code: 2 });
    expect(await render(PLANT, "--svg", "-")).toMatchObject({ code: 2 });
    expect(await render(PLANT, "--svg", "a", "--html", "b")).toMatchObject({ code: 2 });
    expect(await render(PLANT, "--html", "no/p.html")).toMatchObject({ code: 3 });
    expect(await render("65a1000000000000000bffff", "--html", "p.html")).toMatchObject({ code: 6 });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("dashboard render --svg", () => {
  it("prints one widget", async () => {
    const result = await render(PLANT, "--widget", "name:Freezer temperature", "--svg", "-");
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="\d+"/);
    expect(result.stdout).toContain("<title>Freezer temperature</title>");
    expect(result.stdout).not.toMatch(/<script|\shref=|\ssrc="|@import/i);
  });

  it("writes a file for each widget, and asks before it replaces one", { tags: ["slow"] }, async () => {
    expect(await render(PLANT, "--svg", "out")).toMatchObject({ code: 0 });
    const names = readdirSync(join(folder, "out"));
    expect(names).toContain("freezer-temperature.svg");
    expect(names.length).toBeGreaterThan(20);
    writeFileSync(join(folder, "out", "freezer-temperature.svg"), "mine");
    expect(await render(PLANT, "--svg", "out")).toMatchObject({ code: 2 });
    expect(text("out/freezer-temperature.svg")).toBe("mine");
    expect(await render(PLANT, "--svg", "out", "--yes")).toMatchObject({ code: 0 });
    expect(text("out/freezer-temperature.svg")).toMatch(/^<svg /);
  });
});
