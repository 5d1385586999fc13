import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cheatSheet, commandDocs, manualPages } from "../../src/commands/program/manual/files.ts";
import { titleIn } from "../../src/commands/program/manual/markdown.ts";
import { topics } from "../../src/commands/program/topics/topics.ts";
import { nouns } from "../../src/commands/registry.ts";
import { root } from "./imports.ts";

const docs = await commandDocs();
const pages = await manualPages();
const folder = join(root, "docs", "commands");

describe("docs/commands", () => {
  it('says what the command table says; "npm run docs" writes it again', () => {
    const written = existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"))
      : [];
    const stale = [...docs].filter(([name, text]) => {
      const path = join(folder, name);
      return !existsSync(path) || readFileSync(path, "utf8") !== text;
    });
    const gone = written.map((name) => name.replaceAll("\\", "/")).filter((name) => !docs.has(name));
    const files = [...stale.map(([name]) => name), ...gone];
    expect(files, `stale: ${files.join(", ")}. Run "npm run docs" and commit docs/commands.`).toEqual([]);
  });

  it("has every command with its flags, arguments and examples", async () => {
    for (const noun of nouns) {
      const page = docs.get(`${noun.name}.md`) ?? "";
      for (const command of (await noun.load()).commands) {
        expect(page).toContain(`\n## ${["iot", noun.name, ...command.path].join(" ")}\n`);
        for (const option of command.options ?? []) expect(page).toMatch(new RegExp(`\\| .*--(no-)?${option.name}\\b`));
        for (const argument of command.args ?? []) expect(page).toContain(argument.name);
        for (const example of command.examples) expect(page).toContain(`\n${example}\n`);
      }
    }
  });

  it('names under "See also" only what there is', async () => {
    const loaded = await Promise.all(nouns.map(async (noun) => ({ noun, commands: (await noun.load()).commands })));
    const groups = loaded.flatMap(({ noun, commands }) => [
      `iot ${noun.name}`,
      ...commands.flatMap(({ path }) => path.map((_, i) => ["iot", noun.name, ...path.slice(0, i)].join(" "))),
    ]);
    const titles = new Set(
      loaded.flatMap(({ noun, commands }) => commands.map(({ path }) => ["iot", noun.name, ...path].join(" "))),
    );
    const isThere = (line: string) => {
      const [, topic = ""] = /^iot help (\S+)/.exec(line) ?? [];
      if (line === "iot --help" || topic === "schema" || topics.has(topic)) return true;
      return groups.includes(line) || titleIn(line, titles) !== undefined;
    };
    const related = loaded.flatMap(({ commands }) => commands.flatMap((command) => command.related ?? []));
    expect([...new Set(related)].filter((line) => !isThere(line))).toEqual([]);
  });

  it("has no link that leads nowhere", () => {
    const anchors = (text: string) =>
      new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.toLowerCase().replaceAll(" ", "-")));
    const broken = [...docs].flatMap(([name, text]) =>
      [...text.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)]
        .filter(([, file = "", anchor]) => {
          const target = docs.get(file === "" ? name : file);
          return target === undefined || (anchor !== undefined && !anchors(target).has(anchor));
        })
        .map(([link]) => `${name}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

describe("docs/cheat-sheet.md", () => {
  it('says what the command table says; "npm run docs" writes it again', async () => {
    expect(readFileSync(join(root, "docs", "cheat-sheet.md"), "utf8")).toBe(await cheatSheet());
  });

  it("has every verb, on a page that can be printed", async () => {
    const text = await cheatSheet();
    for (const noun of nouns) {
      const line =
        text.split("\n").find((row) => row.startsWith(`| [\`${noun.name}\`](commands/${noun.name}.md) `)) ?? "";
      const verbs = (line.split(" | ")[1] ?? "").replace(/ \|$/, "").split(", ");
      for (const { path } of (await noun.load()).commands.filter(({ path }) => path.length > 0))
        expect(verbs, noun.name).toContain(path.join(" "));
    }
    expect(text.split("\n").length).toBeLessThan(160);
  });
});

describe("manual pages", () => {
  it("are those of the folder package.json names, and small", () => {
    const { directories } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly directories: { readonly man: string };
    };
    expect(readdirSync(join(root, directories.man)).sort()).toEqual([...pages.keys()].sort());
    const bytes = [...pages.values()].reduce((sum, text) => sum + gzipSync(text, { level: 9 }).byteLength, 0);
    expect(bytes).toBeLessThan(150_000);
  });

  it("hold only requests of ours, and text that cannot become one", () => {
    const known = /^(\.(TH|SH|SS|PP|TP|RS|RE|nf|fi)( .*)?|[^.'].*)$/;
    for (const [name, text] of pages) {
      const wrong = text
        .trimEnd()
        .split("\n")
        .filter((line) => !known.test(line));
      expect({ name, wrong }).toEqual({ name, wrong: [] });
    }
  });

  const hasGroff = spawnSync("groff", ["--version"]).status === 0;
  it.runIf(hasGroff)("are read by groff without a warning", () => {
    const all = [...pages.values()].join("");
    const { status, stderr, stdout } = spawnSync("groff", ["-man", "-Tutf8", "-ww"], { input: all, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const names = stdout.replaceAll(/\s+/g, " ");
    for (const noun of nouns) expect(names).toContain(`iot-${noun.name} - `);
  });
});
