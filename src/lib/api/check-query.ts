import { InputError } from "../core/errors.ts";

/** Whatever a program without types may pass as a query. */
type AnyQuery = Readonly<Record<string, unknown>>;

/**
 * Checks the query of a list before it is sent: the platform ignores what it does not understand, and returns every row.
 * Values that are falsy stand for the default, as in the official SDK.
 *
 * @throws InputError for a query, page, amount, fields, filter or orderBy that is not one
 */
export function checkListQuery(query: unknown): AnyQuery {
  const given = checkQuery(query);
  wholeNumber(given["page"], "page");
  wholeNumber(given["amount"], "amount");
  checkFields(given["fields"]);
  checkFilter(given["filter"]);
  checkOrder(given["orderBy"]);
  return given;
}

/** @throws InputError unless the query is an object or missing */
export function checkQuery(query: unknown): AnyQuery {
  const given = query || {};
  if (!isPlain(given)) refuse("query", 'an object such as { filter: { name: "Pump*" } }', given);
  return given;
}

/**
 * A whole number of a query, which may be a string of digits.
 *
 * @returns undefined for a value that is falsy: the default
 * @throws InputError unless it is at least 1
 */
export function wholeNumber(value: unknown, name: string): number | undefined {
  if (!value) return undefined;
  const hasDigits = ["number", "bigint", "string"].includes(typeof value) && /^\d+$/.test(String(value));
  if (hasDigits && Number.isSafeInteger(Number(value)) && Number(value) >= 1) return Number(value);
  return refuse(name, "a whole number of at least 1", value);
}

/** @throws InputError unless the conditions are an object or missing */
export function checkFilter(filter: unknown): void {
  if (filter && !isPlain(filter)) refuse("filter", 'an object of conditions such as { name: "Pump*" }', filter);
}

function checkFields(fields: unknown): void {
  const isGap = (field: unknown): boolean => field === undefined || field === null;
  if (!fields || (Array.isArray(fields) && fields.every((field) => isGap(field) || typeof field === "string"))) return;
  refuse("fields", 'an array of names such as ["id", "name"]', fields);
}

function checkOrder(order: unknown): void {
  if (!order || (Array.isArray(order) && order.length === 0)) return;
  const isPair = Array.isArray(order) && order.length === 2 && order.every((part) => typeof part === "string");
  // As the platform writes it, a field alone is an order, too.
  const text = isPair ? order.join(",") : typeof order === "string" ? order : "";
  if ((isPair ? /^[^,]+,(asc|desc)$/i : /^[^,]+(,(asc|desc))?$/i).test(text)) return;
  refuse("orderBy", 'a field and a direction such as ["name", "asc"]', order);
}

/** Arrays, maps, dates and promises have no conditions to send, so they would ask for everything. */
function isPlain(value: unknown): value is AnyQuery {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function refuse(name: string, fitting: string, value: unknown): never {
  throw new InputError(`Invalid ${name}: it must be ${fitting}, not ${describe(value)}`, name);
}

/** In a few words, whatever it holds. */
function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "function" ? "a function" : String(value).slice(0, 60);
}
