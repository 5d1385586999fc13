import { defined } from "../../../lib/core/defined.ts";
import { rawList } from "../client/batch-client.ts";
import type { CommandContext } from "../context.ts";
import { meeting } from "../resource/filter.ts";
import type { Finder, IdQuery } from "../resource/resolve-id.ts";
import { SELF, selfInfo } from "./self.ts";

/** How devices are found by name, tag or serial number. */
export const deviceFinder: Finder = {
  noun: "device",
  plural: "devices",
  forms: ["name", "tag", "serial"],
  async find(ctx, query, amount, page = 1) {
    const { devices } = await ctx.client();
    const orderBy: ["name" | "last_input", "asc" | "desc"] =
      query === undefined ? ["last_input", "desc"] : ["name", "asc"];
    const { filter, serial } = condition(query);
    const rows = await devices.list({
      filter,
      ...defined({ serial }),
      fields: ["id", "name", "tags"],
      page,
      amount,
      orderBy,
    });
    return rows.filter(meeting(filter)).map(({ id, name }) => ({ id, name }));
  },
  known: async (ctx, text) => (text === SELF ? selfInfo(ctx) : undefined),
  async nameOf(ctx, id) {
    const { devices } = await ctx.client();
    return (await devices.info(id)).name;
  },
};

function condition(query: IdQuery | undefined): { readonly filter: object; readonly serial?: string } {
  switch (query?.form) {
    case "name":
      return { filter: { name: query.name } };
    case "tag":
      return { filter: { tags: [{ key: query.key, value: query.value }] } };
    case "serial":
      return { filter: {}, serial: query.serial };
    default:
      return { filter: {} };
  }
}

/** A network or connector of a list. */
export interface Integration {
  readonly id: string;
  readonly name: string;
  /** Networks of a connector. */
  readonly networks?: readonly string[];
}

function isIntegration(value: unknown): value is Integration {
  return (
    typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" && "name" in value
  );
}

/** Networks or connectors; at most `amount` of those with this name. */
export async function listIntegrations(
  ctx: CommandContext,
  kind: "network" | "connector",
  name: string | undefined,
  amount: number,
  page = 1,
): Promise<Integration[]> {
  const fields = kind === "connector" ? ["id", "name", "networks"] : ["id", "name"];
  const rows = await rawList(ctx, `/integration/${kind}/`, {
    page,
    amount,
    fields,
    orderBy: "name,asc",
    ...(name === undefined ? {} : { filter: { name } }),
  });
  return rows.filter(isIntegration);
}

/** Networks and connectors are named with a full id or `name:…` too. */
export function integrationFinder(kind: "network" | "connector"): Finder {
  return {
    noun: kind,
    plural: `${kind}s`,
    forms: ["name"],
    find: (ctx, query, amount, page) =>
      listIntegrations(ctx, kind, query?.form === "name" ? query.name : undefined, amount, page),
    async nameOf(ctx, id) {
      const { integration } = await ctx.client();
      return (await (kind === "network" ? integration.networks : integration.connectors).info(id)).name;
    },
  };
}
