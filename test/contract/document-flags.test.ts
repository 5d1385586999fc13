import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allOptionsOf } from "../../src/commands/kit/command/rules.ts";
import { nouns } from "../../src/commands/registry.ts";
import { root } from "./imports.ts";

const pages = ["docs", "docs/for"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`),
);

/** Flags of Docker, npm, Node and others, which pages name as well. */
const ofOthers: ReadonlySet<string> = new Set(["allow-inspector", "live", "publish", "rm", "volume"]);

async function knownFlags(): Promise<ReadonlySet<string>> {
  const commands = (await Promise.all(nouns.map((noun) => noun.load()))).flatMap((module) => module.commands);
  const names = commands.flatMap((command) => allOptionsOf(command).map(({ name }) => name));
  return new Set([...names, ...names.map((name) => `no-${name}`), "help", "version"]);
}

/** Flags between backticks that begin there: those of whole commands are read by the tests of the documents. */
const flagsIn = (text: string): string[] =>
  [...text.matchAll(/`(--[^`]+)`/g)].flatMap(([, code = ""]) =>
    [...code.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name = ""]) => name),
  );

it("the guides name flags that a command has", async () => {
  const known = await knownFlags();
  const named = pages.flatMap((page) =>
    flagsIn(readFileSync(join(root, page), "utf8")).map((flag) => ({ page, flag })),
  );
  expect(named.length).toBeGreaterThan(300);
  expect(named.filter(({ flag }) => !known.has(flag) && !ofOthers.has(flag))).toEqual([]);
});
