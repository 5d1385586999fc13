import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { either, one, rows } from "../kit/command/result.ts";
import { isObject } from "../kit/files/files.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { queryFinder } from "./finder.ts";

interface VersionRow {
  readonly version: number;
  readonly created_at?: unknown;
  readonly created_by?: unknown;
}

const columns: readonly Column<VersionRow>[] = [
  { key: "version", kind: "number" },
  { key: "created_at", kind: "time" },
  { key: "created_by" },
];

const detailColumns: readonly Column<VersionRow>[] = [...columns, { key: "query" }, { key: "params", kind: "json" }];

/** The versions in the record of a stored query, the newest first. */
function versionsIn(info: object): VersionRow[] {
  const all: unknown = "versions" in info ? info.versions : undefined;
  return Object.entries(isObject(all) ? all : {})
    .map(([number, about]) => ({ ...(isObject(about) ? about : {}), version: Number(number) }))
    .sort((a, b) => b.version - a.version);
}

export const versionsCommand: Command = defineCommand({
  path: ["versions"],
  effect: "reads",
  summary: "List the versions of a stored query, or show one",
  details: "Each new statement is a version. --version shows the statement of one of them.",
  args: [{ name: "id", summary: "Full id, or a unique name:…, tag:key=value" }],
  options: [{ name: "version", kind: "integer", summary: "show the statement of this version" }],
  groups: ["limit"],
  result: either(rows(columns), one(detailColumns)),
  examples: ['iot sql versions "name:Warm freezer"', 'iot sql versions "name:Warm freezer" --version 1 --json'],
  exitCodes: [6],
  related: ["iot sql get", "iot sql update"],
  async run(ctx, input) {
    const { id } = await resolveOrPick(ctx, queryFinder, input.args.id);
    const wanted = input.options.version;
    const client = await ctx.client();
    if (wanted !== undefined) {
      const found = await lookUp(ctx, queryFinder, id, () => client.sql.getVersion(id, wanted));
      await ctx.out.item(found, { columns: detailColumns, idKey: "version" });
      return;
    }
    const info = await lookUp(ctx, queryFinder, id, () => client.sql.info(id));
    await ctx.out.list(versionsIn(info), { columns, empty: "No versions.", idKey: "version" });
  },
});
