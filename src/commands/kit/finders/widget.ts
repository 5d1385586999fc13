import { readDashboard } from "../dashboards/read.ts";
import type { Finder } from "../resource/resolve-id.ts";

/** How the widgets of one dashboard are found. */
export function widgetFinder(dashboard: string): Finder {
  return {
    noun: "widget",
    plural: "widgets",
    forms: ["name"],
    async find(ctx) {
      const { widgets } = await readDashboard(await ctx.client(), dashboard, ctx.flags.concurrency);
      return widgets.map(({ id, label, type }) => ({ id: String(id), name: String(label ?? type ?? "") }));
    },
    async nameOf(ctx, id) {
      return (await (await ctx.client()).dashboards.widgets.info(dashboard, id)).label;
    },
  };
}
