import { expect, it } from "vitest";
import { z } from "zod";
import { validatorText } from "../../src/schema/validator-text.ts";

const textOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: validatorText }).error?.issues[0]?.message;

it.each([
  ["Required", z.object({ a: z.string() }), {}],
  ["Required", z.object({ a: z.enum(["x", "y"]) }), {}],
  ["Expected array, received object", z.array(z.string()), {}],
  ["Expected string, received boolean", z.string(), true],
  ["Expected string, received null", z.string(), null],
  ["Expected object, received array", z.object({}), []],
  ["Expected integer, received float", z.number().int(), 1.5],
  ["String must contain at most 7 character(s)", z.string().max(7), "12345678"],
  ["String must contain at least 1 character(s)", z.string().min(1), ""],
  ["Array must contain at least 1 element(s)", z.array(z.string()).min(1), []],
  ["Number must be less than or equal to 2", z.number().max(2), 3],
  ["Number must be greater than 0", z.number().positive(), 0],
  ["Invalid enum value. Expected 'allow' | 'deny', received 'maybe'", z.enum(["allow", "deny"]), "maybe"],
  ["Expected 'allow' | 'deny', received number", z.enum(["allow", "deny"]), 1],
  ['Invalid literal value, expected "k"', z.literal("k"), "l"],
  ["Unrecognized key(s) in object: 'b'", z.strictObject({}), { b: 1 }],
  ["Its own text", z.string().max(1, "Its own text"), "12"],
])("a body is refused with the validator's text: %s", (text, schema, value) => {
  expect(textOf(schema, value)).toBe(text);
});
