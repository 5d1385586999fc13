import { readScope, scopeOption } from "../kit/analyses/scope.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import { finders } from "../kit/dashboards/look-up.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import { listOf } from "../kit/folders/documents.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { dashboardOption, readOne, widgetArgument, widgetOf } from "./place.ts";

interface Started {
  readonly widget: string;
  readonly button: string;
  readonly analysis: string;
}

const columns: readonly Column<Started>[] = [
  { key: "widget", kind: "id" },
  { key: "button" },
  { key: "analysis", kind: "id" },
];

export const runButtonCommand = defineCommand({
  path: ["run-button"],
  effect: "changes",
  summary: "Run the analysis of a widget's header button",
  details: "Without --button, the widget must have exactly one button that runs an analysis.",
  args: [widgetArgument],
  options: [
    dashboardOption,
    { name: "button", value: "text", summary: "label of the button" },
    { name: "analysis", value: "id", summary: "run another analysis: id or name:…" },
    scopeOption,
  ],
  examples: [
    'iot widget run-button "name:Freezer 1" --dashboard "name:Plant overview"',
    'iot widget run-button "name:Freezer 1" --dashboard "name:Plant overview" --button "Report now" --dry-run',
  ],
  exitCodes: [3],
  related: ["iot widget get", "iot analysis console"],
  result: one(columns),
  async run(ctx, input) {
    const place = await widgetOf(ctx, input);
    const { dashboard, target } = place;
    const widget = await readOne(ctx, place);
    const named = input.options.analysis;
    const text = input.options.button;
    const button = named !== undefined && text === undefined ? undefined : buttonOf(widget, text);
    const analysis =
      named === undefined ? String(button?.["analysis"]) : (await resolveId(ctx, finders.analyses, named)).id;
    const scope = await readScope(ctx, input.options.scope, "--scope");
    const path = `/analysis/${analysis}/run/${dashboard.id}/${target.id}`;
    if (await ctx.dryRun({ method: "POST", path, body: scope && { scope } })) return;
    const { dashboards } = await ctx.client();
    await dashboards.runWidgetHeaderButtonAnalysis(analysis, dashboard.id, target.id, scope);
    const pressed = String(button?.["text"] ?? "");
    await ctx.out.item({ widget: target.id, button: pressed, analysis }, { columns });
    await ctx.done(`Started analysis ${analysis}`);
  },
});

function buttonOf(widget: JsonObject, text: string | undefined): JsonObject {
  const display = isObject(widget["display"]) ? widget["display"] : {};
  const all = listOf(display["header_buttons"]).filter(({ analysis }) => typeof analysis === "string");
  const found = text === undefined ? all : all.filter((button) => button["text"] === text);
  const [only, ...others] = found;
  const names = all.map((button) => String(button["text"])).join(", ") || "none";
  if (only === undefined) {
    throw notFoundError(`Button${text === undefined ? "" : ` ${quote(text)}`} not found in the widget.`, {
      code: "widget.no_button",
      why: `Header buttons that run an analysis: ${names}.`,
      next: "Choose one with --button, or an analysis with --analysis.",
    });
  }
  if (others.length === 0) return only;
  throw usageError("The widget has several buttons.", {
    why: `Its buttons: ${names}.`,
    next: "Choose one with --button.",
  });
}
