import type { z } from "zod";

/** A problem of a value, before it has a text. */
type ValidatorIssue = z.core.$ZodRawIssue;

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
export function validatorText(issue: ValidatorIssue): string | undefined {
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
