import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { meeting } from "../kit/resource/filter.ts";
import { resolveIds } from "../kit/resource/resolve-id.ts";

/** The dashboards a command is about. */
export const selectArguments = [
  { name: "id", summary: "dashboards: id, name:… or tag:key=value", variadic: true },
] as const satisfies Arguments;

/** Flags that select dashboards instead of ids. */
export const selectOptions = [
  { name: "all", summary: "all dashboards of the profile", conflicts: ["<id>"] },
  { name: "tag", kind: "tag", summary: "dashboards with this tag", repeat: true, conflicts: ["<id>"] },
] as const satisfies Options;

/** Ids of the dashboards that the arguments, `--tag` or `--all` choose. */
export async function selectedDashboards(
  ctx: CommandContext,
  { args: { id: ids }, options: { all, tag: tags } }: Input<typeof selectArguments, typeof selectOptions>,
): Promise<readonly string[]> {
  if (ids.length === 0 && tags.length === 0 && !all) {
    throw usageError("No dashboard given.", {
      code: "usage.missing_argument",
      next: "Give dashboards, --all or --tag.",
    });
  }
  if (ids.length > 0) return (await resolveIds(ctx, dashboardFinder, ids)).map(({ id }) => id);
  const { dashboards } = await ctx.client();
  const filter = tags.length > 0 ? { tags } : {};
  const isMeant = meeting(filter);
  const found: string[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await dashboards.list({ filter, fields: ["id", "label", "tags"], amount: ALL_ROWS_AMOUNT, page });
    found.push(...rows.filter(isMeant).map(({ id }) => id));
    if (rows.length < ALL_ROWS_AMOUNT) return found;
  }
}
