import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { type Command, defineCommand } from "../../../src/commands/kit/command/define.ts";
import { CommandError } from "../../../src/commands/kit/failures/command-error.ts";
import { explain, noCommand } from "../../../src/commands/program/errors.ts";
import { inputOf } from "../../../src/commands/program/input.ts";
import { find } from "../../../src/commands/program/program.ts";
import { type Reading, Word } from "../../../src/commands/program/word.ts";

const base = {
  effect: "reads" as const,
  summary: "Do it",
  examples: ["iot pump list", "iot pump list --all"],
  run: () => Promise.resolve(),
};

const list = defineCommand({ ...base, path: ["list"], groups: ["list"] });
const get = defineCommand({ ...base, path: ["get"], args: [{ name: "id", summary: "id", required: true }] });
const send = defineCommand({
  ...base,
  path: ["data", "send"],
  args: [
    { name: "id", summary: "id", required: true },
    { name: "values", summary: "values", variadic: true },
  ],
  options: [
    { name: "tag", value: "k=v", summary: "tag", repeat: true },
    { name: "from", value: "instant", summary: "time" },
    { name: "unit-name", value: "text", summary: "unit", default: "bar" },
    { name: "kind", value: "kind", summary: "kind", choices: ["first", "last"] },
    { name: "wait", summary: "wait", negatable: true },
    { name: "sent", summary: "sent" },
  ],
});
const dataList = defineCommand({ ...base, path: ["data", "list"], groups: ["list"] });
const plan = defineCommand({ ...base, path: ["plan"] });
const planUpdate = defineCommand({ ...base, path: ["plan", "update"] });
const download = defineCommand({
  ...base,
  path: ["download"],
  options: [{ name: "version", value: "n", summary: "n" }],
});
const commands: readonly Command[] = [list, get, send, dataList, plan, planUpdate, download];

