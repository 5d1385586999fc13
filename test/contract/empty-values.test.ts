import { describe, expect, it } from "vitest";
import type { Command, OptionSpec } from "../../src/commands/kit/command/define.ts";
import { sharedOptionsOf } from "../../src/commands/kit/command/shared-options.ts";
import { CommandError } from "../../src/commands/kit/failures/command-error.ts";
import { inputOf } from "../../src/commands/program/input.ts";
import { Word } from "../../src/commands/program/word.ts";
import { nouns } from "../../src/commands/registry.ts";
import { runHere } from "../helpers/in-process.ts";

interface Case {
  readonly title: string;
  readonly command: Command;
}

const cases: Case[] = [];
for (const noun of nouns) {
  for (const command of (await noun.load()).commands)
    cases.push({ title: ["iot", noun.name, ...command.path].join(" "), command });
}

/** Reads lines of one command, whose flags are made once, on use: that takes longer than reading a line. */
function codesOf({ title, command }: Case): (line: readonly string[]) => string {
  let word: Word | undefined;
  return (line) => {
    try {
      word ??= new Word(title, { act: async () => undefined, text: "" }).exitOverride().take(command);
      inputOf(word.parse(line, { from: "user" }), command);
      return "taken";
    } catch (error) {
      return error instanceof CommandError ? error.code : String(error);
    }
  };
}

/** Flags that limit what is read or changed; an empty one would widen it. */
const limiting =
  /^(from|to|last|variable|group|id|tag|filter|device|dashboard|analysis|network|connector|portal|env|profile|entity|name|path|resource|only|exclude|to-env)$/;

describe("an empty value", () => {
  it("is refused for every flag of every command that does not say it may be empty", () => {
    const taken: string[] = [];
    // Most flags are one object that many commands share.
    const seen = new Set<OptionSpec>();
    for (const one of cases) {
      const { title, command } = one;
      const codeOf = codesOf(one);
      const words = (command.args ?? []).filter(({ required }) => required).map(() => "x");
      for (const spec of [...sharedOptionsOf(command), ...(command.options ?? [])]) {
        if (spec.value === undefined || spec.allowEmpty === true || seen.has(spec)) continue;
        seen.add(spec);
        for (const flag of [[`--${spec.name}`, ""], [`--${spec.name}=`]])
          if (codeOf([...words, ...flag]) !== "usage.empty_value") taken.push(`${title} ${flag[0]}`);
      }
    }
    expect(taken).toEqual([]);
    expect(seen.size).toBeGreaterThan(300);
  });

  it("is refused for every argument that does not say it may be empty", () => {
    const taken: string[] = [];
    for (const one of cases) {
      const { title, command } = one;
      const codeOf = codesOf(one);
      for (const [at, spec] of (command.args ?? []).entries()) {
        const words = (command.args ?? []).map((_, i) => (i === at ? "" : "x"));
        const code = spec.allowEmpty === true ? "usage.empty_value" : codeOf(words);
        if (code !== "usage.empty_value") taken.push(`${title} <${spec.name}>`);
      }
    }
    expect(taken).toEqual([]);
  });

  it("may be given only where a text is stored, never to limit what a command is about", () => {
    const open = cases.flatMap(({ title, command }) =>
      (command.options ?? []).filter(({ allowEmpty }) => allowEmpty === true).map(({ name }) => ({ title, name })),
    );
    expect(open.length).toBeGreaterThan(0);
    const reads = /\b(list|get|delete|remove|export|count|empty|watch|search|chart)$/;
    expect(open.filter(({ title, name }) => reads.test(title) || (limiting.test(name) && name !== "name"))).toEqual([]);
  });

  it("of a tag, a filter or an id form is refused as well", async () => {
    for (const line of [
      ["device", "list", "--tag", "site="],
      ["device", "list", "--filter", "name="],
      ["device", "data", "export", "--tag", "site="],
      ["device", "export", "--tag", "site="],
      ["dashboard", "migrate", "--tag", "site="],
      ["device", "delete", "tag:site="],
      ["device", "delete", "name:"],
    ]) {
      const env = { IOT_API_URL: "http://127.0.0.1:9", IOT_TOKEN: "x" };
      const { code, stderr } = await runHere([...line, "--json"], { env });
      expect([line.join(" "), code, stderr]).toEqual([line.join(" "), 2, expect.stringContaining("usage.")]);
    }
  });
});
