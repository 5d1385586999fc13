import type { Column } from "../command/columns.ts";
import { quote } from "../command/values.ts";
import { notFoundError, usageError } from "../failures/command-error.ts";
import { maskToken } from "../say/redact.ts";

/** A token in a list, with the fields the list returns. */
export interface TokenRow {
  readonly token?: string;
  readonly name?: string;
  readonly permission?: string;
  readonly expire_time?: Date | string | null;
}

/** A token of a list that can be acted on. */
export type KnownToken = TokenRow & { readonly token: string };

/** What a result with tokens is described by. */
export const tokenColumns: readonly Column<TokenRow>[] = [
  { key: "token", kind: "secret" },
  { key: "name" },
  { key: "permission" },
  { key: "expire_time", kind: "time" },
  { key: "created_at", kind: "time" },
];

/** What a token may do, from `--permission`. */
export function permissionOf(text: string | undefined): "full" | "write" | "read" {
  return text === "write" || text === "read" ? text : "full";
}

/** Whose tokens a look-up is about: `The device`, `device.token_not_found`, `iot device token list`. */
export interface TokenOwner {
  readonly title: string;
  /** Error code when there is no such token. */
  readonly code: string;
  /** The command that lists the tokens. */
  readonly list: string;
}

/** The one token that `text` names: its name, its ends as lists show them, or the whole of it. */
export function findToken<Row extends TokenRow>(
  known: readonly Row[],
  text: string,
  owner: TokenOwner,
): Row & KnownToken {
  const ends = text.replace("...", "…");
  const rows = known.filter((row): row is Row & KnownToken => row.token !== undefined);
  const matches = rows.filter(({ token, name }) => name === text || token === text || maskToken(token) === ends);
  const [only, ...others] = matches;
  if (only === undefined) {
    // What was typed may be a token of something else, so it is not repeated in full.
    throw notFoundError(`${owner.title} has no token ${quote(text.length > 20 ? maskToken(text) : text)}.`, {
      code: owner.code,
      next: `Run "${owner.list}" to see its tokens.`,
    });
  }
  if (others.length === 0) return only;
  throw usageError(`Several tokens match ${quote(text)}.`, {
    why: `They are ${matches.map(({ token }) => maskToken(token)).join(", ")}.`,
    next: `Use the ends of the one you mean, or all of it; "${owner.list} --reveal" shows it.`,
  });
}
