import { describe, expect, it } from "vitest";
import { z } from "zod";
import { allOptionsOf, ruleNotes } from "../../src/commands/kit/command/rules.ts";
import { sharedOptionsOf } from "../../src/commands/kit/command/shared-options.ts";
import { resultSchema } from "../../src/commands/program/help/result-schema.ts";
import { nouns } from "../../src/commands/registry.ts";
import { DEAD_END } from "../helpers/dead-end.ts";
import { runHere } from "../helpers/in-process.ts";
import { leaves } from "../helpers/leaves.ts";
import { tierOf } from "../helpers/tiers.ts";

/** No platform is reached: usage is wrong before anything is sent. */
const env = { IOT_API_URL: DEAD_END, IOT_EVENTS_URL: `${DEAD_END}/events`, IOT_TOKEN: "t" };

for (const leaf of leaves)
  describe(leaf.title, tierOf(leaf), () => {
    const { title, words, command } = leaf;
    const usage = async (args: readonly string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await runHere(args, { env });
      return { code, stdout, isExplained: /^error: .+\n( {2}why: .+\n)?( {2}next: .+\n)?$/.test(stderr) };
    };
    const wrong = { code: 2, stdout: "", isExplained: true };

    it("explains itself without a network", async () => {
      const { code, stdout, stderr } = await runHere([...words, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(`  ${title}`);
      expect(stdout).toContain("Examples:");
    });

    it("refuses wrong usage with 2", async () => {
      expect(await usage([...words, "--no-such-flag"])).toEqual(wrong);
      expect(await usage([...words, "-o", "no-such-format"])).toEqual(wrong);
      expect(await usage([...words, "--env"])).toEqual(wrong);
      const args = command.args ?? [];
      if (!args.some(({ variadic }) => variadic)) {
        expect(await usage([...words, ...args.map(() => "0".repeat(24)), "one-too-many"])).toEqual(wrong);
      }
      if (args.some(({ required }) => required)) expect(await usage([...words])).toEqual(wrong);
      for (const option of command.options ?? []) {
        if (option.choices === undefined) continue;
        expect(await usage([...words, `--${option.name}`, "no-such-choice"])).toEqual(wrong);
      }
    });

    it("refuses flags that contradict each other or lack another, by rules about flags of its own", async () => {
      const all = allOptionsOf(command);
      const typed = (name: string): readonly string[] => {
        if (name.startsWith("<")) return ["x"];
        const option = all.find((one) => one.name === name);
        if (option?.value !== undefined) return [`--${name}`, option.choices?.[0] ?? "x"];
        return [option?.negatable === true ? `--no-${name}` : `--${name}`];
      };
      const known = [...all, ...(command.args ?? []).map(({ name }) => ({ name: `<${name}>` }))].flatMap(({ name }) => [
        name,
        `no-${name}`,
      ]);
      const required = (command.args ?? []).flatMap((one) => (one.required === true ? ["x"] : []));
      for (const { name, formerly = [] } of all) {
        const { needs, conflicts } = ruleNotes(all)(name);
        expect([...needs, ...conflicts].filter((other) => !known.includes(other))).toEqual([]);
        expect(formerly.filter((other) => known.includes(other))).toEqual([]);
        if (needs.length > 0) expect(await usage([...words, ...required, ...typed(name)])).toEqual(wrong);
        for (const other of conflicts.filter((one) => !one.startsWith("<"))) {
          expect(await usage([...words, ...required, ...typed(name), ...typed(other)])).toEqual(wrong);
        }
      }
    });

    it("has a schema of its JSON that can be read", () => {
      const schema = resultSchema(title, command);
      if (schema === undefined) expect(command.result?.shape).toBe("none");
      else expect(() => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])).not.toThrow();
    });

    it("is completed, with every flag", async () => {
      const { code, stdout } = await runHere(["__complete", "--", ...words, "--"], { env });
      const offered = new Set(stdout.split("\n").map((line) => line.split("\t")[0]));
      const flags = [...sharedOptionsOf(command), ...(command.options ?? [])].map(
        ({ name, negatable }) => `--${negatable === true ? "no-" : ""}${name}`,
      );
      expect({ code, missing: flags.filter((flag) => !offered.has(flag)) }).toEqual({ code: 0, missing: [] });
      const before = await runHere(["__complete", "--", ...words.slice(0, -1), ""], { env });
      expect(before.stdout.split("\n").map((line) => line.split("\t")[0])).toContain(words.at(-1));
    });
  });

describe("the registry", () => {
  it("has no noun without commands", () => {
    const filled = new Set(leaves.map(({ words }) => words[0]));
    expect(nouns.map(({ name }) => name).filter((name) => !filled.has(name))).toEqual([]);
  });
});