function failureOf(run: () => unknown): CommandError {
  try {
    run();
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** Reads a line of a program whose one noun has these commands. */
async function locate(line: readonly string[]): Promise<Word & { readonly printed: string }> {
  const reading: Reading = { act: async () => undefined, text: "" };
  const root = new Word("iot", reading)
    .exitOverride()
    .configureHelp({ formatHelp: (word) => `help of ${word.name()}` });
  root.configureOutput({ writeOut: (text) => (reading.text += text), writeErr: () => undefined });
  root.command("pump").noun = {
    name: "pump",
    aliases: [],
    summary: "Pumps",
    section: "Devices and data",
    load: async () => ({ commands }),
  };
  await root.parseAsync(["pump", ...line], { from: "user" }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
  });
  return Object.assign(reading.at ?? root, { printed: reading.text });
}

describe("finding the command", () => {
  it.each([
    [["list"], list],
    [["ls"], list],
    [["info", "5f1c"], get],
    [["--env", "list", "get", "5f1c"], get],
    [["-o", "json", "data", "--limit", "3", "list"], dataList],
    [["datas", "send", "x"], send],
    [["plans"], plan],
    [["plans", "--json", "edit"], planUpdate],
    [["--json", "--", "list"], list],
  ])("in %j", async (line, command) => {
    expect((await locate(line)).spec).toBe(command);
  });

  it("takes flags wherever they stand, and leaves the arguments", async () => {
    const line = ["--env", "prod", "data", "send", "id", "--tag", "list", "--", "get"];
    const word = await locate(line);
    expect(word.args).toEqual(["id", "get"]);
    expect(word.opts()).toEqual({ env: "prod", tag: ["list"] });
  });

  it("takes --version for a flag of a command that has one, and elsewhere for a question", async () => {
    const own = await locate(["download", "--version", "3"]);
    expect({ flags: own.opts(), printed: own.printed }).toEqual({ flags: { version: "3" }, printed: "" });
    expect((await locate(["--version", "3", "download"])).opts()).toEqual({ version: "3" });
    expect((await locate(["get", "--version"])).printed).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("does not take the value of a flag, or what follows --, for a request for help", async () => {
    expect((await locate(["data", "send", "--unit-name", "--help"])).printed).toBe("");
    expect((await locate(["get", "--", "--help"])).printed).toBe("");
    for (const line of [
      ["get", "-h"],
      ["--help", "get"],
    ])
      expect((await locate(line)).printed).toBe("help of get");
  });

  it("leaves the value of a flag alone that looks like a flag of every command", async () => {
    for (const line of [
      ["data", "send", "x", "--unit-name", "-everyday"],
      ["data", "--unit-name", "-everyday", "send", "x"],
    ])
      expect((await locate(line)).opts()).toEqual({ unitName: "-everyday" });
  });

  it("names the nearest of the commands there are", async () => {
    const failure = await noCommand(await locate(["data", "sned", "x"]));
    expect(failure).toMatchObject({ exit: 2, code: "usage.unknown_command" });
    expect(failure.next).toContain("iot pump data send");
  });

  it("names a single dash, which is no command", async () => {
    expect((await noCommand(await locate(["-", "list"]))).message).toBe('iot pump has no command "-".');
  });

  it("stops at a noun without a verb", async () => {
    expect(await locate(["data"])).toMatchObject({ path: ["data"], spec: undefined, unknown: undefined });
  });
});

describe("the flags of a line that cannot be understood", () => {
  it.each([
    [["list", "-o", "json", "--zz"], "json"],
    [["list", "-ojson", "--zz"], "json"],
    [["list", "-qo", "json", "--zz"], "json"],
    [["list", "--output=json", "--output", "csv", "more"], "csv"],
    [["list", "--output"], undefined],
    [["lst", "-o", "json"], "json"],
    [["-o", "json", "--zz"], "json"],
    [["list", "--", "-o", "json"], undefined],
  ])("in %j", async (line, value) => {
    expect((await locate(line)).opts()["output"]).toBe(value);
  });

  it("are known beside an unknown noun", async () => {
    expect((await find(["-o", "json", "zz"])).opts()).toEqual({ output: "json" });
  });
});

describe("reading flags and arguments", () => {
  function parseLine(command: Command, title: string, line: readonly string[]) {
    const word = new Word(title, { act: async () => undefined, text: "" }).exitOverride().take(command);
    word.configureOutput({ writeErr: () => undefined });
    try {
      return inputOf(word.parse(line, { from: "user" }), command);
    } catch (error) {
      throw error instanceof CommanderError ? explain(error, word) : error;
    }
  }
  const parse = (...line: string[]) => parseLine(send, "iot pump data send", line);

  it("fills in defaults", () => {
    expect(parse("x")).toMatchObject({
      args: { id: "x", values: [] },
      texts: { tag: [], unitName: "bar", wait: true },
    });
  });

  it("builds lists from repeated flags, and lets the last of others win", () => {
    const { texts } = parse("x", "--tag", "a=1", "--tag=b=2", "--unit-name", "psi", "--unit-name", "Pa");
    expect(texts).toMatchObject({ tag: ["a=1", "b=2"], unitName: "Pa" });
  });

  it("takes a value that looks like a flag", () => {
    expect(parse("x", "--from", "-24h").texts["from"]).toBe("-24h");
  });

  it("ends flags at --", () => {
    expect(parse("x", "--", "--sent", "-5").args).toEqual({ id: "x", values: ["--sent", "-5"] });
  });

  it("knows the --no- form", () => {
    expect(parse("x", "--no-wait").texts["wait"]).toBe(false);
    expect(parse("x", "--wait").texts["wait"]).toBe(true);
  });

  it("takes --no-input beside an --input of the command's own, which keeps its value", () => {
    const create = defineCommand({
      ...base,
      path: ["create"],
      options: [{ name: "input", value: "file", summary: "body" }],
    });
    for (const line of [
      ["--input", "a.json", "--no-input"],
      ["--no-input", "--input", "a.json"],
    ]) {
      const { texts, shared } = parseLine(create, "iot pump create", line);
      expect({ own: texts["input"], shared: shared["input"] }).toEqual({ own: "a.json", shared: false });
    }
    expect(parseLine(create, "iot pump create", ["--input", "a.json"]).shared["input"]).toBeUndefined();
  });

  it("keeps shared flags apart from the command's own", () => {
    const { shared, texts } = parse("x", "-e", "prod", "--no-header", "-q", "--json");
    expect(shared).toMatchObject({ env: "prod", header: false, quiet: true, json: true });
    expect(texts).not.toHaveProperty("env");
  });

  it.each([
    [["x", "--snet"], "usage.unknown_flag", "--sent"],
    [["x", "--ouput", "json"], "usage.unknown_flag", "--output"],
    [["x", "--limit", "3"], "usage.unknown_flag", ""],
    [["x", "-z"], "usage.unknown_flag", ""],
    [["x", "--from"], "usage.missing_value", "--from"],
    [[], "usage.missing_argument", "id"],
    [["x", "--kind", "frist"], "usage.invalid_value", "first"],
    [["x", "-o", "jsn"], "usage.invalid_value", "json"],
  ])("refuses %j", (line, code, mention) => {
    const failure = failureOf(() => parse(...line));
    expect(failure).toMatchObject({ exit: 2, code });
    expect(`${failure.message} ${failure.next}`).toContain(mention);
  });

  it("refuses more arguments than there are", () => {
    expect(failureOf(() => parseLine(get, "iot pump get", ["a", "b"])).code).toBe("usage.too_many_arguments");
  });

  it("survives hostile text", () => {
    const failure = failureOf(() => parse("x", `--${"\u001b[2J".repeat(1_000)}`));
    expect(failure.exit).toBe(2);
  });
});
