import type { Resources } from "../../../index.ts";
import type { Finder, IdQuery, Named } from "./resolve-id.ts";

/** The part of a list query a look-up uses. */
export interface FindQuery {
  readonly page: number;
  readonly amount: number;
  readonly fields: ["id", "name"];
  readonly filter: { readonly name?: string; readonly tags?: { key: string; value: string }[] };
  readonly orderBy: ["name", "asc"];
}

function filterOf(query: IdQuery | undefined): FindQuery["filter"] {
  if (query?.form === "name") return { name: query.name };
  if (query?.form === "tag") return { tags: [{ key: query.key, value: query.value }] };
  return {};
}

/** How resources are found whose list takes a name, and a tag where `forms` says so. */
export function simpleFinder(of: {
  readonly noun: string;
  readonly plural?: string;
  readonly title?: string;
  readonly forms?: readonly IdQuery["form"][];
  list(
    client: Resources,
    query: FindQuery,
  ): Promise<readonly { readonly id: string; readonly name?: string | undefined }[]>;
  info(client: Resources, id: string): Promise<{ readonly name?: string | undefined }>;
}): Finder {
  return {
    noun: of.noun,
    plural: of.plural ?? `${of.noun}s`,
    ...(of.title === undefined ? {} : { title: of.title }),
    forms: of.forms ?? ["name"],
    async find(ctx, query, amount): Promise<readonly Named[]> {
      const found = await of.list(await ctx.client(), {
        page: 1,
        amount,
        fields: ["id", "name"],
        filter: filterOf(query),
        orderBy: ["name", "asc"],
      });
      return found.map(({ id, name }) => ({ id, name: name ?? id }));
    },
    async nameOf(ctx, id) {
      return (await of.info(await ctx.client(), id)).name ?? id;
    },
  };
}
