import type { Resources } from "../../index.ts";
import type { Finder, IdQuery } from "../kit/resolve-id.ts";

/** How devices are found by name, tag or serial number. */
export const deviceFinder: Finder = {
  noun: "device",
  plural: "devices",
  forms: ["name", "tag", "serial"],
  async find(client, query, amount) {
    const orderBy: ["name" | "last_input", "asc" | "desc"] = query === undefined ? ["last_input", "desc"] : ["name", "asc"];
    const rows = await client.devices.list({ ...condition(query), fields: ["id", "name"], amount, orderBy });
    return rows.map(({ id, name }) => ({ id, name }));
  },
  async nameOf(client: Resources, id: string) {
    return (await client.devices.info(id)).name;
  },
};

function condition(query: IdQuery | undefined) {
  switch (query?.form) {
    case "name":
      return { filter: { name: query.name } };
    case "tag":
      return { filter: { tags: [{ key: query.key, value: query.value }] } };
    case "serial":
      return { serial: query.serial };
    default:
      return {};
  }
}

/** Networks and connectors are named with a full id or `name:…` too. */
export function integrationFinder(kind: "network" | "connector"): Finder {
  return {
    noun: kind,
    plural: `${kind}s`,
    forms: ["name"],
    async find(client, query, amount) {
      const filter = query?.form === "name" ? { name: query.name } : {};
      const rows = await client.integration[`${kind}s`].list({ filter, fields: ["id", "name"], amount });
      return rows.map(({ id, name }) => ({ id, name }));
    },
    async nameOf(client, id) {
      return (await client.integration[`${kind}s`].info(id)).name;
    },
  };
}
