import type { Resources, WidgetDataCreate, WidgetDataEdit, WidgetResourceEdit } from "../../index.ts";
import { bundlePage } from "../kit/analyses/bundle.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { pageOptions } from "../kit/pages/options.ts";
import { type BuiltPage, showPage } from "../kit/pages/show.ts";
import { dashboardOption, readOne, widgetOf } from "./place.ts";

const args = [
  { name: "file", file: "in", summary: "page of the widget: HTML, or JS, JSX, TS or TSX to bundle", required: true },
] as const satisfies Arguments;

const options = [
  { name: "widget", value: "id", summary: "widget whose data it gets: full id, or a unique name:… on the dashboard" },
  dashboardOption,
  { name: "write", summary: "let the page send, change and delete data" },
  ...pageOptions,
] as const satisfies Options;

type Given = Input<typeof args, typeof options>;
type Body = Readonly<Record<string, unknown>>;
type Widgets = Resources["dashboards"]["widgets"];

async function build(ctx: CommandContext, word: string): Promise<BuiltPage> {
  const file = ctx.path(word);
  if (/\.[cm]?[jt]sx?$/i.test(word)) return bundlePage(file);
  return { html: await ctx.readInput(word, "The page"), inputs: [file] };
}

/** A record as the page sent it: which properties it has, the platform checks. */
type Row = WidgetDataCreate & WidgetDataEdit & WidgetResourceEdit;

const isRow = (row: unknown): row is Row => isObject(row);
const rowsOf = ({ rows }: Body): readonly Row[] => (Array.isArray(rows) ? rows.filter(isRow) : []);

const idsOf = ({ ids }: Body): string[] => (Array.isArray(ids) ? ids.map(String) : []);

function change(widgets: Widgets, dashboard: string, widget: string, op: string, body: Body): Promise<unknown> {
  switch (op) {
    case "send":
      return widgets.sendData(dashboard, widget, rowsOf(body));
    case "edit":
      return widgets.editData(dashboard, widget, rowsOf(body));
    case "edit-resource":
      return widgets.editResource(dashboard, widget, rowsOf(body));
    default:
      return widgets.deleteData(dashboard, widget, idsOf(body));
  }
}

async function dev(ctx: CommandContext, input: Given): Promise<void> {
  const { write, widget } = input.options;
  const place = await widgetOf(ctx, { args: { id: widget }, options: input.options });
  // Says which one is missing before anything is shown.
  await readOne(ctx, place);
  const { dashboard, target } = place;
  await showPage(ctx, input, {
    kind: "widget",
    file: ctx.path(input.args.file),
    build: () => build(ctx, input.args.file),
    async call({ dashboards: { widgets } }, op, body) {
      if (op === "read") return widgets.getData(dashboard.id, target.id);
      if (write) return change(widgets, dashboard.id, target.id, op, body);
      throw new CommandError("Nothing was changed: the command was started without --write.", {
        code: "widget.read_only",
        exit: 5,
      });
    },
  });
}

export const devWidget: Command = defineCommand({
  path: ["dev"],
  effect: { most: "changes", of: ({ options: { write } }: Given) => (write ? "changes" : "reads") },
  summary: "Show a custom widget while you write it",
  details:
    "Serves the page in a frame on this machine, as a custom widget instead of one on the platform: it gets that widget with " +
    "its data, and is loaded again when a file changes. JavaScript and TypeScript are bundled with esbuild, an optional " +
    "package. Nothing is changed on the platform without --write. Beside the page are its messages, errors and blocked " +
    "requests. The page gets no token, and reaches nothing but the page around it. The URL works once, within one minute.",
  args,
  options,
  groups: ["confirm"],
  result: value({ type: "string", description: "The URL." }),
  examples: [
    'iot widget dev examples/pages/route.ts --widget "name:Route planner" --dashboard "name:Plant overview" --no-browser --for 1s',
    'iot widget dev examples/pages/route.ts --widget "name:Route planner" --dashboard "name:Plant overview" --write --no-browser --for 1s',
  ],
  exitCodes: [1, 3, 6],
  related: ["iot widget data", "iot widget get", "iot dashboard dev"],
  run: dev,
});
