import { type FieldErrors, invalidBody, type PlatformError } from "../core/platform-error.ts";
import type { BodyIssue, BodySchema } from "./handler.ts";

function fieldErrorsOf(issues: readonly BodyIssue[]): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const field = path.length === 0 ? "body" : path.map(String).join(".");
    errors[field] = [...(errors[field] ?? []), message];
  }
  return errors;
}

/** The same schema, with problems returned as `message`: by property of the body, each a list of `{message}`. */
export function messagesByField<Body>(schema: BodySchema<Body>): BodySchema<Body> {
  return { safeParse: (value, options) => schema.safeParse(value, options), messagesByField: true, schema };
}

/** The error for an invalid body. */
export function bodyError(schema: BodySchema<unknown>, issues: readonly BodyIssue[]): PlatformError {
  if (schema.messagesByField !== true) {
    return invalidBody(fieldErrorsOf(issues));
  }
  const error = invalidBody();
  const messages: Record<string, { message: string }[]> = {};
  for (const { path, message } of issues) {
    const field = String(path[0] ?? "body");
    messages[field] = [...(messages[field] ?? []), { message }];
  }
  error.messages = messages;
  return error;
}
