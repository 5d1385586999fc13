import { expect, expectTypeOf, it } from "vitest";
import { defined } from "../../../src/lib/core/defined.ts";

it("leaves out what is undefined and nothing else", () => {
  const some = defined({ nothing: undefined, none: null, zero: 0, no: false, empty: "" });
  expect(some).toStrictEqual({ none: null, zero: 0, no: false, empty: "" });
});

it("tells the compiler which properties may be missing, and that none is undefined", () => {
  const text = (): string | undefined => "x";
  const some = defined({ name: "a", text: text() });
  expectTypeOf(some).toExtend<{ readonly name: string; readonly text?: string }>();
  expectTypeOf(some).not.toExtend<{ readonly text: string }>();
  expect(some).toEqual({ name: "a", text: "x" });
});
