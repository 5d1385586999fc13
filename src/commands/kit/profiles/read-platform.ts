import type { Resources } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import type { CommandContext } from "../context.ts";
import type { JsonObject } from "../files/files.ts";
import { mapLanes } from "../lanes.ts";
import { isNotFound } from "../resource/not-found.ts";
import { createProgress } from "../say/progress.ts";
import type { Entry, ListedRow, ResourceKind } from "./kind.ts";

/** Resources that are read at a time. */
export const LANES = 8;

/** Id and name of every resource of a kind, the oldest first. */
export async function listAll(client: Resources, kind: ResourceKind): Promise<ListedRow[]> {
  const found: ListedRow[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await kind.list(client, { page, amount: ALL_ROWS_AMOUNT });
    found.push(...rows.filter(({ isForeign }) => isForeign !== true));
    if (rows.length < ALL_ROWS_AMOUNT) break;
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** A resource as the platform has it; undefined when it is gone. */
export async function fetchIfThere(
  ctx: CommandContext,
  client: Resources,
  kind: ResourceKind,
  id: string,
): Promise<JsonObject | undefined> {
  try {
    return await kind.fetch(ctx, client, id);
  } catch (error) {
    if (!(error instanceof ApiError) || !isNotFound(error)) throw error;
    return undefined;
  }
}

/** Every resource of these kinds, as files say them. */
export async function readPlatform(ctx: CommandContext, wanted: readonly ResourceKind[]): Promise<Entry[]> {
  const client = await ctx.client();
  const entries: Entry[] = [];
  const progress = createProgress(ctx, ["Reading", "resources"]);
  try {
    for (const kind of wanted) {
      const rows = await listAll(client, kind);
      const read = await mapLanes(rows, ctx.flags.concurrency ?? LANES, async (row) => {
        const found = await fetchIfThere(ctx, client, kind, row.id);
        if (found === undefined)
          ctx.say.warning(`${kind.name} "${row.name}" (${row.id}) was deleted in the meantime and is skipped.`);
        progress.at(entries.length);
        const { id, name } = row;
        return found === undefined ? undefined : { kind: kind.name, id, name, document: kind.clean(found) };
      });
      entries.push(...read.filter((entry) => entry !== undefined));
    }
  } finally {
    progress.end();
  }
  return entries;
}
