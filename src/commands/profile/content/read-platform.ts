import type { Resources } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import type { CommandContext } from "../../kit/context.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { isNotFound } from "../../kit/resource/not-found.ts";
import { createProgress } from "../../kit/say/progress.ts";
import type { Entry, Kind, ListedRow } from "./kinds.ts";

const PAGE_ROWS = 1_000;
const LANES = 4;

/** Id and name of every resource of a kind, the oldest first. */
export async function listAll(client: Resources, kind: Kind): Promise<ListedRow[]> {
  const found: ListedRow[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await kind.list(client, { page, amount: PAGE_ROWS });
    found.push(...rows.filter(({ isForeign }) => isForeign !== true));
    if (rows.length < PAGE_ROWS) break;
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** Every resource of these kinds, as files say them. */
export async function readPlatform(ctx: CommandContext, wanted: readonly Kind[]): Promise<Entry[]> {
  const client = await ctx.client();
  const entries: Entry[] = [];
  const progress = createProgress(ctx, ["Reading", "resources"]);
  try {
    for (const kind of wanted) {
      const rows = await listAll(client, kind);
      const read = await mapLanes(rows, ctx.flags.concurrency ?? LANES, async (row) => {
        const document = await kind.read(ctx, client, row.id).catch((error: unknown) => {
          if (!(error instanceof ApiError) || !isNotFound(error)) throw error;
          ctx.say.warning(`${kind.name} "${row.name}" (${row.id}) was deleted in the meantime and is skipped.`);
          return undefined;
        });
        progress.at(entries.length);
        return document === undefined ? undefined : { kind: kind.name, id: row.id, name: row.name, document };
      });
      entries.push(...read.filter((entry) => entry !== undefined));
    }
  } finally {
    progress.end();
  }
  return entries;
}
