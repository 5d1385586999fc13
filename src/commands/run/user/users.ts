import type { Resources } from "../../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import { meeting } from "../../kit/resource/filter.ts";
import { expectTexts } from "../../kit/resource/reply.ts";

/** A user with the fields asked for. */
export type ListedUser = Readonly<Record<string, unknown>> & { readonly id: string };

/** All users that match, oldest first, so that none is missed when others come meanwhile. */
export async function usersOf(
  { run }: Resources,
  fields: readonly string[],
  filter: object = {},
): Promise<ListedUser[]> {
  const found = new Map<string, ListedUser>();
  const isMeant = meeting(filter);
  for (let page = 1; ; page += 1) {
    const orderBy: ["created_at", "asc"] = ["created_at", "asc"];
    const query = { page, amount: ALL_ROWS_AMOUNT, fields: ["id", ...fields], filter, orderBy };
    const rows: unknown = await run.listUsers(query as Parameters<typeof run.listUsers>[0]);
    expectTexts(rows, ["id"], "with the users");
    const users = rows as readonly ListedUser[];
    for (const user of users.filter(isMeant)) found.set(user.id, user);
    if (users.length < ALL_ROWS_AMOUNT) return [...found.values()];
  }
}
