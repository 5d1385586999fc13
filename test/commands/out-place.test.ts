import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

/** A folder with the file `taken` and the folder `kept`. */
function place(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "taken"), "mine");
  writeFileSync(join(folder, "texts.txt"), "#TEST.HELLO#");
  writeFileSync(join(folder, "widget.json"), JSON.stringify({ type: "gauge", label: "x", display: {} }));
  mkdirSync(join(folder, "kept"));
  writeFileSync(join(folder, "kept", "notes.txt"), "mine");
  return folder;
}

const dashboard = "name:Plant, old widgets";

describe("a place that cannot be written", () => {
  it.each([
    ["widget convert --out", ["widget", "convert", "widget.json", "--out", "taken/deep"]],
    ["widget convert --report-file", ["widget", "convert", "widget.json", "--check", "--report-file", "taken/r.html"]],
    ["generate types", ["generate", "types", "--out", "taken/types.ts"]],
    ["generate types, for a folder", ["generate", "types", "--out", "kept"]],
    ["dictionary pull", ["dictionary", "pull", "--out", "taken"]],
    ["dictionary apply", ["dictionary", "apply", "texts.txt", "--out", "taken/deep"]],
    ["analysis init", ["analysis", "init", "hello", "--file", "taken/hello.ts"]],
    ["stream --save", ["stream", "device_data", "name:Freezer 1", "--for", "200ms", "--save", "taken/a.ndjson"]],
    ["stream --save, in no folder", ["stream", "device_data", "name:Freezer 1", "--for", "200ms", "--save", "no/a"]],
    ["device watch --save", ["device", "watch", "name:Freezer 1", "--for", "200ms", "--save", "taken/a.ndjson"]],
    ["dashboard export", ["dashboard", "export", "--all", "--out", "taken/deep", "--yes"]],
    ["dashboard migrate --save-plan", ["dashboard", "migrate", dashboard, "--save-plan", "taken/plan.json"]],
    ["dashboard import --map-file", ["dashboard", "import", "examples/dashboards", "--map-file", "taken/ids.json"]],
    ["file download, one file", ["file", "download", "reports/open.txt", "--out", "taken/open.txt"]],
    ["file download, several", ["file", "download", "reports/open.txt", "logos/plant.svg", "--out", "taken"]],
    ["file sync", ["file", "sync", "files:/reports", "taken/deep"]],
    ["profile export", ["profile", "export", "--out", "taken/deep", "--yes"]],
  ])("is refused by %s before a request is sent, and nothing is written", async (_, args) => {
    const cwd = place();
    const words = args.map((word) => (word === "examples/dashboards" ? join(process.cwd(), word) : word));
    const before = here.requests().length;
    const { code, stdout, stderr } = await here.iot(words, { cwd });
    expect({ code, stdout, sent: here.requests().slice(before) }).toEqual({ code: 3, stdout: "", sent: [] });
    expect(stderr).toMatch(/taken|kept|folder no does/);
    expect(stderr).toContain("next:");
    expect(readdirSync(cwd).sort()).toEqual(["kept", "taken", "texts.txt", "widget.json"]);
  });

  it("is refused by profile export where other files are, before a request is sent", async () => {
    const before = here.requests().length;
    const { code } = await here.iot(["profile", "export", "--out", "kept", "--yes"], { cwd: place() });
    expect({ code, sent: here.requests().slice(before) }).toEqual({ code: 7, sent: [] });
  });

  it("is no folder that has yet to be made, at any depth", async () => {
    const cwd = place();
    const { code } = await here.iot(["dictionary", "pull", "--out", "new/deep/texts"], { cwd });
    expect({ code, there: readdirSync(join(cwd, "new", "deep")) }).toEqual({ code: 0, there: ["texts"] });
  });
});
