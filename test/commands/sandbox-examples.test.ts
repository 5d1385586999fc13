import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "../contract/imports.ts";
import { runCli, temporaryFolder } from "../helpers/cli.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...words: readonly string[]) => runCli(["sandbox", "examples", ...words], { cwd: folder });

it("writes the files that the guides use, and leaves what is there as it is", async () => {
  const parser = join(folder, "examples", "parser", "parser.js");
  const first = await run("examples");
  expect(first).toMatchObject({ code: 0, stdout: `${join(folder, "examples")}\n` });
  expect(readFileSync(parser, "utf8")).toBe(readFileSync(join(root, "examples", "parser", "parser.js"), "utf8"));
  writeFileSync(parser, "my own");
  rmSync(join(folder, "examples", "sql"), { recursive: true });
  const again = await run("examples");
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^info: 1 file written; \d+ files there already/),
  });
  expect(readFileSync(parser, "utf8")).toBe("my own");
  expect(readdirSync(join(folder, "examples"))).toContain("sql");
});

it("writes to the folder that is named, and to no file", async () => {
  expect((await run("mine/files")).code).toBe(0);
  expect(readdirSync(join(folder, "mine", "files"))).toContain("legacy-widgets.json");
  mkdirSync(join(folder, "other"));
  writeFileSync(join(folder, "other", "file"), "");
  const { code, stderr } = await run("other/file");
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining("cannot be a folder") });
});
