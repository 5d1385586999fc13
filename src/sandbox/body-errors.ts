import type { z } from "zod";
import { type BodyIssue, type BodySchema, type FieldErrors, PlatformError } from "./types.ts";

/** What a value is, in the words of the platform's validator. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isNaN(value) ? "nan" : typeof value;
}

const SIZES = { string: ["String", "character(s)"], array: ["Array", "element(s)"] } as const;

function sizeText(origin: string, limit: string, amount: unknown, isInclusive = true): string | undefined {
  if (origin === "string" || origin === "array") {
    const [subject, unit] = SIZES[origin];
    return `${subject} must contain at ${limit} ${amount} ${unit}`;
  }
  if (origin !== "number") return undefined;
  const than = `${limit === "most" ? "less" : "greater"} than`;
  return `Number must be ${than} ${isInclusive ? "or equal to " : ""}${amount}`;
}

/** The validator's text for a problem that the schema has no text for: that of zod 3, which the platform shows. */
export function validatorText(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  const isMissing = input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value");
  if (isMissing) return "Required";
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "int") return "Expected integer, received float";
      return `Expected ${issue.expected}, received ${kindOf(input)}`;
    case "invalid_value": {
      const [only, ...others] = issue.values;
      if (others.length === 0) return `Invalid literal value, expected ${JSON.stringify(only)}`;
      const choices = issue.values.map((value) => `'${String(value)}'`).join(" | ");
      return typeof input === "string"
        ? `Invalid enum value. Expected ${choices}, received '${input}'`
        : `Expected ${choices}, received ${kindOf(input)}`;
    }
    case "too_small":
      return sizeText(issue.origin, "least", issue.minimum, issue.inclusive);
    case "too_big":
      return sizeText(issue.origin, "most", issue.maximum, issue.inclusive);
    case "unrecognized_keys":
      return `Unrecognized key(s) in object: ${issue.keys.map((key) => `'${key}'`).join(", ")}`;
    default:
      return undefined;
  }
}

function fieldErrorsOf(issues: readonly BodyIssue[]): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const field = path.length === 0 ? "body" : path.map(String).join(".");
    errors[field] = [...(errors[field] ?? []), message];
  }
  return errors;
}

/** The same schema, whose problems are answered as `message`: by property of the body, each a list of `{message}`. */
export function messagesByField<Body>(schema: BodySchema<Body>): BodySchema<Body> {
  return { safeParse: (value, options) => schema.safeParse(value, options), messagesByField: true };
}

/** The refusal of a body. */
export function bodyError(schema: BodySchema<unknown>, issues: readonly BodyIssue[]): PlatformError {
  if (schema.messagesByField !== true) {
    return new PlatformError(400, "Error on Body parameters", fieldErrorsOf(issues));
  }
  const error = new PlatformError(400, "Error on Body parameters");
  const messages: Record<string, { message: string }[]> = {};
  for (const { path, message } of issues) {
    const field = String(path[0] ?? "body");
    messages[field] = [...(messages[field] ?? []), { message }];
  }
  error.messages = messages;
  return error;
}
