/** Says what is wrong with a value; nothing when it has the shape. */
export type Shape = (value: unknown, at: string) => readonly string[];

const shownText = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 80);

function kind(name: string, fits: (value: unknown) => boolean): Shape {
  return (value, at) => (fits(value) ? [] : [`${at} is no ${name}: ${shownText(value)}`]);
}

const isText = (value: unknown): value is string => typeof value === "string";
const fitting = (name: string, pattern: RegExp): Shape => kind(name, (value) => isText(value) && pattern.test(value));

export const anything: Shape = (value, at) => (value === undefined ? [`${at} is missing`] : []);
export const text = kind("text", (value) => isText(value) && value !== "");
export const anyText = kind("text", isText);
export const number = kind("number", (value) => typeof value === "number" && Number.isFinite(value));
export const integer = kind("integer", Number.isInteger);
export const boolean = kind("boolean", (value) => typeof value === "boolean");
export const id = fitting("id", /^[0-9a-f]{24}$/);
export const uuid = fitting("UUID", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** ISO 8601 in UTC with milliseconds. */
export const date = fitting("date", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const record = kind("object", (value) => typeof value === "object" && value !== null && !Array.isArray(value));

export const exactly = (expected: unknown): Shape => kind(JSON.stringify(expected), (value) => value === expected);
export const like = (pattern: RegExp): Shape => fitting(String(pattern), pattern);
export const oneOf = (...values: readonly unknown[]): Shape =>
  kind(values.join(" or "), (value) => values.includes(value));

export function either(...shapes: readonly Shape[]): Shape {
  return (value, at) => {
    const problems = shapes.map((shape) => shape(value, at));
    return problems.some((list) => list.length === 0) ? [] : problems.flat();
  };
}

export const nullable = (shape: Shape): Shape => either(exactly(null), shape);
export const dateOrNever = either(exactly("never"), date);

/** A list; unless told otherwise with at least one item, or its items would not be looked at. */
export function list(item: Shape, least = 1): Shape {
  return (value, at) => {
    if (!Array.isArray(value)) return [`${at} is no list: ${shownText(value)}`];
    if (value.length < least) return [`${at} has ${value.length} items`];
    return value.flatMap((each, index) => item(each, `${at}[${index}]`));
  };
}

/** An object with these members; `name?` may be left out. Others are let be. */
export function object(members: Readonly<Record<string, Shape>>): Shape {
  return (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return [`${at} is no object: ${shownText(value)}`];
    const found = value as Readonly<Record<string, unknown>>;
    return Object.entries(members).flatMap(([key, shape]) => {
      const name = key.replace(/\?$/, "");
      return name !== key && found[name] === undefined ? [] : shape(found[name], `${at}.${name}`);
    });
  };
}

/** An object with any names and members of one shape. */
export function mapOf(member: Shape): Shape {
  return (value, at) =>
    record(value, at).length > 0
      ? record(value, at)
      : Object.entries(value as object).flatMap(([name, each]) => member(each, `${at}.${name}`));
}

/** Both shapes. */
export const both =
  (...shapes: readonly Shape[]): Shape =>
  (value, at) =>
    shapes.flatMap((shape) => shape(value, at));
/** No member of these names: what must never be told. */
export const without =
  (...names: readonly string[]): Shape =>
  (value, at) =>
    names
      .filter((name) => typeof value === "object" && value !== null && name in value)
      .map((name) => `${at} tells ${name}`);
