import { argumentList, optionFlag, optionList } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import { parseTagFilter } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { meeting } from "../kit/resource/filter.ts";
import { resolveIds } from "../kit/resource/resolve-id.ts";

/** Flags that choose dashboards besides ids. */
export const selectOptions: readonly OptionSpec[] = [
  { name: "all", summary: "all dashboards of the profile" },
  { name: "tag", value: "k=v", summary: "dashboards with this tag", repeat: true },
];

const PAGE_ROWS = 1000;

/** Ids of the dashboards that the arguments, `--tag` or `--all` choose. */
export async function selectedDashboards(ctx: CommandContext, input: CommandInput): Promise<readonly string[]> {
  const ids = argumentList(input, "id");
  const tags = optionList(input, "tag").map(parseTagFilter);
  const isAll = optionFlag(input, "all");
  if (ids.length === 0 && tags.length === 0 && !isAll) {
    throw usageError("No dashboard given.", {
      code: "usage.missing_argument",
      next: "Give dashboards, --all or --tag.",
    });
  }
  if (ids.length > 0 && (isAll || tags.length > 0)) {
    throw usageError("Ids cannot be used together with --all or --tag.", { next: "Use one of them." });
  }
  if (ids.length > 0) return (await resolveIds(ctx, dashboardFinder, ids)).map(({ id }) => id);
  const { dashboards } = await ctx.client();
  const filter = tags.length > 0 ? { tags } : {};
  const isMeant = meeting(filter);
  const found: string[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await dashboards.list({ filter, fields: ["id", "label", "tags"], amount: PAGE_ROWS, page });
    found.push(...rows.filter(isMeant).map(({ id }) => id));
    if (rows.length < PAGE_ROWS) return found;
  }
}
