import type { Finder } from "../kit/resource/resolve-id.ts";

/** Dashboards have a label where other resources have a name. */
export const dashboardFinder: Finder = {
  noun: "dashboard",
  plural: "dashboards",
  forms: ["name", "tag"],
  async find(ctx, query, amount) {
    const filter =
      query?.form === "name"
        ? { label: query.name }
        : query?.form === "tag"
          ? { tags: [{ key: query.key, value: query.value }] }
          : {};
    const { dashboards } = await ctx.client();
    const rows = await dashboards.list({ filter, fields: ["id", "label"], amount });
    return rows.map(({ id, label }) => ({ id, name: label }));
  },
  async nameOf(ctx, id) {
    const { dashboards } = await ctx.client();
    return (await dashboards.info(id)).label;
  },
};
