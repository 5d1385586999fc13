import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Command } from "../../src/commands/kit/define.ts";
import { resultSchema } from "../../src/commands/kit/result-schema.ts";
import { nouns } from "../../src/commands/registry.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

interface Leaf {
  readonly title: string;
  readonly words: readonly string[];
  readonly command: Command;
}

const loaded = await Promise.all(nouns.map(async (noun) => ({ noun, commands: (await noun.load()).commands })));
const leaves: readonly Leaf[] = loaded.flatMap(({ noun, commands }) =>
  commands.map((command) => {
    const words = [noun.name, ...command.path];
    return { title: ["iot", ...words].join(" "), words, command };
  }),
);

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

describe.each(leaves.map((leaf) => [leaf.title, leaf] as const))("%s", (title, { words, command }) => {
  it("explains itself without a network", async () => {
    const { code, stdout, stderr } = await runHere([...words, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`  ${title}`);
    expect(stdout).toContain("Examples:");
  });

  it("refuses a flag it does not have with 2", async () => {
    const { code, stdout } = await runHere([...words, "--no-such-flag"], { env: here.env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  it("has a schema of its JSON that can be read", () => {
    const schema = resultSchema(title, command);
    if (schema === undefined) expect(command.result?.shape).toBe("none");
    else expect(() => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])).not.toThrow();
  });
});
