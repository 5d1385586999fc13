import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";

interface Secret {
  readonly id: string;
  readonly key: string;
  readonly value_length: number;
  readonly tags: readonly object[];
}

let program: ProgramHere;
beforeAll(async () => {
  program = await programHere();
});
afterAll(() => program.close());

describe("secret", () => {
  it("lists keys and lengths, never values", async () => {
    const list = await program.ok(["secret", "list", "--json"]);
    expect(list).toContain('"WEATHER_API_KEY"');
    expect(list).not.toContain("not-a-real");
  });

  it("takes the value from stdin, without the last line break, and shows it nowhere", async () => {
    const args = ["secret", "create", "--key", "MAPS", "--value-stdin", "--tag", "a=b", "--json", "--debug"];
    const { code, stdout, stderr } = await program.run(args, { stdin: "s3cret-value\n" });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ key: "MAPS", value_length: 12, tags: [{ key: "a", value: "b" }] });
    expect(stdout + stderr).not.toContain("s3cret-value");
  });

  it("changes the value, or the tags alone", async () => {
    const length = async (...args: string[]) =>
      (await program.json<Secret>(["secret", "update", "name:PLANT_SMTP", ...args], { stdin: '{"host":"x"}' }))
        .value_length;
    expect(await length("--tag", "purpose=mail")).toBe(86);
    expect(await length("--value-stdin")).toBe(12);
  });

  it("takes a JSON object with the value", async () => {
    const stdin = JSON.stringify({ key: "FROM_FILE", value: "six666" });
    expect(await program.json(["secret", "create", "--input", "-"], { stdin })).toMatchObject({ value_length: 6 });
  });

  it("never shows the value in a dry run, however short", async () => {
    const file = join(temporaryFolder(), "secret.json");
    writeFileSync(file, JSON.stringify({ key: "SHORT", value: "zq" }));
    const { stdout, stderr } = await program.run(["secret", "create", "--input", file, "--dry-run"]);
    expect(stdout).toContain('"value":"…"');
    expect(stdout + stderr).not.toContain("zq");
  });

  it("says what is wrong with a key or a value, which the platform does not, and sends nothing", async () => {
    const refused = async (stdin: string, ...args: string[]) => {
      const { code, stderr } = await program.run(["secret", ...args, "--value-stdin"], { stdin });
      return `${code} ${stderr}`;
    };
    expect(await refused("12345\n", "create", "--key", "TINY")).toContain("2 error: The value has 5 characters.\n");
    expect(await refused("12345", "update", "name:PLANT_SMTP")).toContain("A secret has 6 to 2,048 characters");
    expect(await refused("x".repeat(2_049), "create", "--key", "HUGE")).toContain("The value has 2,049 characters.");
    expect(await refused("123456", "create", "--key", "MAPS-3")).toContain("2 error: Invalid --key.\n");
    expect(await program.ok(["secret", "list", "--json"])).not.toMatch(/TINY|HUGE|MAPS-3/);
  });

  it("asks nobody without a terminal, and has no flag for the value", async () => {
    const asked = await program.run(["secret", "create", "--key", "X"]);
    expect({ code: asked.code, stderr: asked.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("--value-stdin"),
    });
    expect((await program.run(["secret", "create", "--key", "X", "--value", "abc"])).code).toBe(2);
    expect((await program.run(["secret", "update", "name:PLANT_SMTP"])).code).toBe(2);
    expect((await program.run(["secret", "create", "--key", "X", "--value-stdin"], { stdin: "" })).code).toBe(3);
  });

  it("deletes by key after a confirmation", async () => {
    await program.ok(["secret", "create", "--key", "GONE", "--value-stdin"], { stdin: "abcdef" });
    expect((await program.run(["secret", "delete", "name:GONE"])).code).toBe(2);
    expect((await program.run(["secret", "delete", "name:GONE", "--yes"])).code).toBe(0);
    expect((await program.run(["secret", "get", "name:GONE"])).code).toBe(6);
  });
});
