import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const iot = (args: readonly string[], cwd = temporaryFolder(), stdin?: string): Promise<CliResult> =>
  runHere(["dictionary", ...args], { env: here.env, cwd, ...(stdin === undefined ? {} : { stdin }) });

async function json<T>(args: readonly string[], cwd?: string, stdin?: string): Promise<T> {
  const { code, stdout, stderr } = await iot([...args, "--json"], cwd, stdin);
  if (code !== 0) throw new Error(`iot dictionary ${args.join(" ")} ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as T;
}

interface Text {
  readonly key: string;
  readonly text: string;
}

describe("dictionary", () => {
  it("is created, found by name and slug, changed and deleted", async () => {
    const args = ["create", "--name", "Portal texts", "--slug", "portal", "--fallback", "en-US", "--language", "de"];
    expect(await json(args)).toMatchObject({ slug: "PORTAL", fallback: "en-US" });
    const bySlug = await json<{ id: string }>(["get", "name:portal"]);
    expect(await json<{ id: string }>(["get", "name:Portal texts"])).toEqual(bySlug);
    expect(await json(["update", "name:PORTAL", "--name", "Texts"])).toMatchObject({ id: bySlug.id, name: "Texts" });
    expect((await iot(["delete", "name:PORTAL", "--yes"])).code).toBe(0);
    expect((await iot(["get", "name:PORTAL"])).code).toBe(6);
  });

  it.each([
    [["create", "--name", "x", "--slug", "a-b", "--fallback", "en-US"]],
    [["create", "--name", "x", "--slug", "AB"]],
    [["create", "--name", "x", "--slug", "TOO_LONG", "--fallback", "en-US"]],
    [["create", "--name", "x", "--slug", "AB", "--fallback", "english!"]],
    [["list", "--tag", "a=b"]],
    [["lang", "set", "name:TEST", "pt-BR"]],
  ])("refuses %j with 2", async (args) => {
    expect((await iot(args)).code).toBe(2);
  });
});

describe("dictionary lang", () => {
  const texts = async (language: string, ...flags: string[]): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await json<Text[]>(["lang", "get", "name:TEST", language, ...flags])).map(({ key, text }) => [key, text]),
    );

  it("shows its own texts, and those of the fallback language on request", async () => {
    expect(await texts("pt-BR")).toEqual({ HELLO: "Olá", TEMPERATURE: "Temperatura" });
    expect(await texts("pt-BR", "--fallback")).toMatchObject({ GOODBYE: "Goodbye", HELLO: "Olá" });
  });

  it("changes the texts that are named and no others, and adds keys and languages", async () => {
    await json(["lang", "set", "name:TEST", "pt-BR", "HELLO=Oi", "NEW_KEY=Novo = novo"]);
    expect(await texts("pt-BR")).toMatchObject({ HELLO: "Oi", TEMPERATURE: "Temperatura", NEW_KEY: "Novo = novo" });
    expect(Object.keys(await texts("en-US"))).not.toContain("NEW_KEY");
    await json(["lang", "set", "name:TEST", "fr", "--input", "-"], undefined, '{"HELLO":"Bonjour"}');
    expect(await texts("fr")).toEqual({ HELLO: "Bonjour" });
    expect((await iot(["lang", "delete", "name:TEST", "fr"])).code).toBe(2);
    expect(await json(["lang", "delete", "name:TEST", "fr", "--yes"])).toMatchObject({ language: "fr" });
    expect((await iot(["lang", "get", "name:TEST", "fr"])).code).toBe(6);
  });

  it("reads inactive languages, and says what can be done about the fallback one", async () => {
    expect(await texts("es")).toMatchObject({ HELLO: "Hola" });
    expect((await iot(["lang", "delete", "name:TEST", "en-US", "--yes"])).code).toBe(2);
    expect((await iot(["lang", "set", "name:TEST", "en-US", "--inactive"])).code).toBe(2);
    expect((await iot(["lang", "set", "name:TEST", "en-US", "lower=x"])).code).toBe(3);
    expect((await iot(["lang", "set", "name:TEST", "en-US", "--input", "-"], undefined, '{"AA": 1}')).code).toBe(3);
  });
});

describe("dictionary apply", () => {
  it("fills expressions with their params, falls back, and leaves what leads to no text", async () => {
    const source = '#TEST.TEMPERATURE# #TEST.DEVICES_OF,3,"hall, left"# #TEST.NONE# #OTHER.KEY# # not one';
    const { code, stdout, stderr } = await iot(["apply", "-", "--language", "pt-BR"], undefined, source);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "Temperatura 3 devices of hall, left #TEST.NONE# #OTHER.KEY# # not one",
    });
    expect(stderr).toContain("used the fallback language: TEST.DEVICES_OF");
    expect(stderr).toContain("left unchanged: TEST.NONE, OTHER.KEY");
  });

  it("writes folders of files to --out, escapes in JSON, and asks before it overwrites", async () => {
    const cwd = temporaryFolder();
    await json(["lang", "set", "name:TEST", "en-US", 'QUOTED=say "hi"']);
    mkdirSync(join(cwd, "web", "deep"), { recursive: true });
    writeFileSync(join(cwd, "web", "a.html"), "<b>#TEST.QUOTED#</b>");
    writeFileSync(join(cwd, "web", "deep", "b.json"), '{"title": "#TEST.QUOTED#"}');
    expect((await iot(["apply", "web"], cwd)).code).toBe(2);
    expect(await json(["apply", "web", "--out", "done"], cwd)).toEqual([
      { file: "done/a.html", replaced: 1, missing: [] },
      { file: "done/deep/b.json", replaced: 1, missing: [] },
    ]);
    expect(readFileSync(join(cwd, "done", "a.html"), "utf8")).toBe('<b>say "hi"</b>');
    expect(JSON.parse(readFileSync(join(cwd, "done", "deep", "b.json"), "utf8"))).toEqual({ title: 'say "hi"' });
    expect((await iot(["apply", "web/**/*.html", "--in-place"], cwd)).code).toBe(2);
    expect(readFileSync(join(cwd, "web", "a.html"), "utf8")).toContain("#TEST.QUOTED#");
    expect((await iot(["apply", "web/**/*.html", "--in-place", "--yes"], cwd)).code).toBe(0);
    expect(readFileSync(join(cwd, "web", "a.html"), "utf8")).toBe('<b>say "hi"</b>');
  });

  it("writes nothing with --strict, and of what is no text", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "a.txt"), "#TEST.NONE#");
    writeFileSync(join(cwd, "b.bin"), Buffer.from([0, 255, 35]));
    expect((await iot(["apply", "a.txt", "--out", "out", "--strict"], cwd)).code).toBe(3);
    expect((await iot(["apply", "b.bin", "--out", "out"], cwd)).code).toBe(3);
    expect((await iot(["apply", "none.txt"], cwd)).code).toBe(3);
    expect(existsSync(join(cwd, "out"))).toBe(false);
  });
});

describe("dictionary pull and check", () => {
  it("writes a file per language that lang set reads back", async () => {
    const cwd = temporaryFolder();
    const files = await json<{ file: string }[]>(["pull", "name:TEST", "--out", "texts"], cwd);
    expect(files.map(({ file }) => file)).toEqual([
      "texts/TEST/en-US.json",
      "texts/TEST/pt-BR.json",
      "texts/TEST/es.json",
    ]);
    const path = join(cwd, "texts", "TEST", "pt-BR.json");
    const texts = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
    expect(Object.keys(texts)).toEqual(Object.keys(texts).toSorted());
    expect(await json(["lang", "set", "name:TEST", "pt-BR", "--input", path], cwd)).toHaveLength(
      Object.keys(texts).length,
    );
    writeFileSync(path, "{}");
    expect((await iot(["pull", "name:TEST", "--out", "texts"], cwd)).code).toBe(2);
    expect(readFileSync(path, "utf8")).toBe("{}");
    expect((await iot(["pull", "--language", "xx"], cwd)).code).toBe(6);
  });

  it("lists missing texts per language and ends with 11, else with 0", async () => {
    const args = ["create", "--name", "Whole", "--slug", "WHOLE", "--fallback", "en-US", "--language", "pt-BR"];
    await json(args);
    await json(["lang", "set", "name:WHOLE", "en-US", "AA=1", "BB=2"]);
    const missing = await iot(["check", "name:WHOLE", "--json"]);
    expect({ code: missing.code, rows: JSON.parse(missing.stdout) }).toEqual({
      code: 11,
      rows: [
        { dictionary: "WHOLE", language: "pt-BR", key: "AA", fallback: "1" },
        { dictionary: "WHOLE", language: "pt-BR", key: "BB", fallback: "2" },
      ],
    });
    await json(["lang", "set", "name:WHOLE", "pt-BR", "AA=um", "BB=dois"]);
    expect(await json(["check", "name:WHOLE"])).toEqual([]);
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "a.html"), "#WHOLE.AA# #WHOLE.CC# #NONE.AA#");
    const { code, stdout } = await iot(["check", "name:WHOLE", "--file", "a.html", "-o", "id"], cwd);
    expect({ code, stdout }).toEqual({ code: 11, stdout: "CC\nAA\n" });
  });
});
