import type { Resources } from "../../../index.ts";
import { meeting } from "./filter.ts";
import { type Finder, type IdQuery, nameIn } from "./resolve-id.ts";
import type { ResourceApi } from "./resource.ts";

function filterOf(query: IdQuery | undefined, nameKey: string): object {
  if (query?.form === "name") return { [nameKey]: query.name };
  if (query?.form === "tag") return { tags: [{ key: query.key, value: query.value }] };
  return {};
}

/** How resources are found whose list takes a name, and a tag where `forms` says so. */
export function simpleFinder(of: {
  readonly noun: string;
  readonly plural?: string;
  readonly title?: string;
  readonly forms?: readonly IdQuery["form"][];
  readonly nameKey?: string;
  api(client: Resources): Pick<ResourceApi<{ readonly id: string }>, "list" | "info">;
}): Finder {
  const { api, nameKey = "name", ...words } = of;
  const finder: Finder = {
    plural: `${of.noun}s`,
    forms: ["name"],
    ...words,
    nameKey,
    async find(ctx, query, amount, page = 1) {
      const filter = filterOf(query, nameKey);
      const found = await api(await ctx.client()).list({
        page,
        amount,
        fields: ["id", nameKey, ...(query?.form === "tag" ? ["tags"] : [])],
        filter,
        orderBy: [nameKey, "asc"],
      });
      return found.filter(meeting(filter)).map((row) => ({ id: row.id, name: nameIn(finder, row) }));
    },
    async nameOf(ctx, id) {
      return nameIn(finder, { ...(await api(await ctx.client()).info(id)), id });
    },
  };
  return finder;
}
