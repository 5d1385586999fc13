import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { differences } from "../kit/folders/differences.ts";
import { documentText, listOf } from "../kit/folders/documents.ts";
import { replaceIds } from "../kit/folders/replace-ids.ts";
import { type Entry, without } from "../kit/profiles/kind.ts";
import { kinds } from "../kit/profiles/kinds.ts";
import { readPlatform } from "../kit/profiles/read-platform.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { deviceArgument, deviceOf } from "./place.ts";

interface UsageRow {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly where: string;
}

const columns: readonly Column<UsageRow>[] = [
  { key: "kind" },
  { key: "id", kind: "id" },
  { key: "name", rank: 1 },
  { key: "where" },
];

const searched = kinds.filter(({ name }) => ["dashboard", "action", "access", "query"].includes(name));

/** An id that nothing has: what becomes different when it replaces the device is what names the device. */
const NOBODY = "-".repeat(24);

/** The paths of a document that name the device: `trigger[0].device`. */
function pathsTo(document: unknown, id: string): readonly string[] {
  const found = differences(document, replaceIds(document, new Map([[id, NOBODY]])));
  // A list or an object that has the id as a key lacks that key afterwards, and has one that is none.
  return found.map(({ path }) => path).filter((path) => !path.includes(NOBODY));
}

/** Where a resource names the device; nothing where it does not. Of a dashboard, people know the widgets. */
function placesIn({ kind, document }: Entry, id: string): readonly string[] {
  if (kind !== "dashboard") return pathsTo(document, id);
  const widgets = listOf(document["widgets"]).filter((widget) => pathsTo(widget, id).length > 0);
  return [
    ...widgets.map((widget) => `widget "${documentText(widget, "label")}"`),
    ...pathsTo(without(document, "widgets"), id),
  ];
}

export const deviceUsage = defineCommand({
  path: ["usage"],
  result: rows(columns),
  effect: "reads",
  summary: "List what names a device: dashboards, actions and more",
  details:
    "Reads all dashboards, actions, access rules and stored SQL queries, and lists those that contain the id of the device, " +
    "with the widgets of a dashboard and the fields of the others. --concurrency sets how many are read at a time. Uses by " +
    "a tag, in scripts and variables of analyses, and in widgets outside the arrangement of their dashboard are not found.",
  args: [deviceArgument],
  examples: ['iot device usage "name:Freezer 1"', 'iot device usage "name:Freezer 1" -o json --concurrency 2'],
  related: ["iot dashboard devices", "iot device replace", "iot device delete"],
  run: listUsage,
});

async function listUsage(ctx: CommandContext, input: Input<[typeof deviceArgument], []>): Promise<void> {
  const { id } = await deviceOf(ctx, input);
  const client = await ctx.client();
  await lookUp(ctx, deviceFinder, id, () => client.devices.info(id));
  const found = (await readPlatform(ctx, searched)).flatMap((entry): UsageRow[] => {
    const where = [...new Set(placesIn(entry, id))].join(", ");
    return where === "" ? [] : [{ kind: entry.kind, id: entry.id, name: entry.name, where }];
  });
  await ctx.out.list(found, { columns, empty: "No dashboard, action, access rule or stored query names the device." });
}
