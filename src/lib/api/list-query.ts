import { LIST_AMOUNT, LIST_PAGE } from "../core/limits.ts";
import { checkListQuery, checkQuery, wholeNumber } from "./check-query.ts";
import type { ListDefaults } from "./route.ts";

/** Direction of an order. */
export type OrderDirection = "asc" | "desc";

/** A label on a resource. */
export interface Tag {
  /** Name of the label; `_delete_protection_` blocks deletion, with the value as the error. */
  key: string;
  /** Value of the label. */
  value: string;
}

/** Asks for part of a list. */
export interface ListQuery<Info, OrderKeys extends string = keyof Info & string> {
  /** Page, from 1. @default 1 */
  page?: number;
  /** Fields to return; `id` (and `tags`) always come. */
  fields?: (keyof Info & string)[];
  /** Conditions, all of which must hold. `*` in a string matches anything. */
  filter?: ListFilter<Info>;
  /** Rows per page. @default 20 */
  amount?: number;
  /** Field and direction to order by. */
  orderBy?: [field: OrderKeys, direction: OrderDirection];
}

/** Conditions of a list. Dates may be `Date` objects, strings or the platform's own forms (`1 day`). */
export type ListFilter<Info> = {
  -readonly [Key in keyof Info]?: Key extends "tags"
    ? Partial<Tag>[]
    : (Date extends Info[Key] ? Date : never) | RecursivePartial<Info[Key]> | string | null;
};

/** What a call takes of a query: nothing is changed in it, so its arrays and properties may be read-only. */
export type Given<Query> = Query extends string | Date
  ? Query
  : Query extends readonly unknown[]
    ? Readonly<Query>
    : Query extends object
      ? { readonly [Key in keyof Query]: Given<Query[Key]> }
      : Query;

/** A type whose properties are all optional, however deep. */
export type RecursivePartial<T> = T extends Date
  ? T
  : T extends readonly (infer Item)[]
    ? RecursivePartial<Item>[]
    : T extends object
      ? { [Key in keyof T]?: RecursivePartial<T[Key]> }
      : T;

/**
 * The rows of a list. With `fields` they have the asked fields and `id`. Without, they have the default ones; the others
 * are optional, or typed as present where the official SDK types them so (`Default` is then `keyof Info`). `Always` come
 * back beside the asked ones.
 */
export type Picked<Info, Query, Default extends keyof Info, Always extends keyof Info = never> = Query extends {
  readonly fields: readonly (infer Field)[];
}
  ? Pick<Info, Extract<Field | "id" | Always, keyof Info>>
  : Known<Info, Default | Always | Extract<keyof Info, "id">>;

/** A record of which only some fields are certain to be there. */
export type Known<Info, Field extends keyof Info = keyof Info> = Pick<Info, Field> & Partial<Info>;

/** An `Info` as the platform returns it: these fields, which are optional in `Info`, are always there. */
export type Stored<Info, Field extends keyof Info> = Omit<Info, Field> & { [Key in Field]-?: Info[Key] };

/** The query of a list call: what the caller gave over the defaults, `orderBy` as the platform writes it. */
export function listParameters(defaults: ListDefaults, query: object | undefined): Record<string, unknown> {
  const given = checkListQuery(query);
  return {
    page: given["page"] || LIST_PAGE,
    fields: given["fields"] || defaults.fields,
    filter: given["filter"] || undefined,
    amount: given["amount"] || LIST_AMOUNT,
    orderBy: orderText(given["orderBy"]) || (defaults.orderBy === undefined ? undefined : defaults.orderBy.join(",")),
  };
}

/**
 * The query of a call without defaults of its own: what is missing stays missing, and 0 is the default of lists. What it
 * holds besides `page` and `amount` is up to the caller.
 */
export function pageParameters(query: object | undefined): Record<string, unknown> | undefined {
  const { page, amount, ...rest } = checkQuery(query);
  if (query === undefined || query === null) return undefined;
  return {
    ...rest,
    ...(page === undefined || page === null ? {} : { page: wholeNumber(page, "page") ?? LIST_PAGE }),
    ...(amount === undefined || amount === null ? {} : { amount: wholeNumber(amount, "amount") ?? LIST_AMOUNT }),
  };
}

function orderText(order: unknown): string | undefined {
  if (Array.isArray(order)) return order.join(",");
  return typeof order === "string" ? order : undefined;
}
