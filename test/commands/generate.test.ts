import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const iot = (args: readonly string[], more: HereOptions = {}): Promise<CliResult> =>
  runHere(args, { env: here.env, ...more });
const types = (args: readonly string[], more: HereOptions = {}) => iot(["generate", "types", ...args], more);

/** What the compiler says of a module. */
function mistakes(text: string): string[] {
  const path = join(temporaryFolder(), "types.ts");
  writeFileSync(path, text);
  const program = ts.createProgram([path], { strict: true, noEmit: true, lib: ["lib.es5.d.ts"], types: [] });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

describe("generate types", () => {
  it("makes a module of entities, dictionaries and the variables of devices", { tags: ["slow"] }, async () => {
    const { code, stdout } = await types(["--device", "name:Freezer 1", "--device-tag", "device_type=truck"]);
    expect(code).toBe(0);
    expect(stdout).toContain('/** A row of the entity "sites". */\nexport interface SitesRow {\n  id: string;');
    expect(stdout).toContain("  area: number | null;");
    expect(stdout).toContain("  city: string;");
    expect(stdout).toContain("  /** ISO 8601. */\n  opened: string | null;");
    expect(stdout).toContain("  contact: unknown;");
    expect(stdout).toContain('  | "DEVICES_OF"');
    expect(stdout).toMatch(/export interface Freezer1Variables \{[^}]*\/\*\* °C \*\/\n {2}temperature: number;/);
    const use = `
const row: Entities["sites"]["name"] = "x";
const text: DictionaryExpression = "#TEST.HELLO#";
const value: Devices["Freezer 1"]["temperature"] = 4;
// @ts-expect-error
const wrong: DictionaryExpression = "#TEST.NOPE#";
export const all = [row, text, value, wrong];
`;
    expect(mistakes(stdout + use)).toEqual([]);
  });

  it("gives the same text twice, so that --check ends with 0, and with 11 once the platform differs", async () => {
    const own = await sandboxUnderTest();
    try {
      const cwd = temporaryFolder();
      const options = { cwd, env: own.env };
      expect(await types(["--out", "types.ts", "--check"], options)).toMatchObject({ code: 11 });
      expect(await types(["--out", "types.ts"], options)).toMatchObject({ code: 0 });
      const fresh = await types(["--out", "types.ts", "--check", "-o", "json"], options);
      expect(fresh.code).toBe(0);
      expect(JSON.parse(fresh.stdout)).toEqual({ file: join(cwd, "types.ts"), state: "fresh" });
      const body = JSON.stringify({ name: "orders", schema: { number: { type: "int", required: true } } });
      await iot(["api", "POST", "/entity", "--input", "-"], { env: own.env, stdin: body });
      const stale = await types(["--out", "types.ts", "--check"], options);
      expect(stale).toMatchObject({ code: 11, stderr: expect.stringContaining("is out of date") });
      expect(readFileSync(join(cwd, "types.ts"), "utf8")).not.toContain("OrdersRow");
      await types(["--out", "types.ts"], options);
      expect(readFileSync(join(cwd, "types.ts"), "utf8")).toContain("export interface OrdersRow");
    } finally {
      await own.close();
    }
  });

  it("makes a JSON Schema that takes rows and refuses wrong ones", async () => {
    const { stdout } = await types(["--format", "json-schema", "--device", "name:Freezer 1"]);
    const document = JSON.parse(stdout) as { $defs: Record<string, object> };
    const schema = z.fromJSONSchema({ ...document, $ref: "#/$defs/SitesRow" } as Parameters<
      typeof z.fromJSONSchema
    >[0]);
    expect(schema.safeParse({ name: "a", city: "b", area: 2.5, note: null }).success).toBe(true);
    expect(schema.safeParse({ name: "a", city: 7 }).success).toBe(false);
    expect(schema.safeParse({ city: "b" }).success).toBe(false);
    expect(document.$defs["TestKey"]).toBeUndefined();
    expect(document.$defs["TESTKey"]).toMatchObject({ enum: ["DEVICES_OF", "GOODBYE", "HELLO", "TEMPERATURE"] });
    expect(document.$defs["Freezer1Variables"]).toMatchObject({ properties: { temperature: { type: "number" } } });
  });

  it("takes only what is named, or leaves a kind out", { tags: ["slow"] }, async () => {
    const some = await types(["--entity", "name:empty", "--no-dictionaries"]);
    expect(some.stdout).toContain("EmptyRow");
    expect(some.stdout).not.toMatch(/SitesRow|TESTKey/);
    const none = await types(["--no-entities", "--no-dictionaries"]);
    expect(mistakes(none.stdout)).toEqual([]);
    expect(await types(["--entity", "name:empty", "--no-entities"])).toMatchObject({ code: 2 });
    expect(await types(["--entity", "name:nowhere"])).toMatchObject({ code: 6 });
    expect(await types(["--check"])).toMatchObject({ code: 2 });
  });

  it("survives names that are no names", { tags: ["slow"] }, async () => {
    const own = await sandboxUnderTest();
    try {
      const names = ['*/ evil(); "quoted"', "2 sites", "sites", "Sites", "\u202e\u2028", "`$\u007bx}`"];
      for (const name of names)
        await iot(["api", "POST", "/entity", "--input", "-"], { env: own.env, stdin: JSON.stringify({ name }) });
      const { code, stdout } = await types(["--no-dictionaries"], { env: own.env });
      expect(code).toBe(0);
      expect(mistakes(stdout)).toEqual([]);
      for (const mark of ["\u202e", "\u2028"]) expect(stdout).not.toContain(mark);
    } finally {
      await own.close();
    }
  });

  it("overwrites a file of somebody else only with --yes", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "mine.ts"), "export const mine = 1;\n");
    expect(await types(["--out", "mine.ts"], { cwd })).toMatchObject({ code: 2 });
    expect(readFileSync(join(cwd, "mine.ts"), "utf8")).toContain("mine = 1");
    expect(await types(["--out", "mine.ts", "--yes"], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "mine.ts"), "utf8")).toContain("SitesRow");
    expect(await types(["--out", "."], { cwd })).toMatchObject({ code: 3 });
  });

  it("knows every kind of value a variable has", async () => {
    const made = await iot(["device", "create", "--name", "Mixed", "--json"]);
    const { id } = JSON.parse(made.stdout) as { id: string };
    const token = JSON.parse((await iot(["device", "token", "list", id, "--reveal", "--json"])).stdout) as {
      token: string;
    }[];
    const rows = [
      { variable: "state", value: 1, time: "2024-01-01T00:00:00Z" },
      { variable: "state", value: "on", time: "2024-02-01T00:00:00Z" },
      { variable: "open", value: true },
      { variable: "place", location: { lat: 1, lng: 2 } },
    ];
    const sent = await fetch(`${here.sandbox.url}/data`, {
      method: "POST",
      headers: { token: token[0]?.token ?? "", "content-type": "application/json" },
      body: JSON.stringify(rows),
    });
    expect(sent.ok).toBe(true);
    const { stdout } = await types(["--device", id, "--no-entities", "--no-dictionaries"]);
    expect(stdout).toContain("  open: boolean;\n  place: undefined;\n  state: number | string;\n");
  });
});
