import { isRecord } from "../../lib/core/json.ts";
import { validatorText } from "../../schema/validator-text.ts";
import type { Assume } from "./assumptions.ts";
import { bodyError } from "./body-errors.ts";
import { httpGaps } from "./gaps.ts";
import type { BodyIssue, BodySchema } from "./handler.ts";

type Path = readonly PropertyKey[];

/** Paths of the issues, including those of every alternative of a union. */
function pathsOf(issues: readonly BodyIssue[], within: Path = []): Path[] {
  return issues.flatMap(({ path, errors = [] }) => {
    const at = [...within, ...path];
    return [at, ...errors.flatMap((alternative) => pathsOf(alternative, at))];
  });
}

/** Removes the property at a path if it is null; true when it did. */
function dropNull(body: unknown, path: Path): boolean {
  let parent = body;
  for (const key of path.slice(0, -1)) {
    parent = typeof parent === "object" && parent !== null ? Reflect.get(parent, key) : undefined;
  }
  const last = path.at(-1);
  if (typeof last !== "string" || !isRecord(parent) || parent[last] !== null) return false;
  return Reflect.deleteProperty(parent, last);
}

/**
 * Checks a body. A null counts as an absent property unless the schema accepts null: clients send null for what they
 * omit. Where null clears a value, the schema accepts it.
 *
 * @throws PlatformError 400 with the problems by field
 */
export function checkBody<Body>(
  schema: BodySchema<Body> | undefined,
  body: unknown,
  assume: Assume = () => {},
): unknown {
  if (schema === undefined) return body;
  const checked = schema.safeParse(body, { error: validatorText });
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const dropped = pathsOf(issues).filter((path) => dropNull(body, path));
  if (dropped.length > 0) {
    assume(httpGaps.nullProperty);
    return checkBody(schema, body, assume);
  }
  throw bodyError(schema, issues);
}
