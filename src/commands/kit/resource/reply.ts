import { CommandError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";

/** The platform returned valid JSON that is not what was requested. */
export function unexpectedReply(what: string, why: string): CommandError {
  return new CommandError(`The response ${what} is not in the expected format.`, {
    code: "reply.unexpected",
    exit: 1,
    why,
    next: 'Check the URL with "iot env current"; a proxy or another server may have responded.',
  });
}

/** Lists under these names, as the reply holds them. */
export function expectLists(reply: unknown, names: readonly string[], what: string): void {
  for (const name of names) {
    const list = isObject(reply) ? reply[name] : undefined;
    if (!Array.isArray(list)) throw unexpectedReply(what, `It has no list ${name}.`);
  }
}

/** Objects under these names, as the reply holds them. */
export function expectObjects(reply: unknown, names: readonly string[], what: string): void {
  for (const name of names) {
    if (!isObject(reply) || !isObject(reply[name])) throw unexpectedReply(what, `It has no object ${name}.`);
  }
}

/** Rows that all have these texts. */
export function expectTexts(rows: unknown, names: readonly string[], what: string): void {
  const hasAll = (row: unknown): boolean => isObject(row) && names.every((name) => typeof row[name] === "string");
  if (!Array.isArray(rows)) throw unexpectedReply(what, "It is not a list.");
  if (!rows.every(hasAll)) throw unexpectedReply(what, `A row has no ${names.join(" and ")}.`);
}

/** Rows whose dates are needed to go on. */
export function expectDates<Name extends string>(
  rows: readonly Readonly<Record<Name, unknown>>[],
  name: Name,
  what: string,
): void {
  const isDate = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime());
  if (!rows.every((row) => isDate(row[name]))) throw unexpectedReply(what, `A row has no date ${name}.`);
}

export function expectText(value: unknown, what: string): void {
  if (typeof value !== "string") throw unexpectedReply(what, "A string is missing.");
}

export function expectNumber(value: unknown, what: string): void {
  if (typeof value !== "number") throw unexpectedReply(what, "A number is missing.");
}
