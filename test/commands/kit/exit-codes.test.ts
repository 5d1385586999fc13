import { describe, expect, it } from "vitest";
import { exitCodesOf } from "../../../src/commands/kit/command/exit-codes.ts";

const id = { name: "id", summary: "full id" };

describe("exit codes of a command", () => {
  it("follow from what it asks for, its argument and its questions", () => {
    expect(exitCodesOf({})).toEqual([4, 5, 10]);
    expect(exitCodesOf({ args: [id], groups: ["confirm"] })).toEqual([4, 5, 6, 10, 130]);
    expect(exitCodesOf({ asks: "anonymous" })).toEqual([10]);
    expect(exitCodesOf({ asks: "token" })).toEqual([4]);
    expect(exitCodesOf({ asks: "nothing" })).toEqual([]);
  });

  it("include those it names, or are only those", () => {
    expect(exitCodesOf({ exitCodes: [8, 3] })).toEqual([3, 4, 5, 8, 10]);
    expect(exitCodesOf({ groups: ["confirm"], exitCodes: { only: [4] } })).toEqual([4]);
  });
});
