import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { errorCode } from "../../../src/lib/core/error-code.ts";

it("is that of an error of any realm: under Jest, those of Node are no instances of the program's Error", () => {
  const foreign: unknown = runInNewContext('Object.assign(new Error("there"), { code: "EEXIST" })');
  expect(foreign).not.toBeInstanceOf(Error);
  expect(errorCode(foreign)).toBe("EEXIST");
});

it("is empty for errors without one, and for what is no error", () => {
  expect([new Error("plain"), "EEXIST", undefined, null, { code: "EEXIST" }].map(errorCode)).toEqual([
    "",
    "",
    "",
    "",
    "",
  ]);
});
