import { describe, expect, it } from "vitest";
import { greatestEffect } from "../../src/commands/kit/command/effect.ts";
import { leaves } from "../helpers/leaves.ts";

/** Verbs of resources and tokens, with the one effect their commands have. */
const effects: Readonly<Record<string, string>> = {
  get: "reads",
  create: "changes",
  update: "changes",
  delete: "deletes",
};

describe("effects", () => {
  it("says of every command of a resource or its tokens what it does to the platform", () => {
    const wrong = leaves
      .filter(({ command }) => command.finder !== undefined || command.path.includes("token"))
      .map(({ command, title }) => ({ title, verb: command.path.at(-1) ?? "", effect: greatestEffect(command) }))
      .filter(({ verb, effect }) => effects[verb] !== undefined && effects[verb] !== effect);
    expect(wrong).toEqual([]);
  });

  it("lets every change be looked at first, and asks before it deletes", () => {
    const lacks = (group: "confirm" | "dryRun", effects: readonly string[]): string[] =>
      leaves
        .filter(({ command }) => typeof command.effect === "string" && effects.includes(command.effect))
        .filter(({ command }) => command.groups?.includes(group) !== true)
        .map(({ title }) => title);
    expect(lacks("dryRun", ["changes", "deletes"])).toEqual([]);
    expect(lacks("confirm", ["deletes"])).toEqual([]);
  });

  it("lists without a change", () => {
    const lists = leaves.filter(({ command }) => command.groups?.includes("list"));
    expect(lists.filter(({ command }) => greatestEffect(command) !== "reads").map(({ title }) => title)).toEqual([]);
  });
});
