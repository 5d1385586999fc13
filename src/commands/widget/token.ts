import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { dashboardOption, readOne, widgetArgument, widgetOf } from "./place.ts";

interface WidgetToken {
  readonly widget: string;
  readonly label: string;
  readonly token: string;
}

const columns: readonly Column<WidgetToken>[] = [{ key: "widget", kind: "id" }, { key: "label" }, { key: "token" }];

export const widgetTokenCommand = defineCommand({
  path: ["token"],
  effect: "changes",
  summary: "Create a token that lets other websites embed a widget",
  details:
    "The token is printed once, in full. This replaces the current token: pages that use it stop working, " +
    "so you are asked first.",
  args: [widgetArgument],
  options: [dashboardOption],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot widget token "name:Wind" --dashboard "name:Plant overview" --yes',
    'iot widget token "name:Humidity" --dashboard "name:Plant overview" --yes --json',
  ],
  related: ["iot widget get", "iot dashboard share"],
  result: one(columns),
  async run(ctx, input) {
    const place = await widgetOf(ctx, input);
    const { dashboard, target } = place;
    const { label, token: old } = await readOne(ctx, place);
    const name = String(label ?? target.id);
    if (typeof old === "string") rememberSecret(old);
    const path = `/dashboard/${dashboard.id}/widget/${target.id}/token`;
    if (await ctx.dryRun({ method: "GET", path })) return;
    if (typeof old === "string" && old !== "") {
      await ctx.confirm({ level: 1, action: `Replace the token of widget "${name}"`, name });
    }
    const { dashboards } = await ctx.client();
    const { widget_token: token } = await dashboards.widgets.tokenGenerate(dashboard.id, target.id);
    if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(token);
    else await ctx.out.item({ widget: target.id, label: name, token }, { columns });
    await ctx.done(`Created a token for widget "${name}"`);
  },
});
