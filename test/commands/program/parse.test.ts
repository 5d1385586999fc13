import { describe, expect, it } from "vitest";
import { type Command, defineCommand } from "../../../src/commands/kit/command/define.ts";
import { CommandError } from "../../../src/commands/kit/failures/command-error.ts";
import { parseLine } from "../../../src/commands/program/commander.ts";
import { locate, valueIn } from "../../../src/commands/program/locate.ts";

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
  ])("in %j", (line, command) => {
    expect(locate("pump", commands, line).command).toBe(command);
  });

  it("leaves the arguments and flags in order", () => {
    const line = ["--env", "prod", "data", "send", "id", "--tag", "list", "--", "get"];
    const { rest, given } = locate("pump", commands, line);
    expect(rest).toEqual(["--env", "prod", "id", "--tag", "list", "--", "get"]);
    expect(given).toEqual(["id", "get"]);
  });

  it("takes --version for a flag of a command that has one, and elsewhere for a question", () => {
    expect(locate("pump", commands, ["download", "--version", "3"])).toMatchObject({
      wantsVersion: false,
      rest: ["--version", "3"],
    });
    expect(locate("pump", commands, ["get", "--version"]).wantsVersion).toBe(true);
  });

  it("does not take the value of a flag, or what follows --, for a request for help", () => {
    expect(locate("pump", commands, ["data", "send", "--unit-name", "--help"]).wantsHelp).toBe(false);
    expect(locate("pump", commands, ["get", "--", "--help"]).wantsHelp).toBe(false);
    expect(locate("pump", commands, ["get", "-h"]).wantsHelp).toBe(true);
  });

  it("names the nearest of the commands there are", () => {
    const failure = failureOf(() => locate("pump", commands, ["data", "sned", "x"]));
    expect(failure).toMatchObject({ exit: 2, code: "usage.unknown_command" });
    expect(failure.next).toContain("iot pump data send");
  });

  it("names a single dash, which is no command", () => {
    expect(failureOf(() => locate("pump", commands, ["-", "list"])).message).toBe('iot pump has no command "-".');
  });

  it("stops at a noun without a verb", () => {
    expect(locate("pump", commands, ["data"])).toMatchObject({ words: ["data"] });
    expect(locate("pump", commands, ["data"]).command).toBeUndefined();
  });
});

describe("the value of a flag in a line that may be wrong", () => {
  it.each([
    [["-o", "json", "--zz"], "json"],
    [["-ojson"], "json"],
    [["-qo", "json"], "json"],
    [["--output=json", "--output", "csv"], "csv"],
    [["--output"], undefined],
    [["--", "-o", "json"], undefined],
  ])("in %j", (line, value) => {
    expect(valueIn(line, "output")).toBe(value);
  });
});

describe("reading flags and arguments", () => {
  const parse = (...line: string[]) => parseLine(send, "iot pump data send", line);

  it("fills in defaults", () => {
    expect(parse("x").input).toEqual({
      args: { id: "x", values: [] },
      options: { tag: [], unitName: "bar", wait: true },
    });
  });

  it("builds lists from repeated flags, and lets the last of others win", () => {
    const { options } = parse("x", "--tag", "a=1", "--tag=b=2", "--unit-name", "psi", "--unit-name", "Pa").input;
    expect(options).toMatchObject({ tag: ["a=1", "b=2"], unitName: "Pa" });
  });

  it("takes a value that looks like a flag", () => {
    expect(parse("x", "--from", "-24h").input.options["from"]).toBe("-24h");
  });

  it("ends flags at --", () => {
    expect(parse("x", "--", "--sent", "-5").input.args).toEqual({ id: "x", values: ["--sent", "-5"] });
  });

  it("knows the --no- form", () => {
    expect(parse("x", "--no-wait").input.options["wait"]).toBe(false);
    expect(parse("x", "--wait").input.options["wait"]).toBe(true);
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
      const { input, shared } = parseLine(create, "iot pump create", line);
      expect({ own: input.options["input"], shared: shared["input"] }).toEqual({ own: "a.json", shared: false });
    }
    expect(parseLine(create, "iot pump create", ["--input", "a.json"]).shared["input"]).toBeUndefined();
  });

  it("keeps shared flags apart from the command's own", () => {
    const { shared, input } = parse("x", "-e", "prod", "--no-header", "-q", "--json");
    expect(shared).toMatchObject({ env: "prod", header: false, quiet: true, json: true });
    expect(input.options).not.toHaveProperty("env");
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
