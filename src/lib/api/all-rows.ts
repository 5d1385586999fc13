import { InputError } from "../core/errors.ts";
import { ALL_ROWS_AMOUNT, LIST_PAGE, MAX_LIST_AMOUNT } from "../core/limits.ts";
import { stoppable } from "../core/stoppable.ts";
import { checkListQuery, wholeNumber } from "./check-query.ts";
import type { CallOptions } from "./client.ts";

/** Order in which a row created while reading comes last, so that it moves no other row to another page. */
const oldestFirst = ["created_at", "asc"] as const;

/** A page, and the mark of the next one; undefined after the last. */
interface MarkedPage<Row, Mark> {
  readonly rows: readonly Row[];
  readonly next: Mark | undefined;
}

/** Yields the rows of page after page. A page is read when its first row is asked for; leaving the loop stops reading. */
export function allMarked<Row, Mark>(
  first: Mark,
  options: CallOptions | undefined,
  read: (mark: Mark, options: CallOptions) => Promise<MarkedPage<Row, Mark>>,
): AsyncGenerator<Row, void, undefined> {
  return stoppable(options?.signal, async function* (signal) {
    for (let mark: Mark | undefined = first; mark !== undefined; ) {
      const page: MarkedPage<Row, Mark> = await read(mark, { ...options, signal });
      yield* page.rows;
      mark = page.next;
    }
  });
}

function pageAmount(value: unknown): number {
  const amount = value || ALL_ROWS_AMOUNT;
  if (Number.isInteger(amount) && Number(amount) >= 1 && Number(amount) <= MAX_LIST_AMOUNT) return Number(amount);
  throw new InputError(`Invalid amount: it must be a whole number from 1 to ${MAX_LIST_AMOUNT}`, "amount");
}

/**
 * Yields all rows of a paged list, from the page of the query on. Pages are counted: a row deleted while reading moves
 * the later ones to an earlier position, and one per deleted row may be left out.
 *
 * @param orderBy null for lists that cannot be ordered by `created_at`: they keep their own order
 */
export function allRows<Query extends object, Row>(
  query: Query | undefined,
  options: CallOptions | undefined,
  read: (query: Query, options: CallOptions) => Promise<readonly Row[]>,
  orderBy: readonly string[] | null = oldestFirst,
): AsyncGenerator<Row, void, undefined> {
  const given = query as { readonly amount?: number; readonly orderBy?: unknown } | undefined;
  return allMarked(0, options, async (turn, pageOptions) => {
    const page = (wholeNumber(checkListQuery(query)["page"], "page") ?? LIST_PAGE) + turn;
    const amount = pageAmount(given?.amount);
    const asked = { ...query, page, amount, orderBy: given?.orderBy ?? orderBy ?? undefined };
    const rows = await read(asked as unknown as Query, pageOptions);
    // More rows than asked for: the server does not page this list, and would send the same rows again.
    return { rows, next: rows.length === amount ? turn + 1 : undefined };
  });
}

/** Yields the rows of a stream of pages one by one. */
export function eachRow<Row, Options extends { readonly signal?: AbortSignal | undefined }>(
  options: Options | undefined,
  pages: (options: Options & { readonly signal: AbortSignal }) => AsyncIterable<readonly Row[]>,
): AsyncGenerator<Row, void, undefined> {
  return stoppable(options?.signal, async function* (signal) {
    for await (const rows of pages({ ...(options as Options), signal })) yield* rows;
  });
}
