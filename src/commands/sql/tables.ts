import type { SQLTableInfo } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { entityFinder } from "../kit/finders/entity.ts";
import { expectLists, expectTexts } from "../kit/resource/reply.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";

const columns: readonly Column<SQLTableInfo>[] = [
  { key: "function", rank: 1 },
  { key: "label" },
  { key: "tag_form", header: "by_tag" },
  {
    key: "columns",
    kind: "json",
    value: ({ columns: all }) => all.map(({ name, type }) => `${name} ${type}`).join(", "),
  },
];

export const tablesCommand: Command = defineCommand({
  path: ["tables"],
  effect: "reads",
  summary: "List the tables a statement can read",
  details:
    "Tables are functions: device('<id>') is the data of a device, devices() the list of devices; every table needs an " +
    "alias (AS). The columns of an entity are shown with --entity.",
  options: [{ name: "entity", value: "id", summary: "entity whose columns are shown: a full id, or a unique name:…" }],
  groups: ["limit"],
  result: rows(columns),
  examples: ["iot sql tables", 'iot sql tables --entity "name:sites" --json'],
  related: ["iot sql run"],
  async run(ctx, input) {
    const entity = input.options.entity;
    const query = entity === undefined ? {} : { entity_id: (await resolveId(ctx, entityFinder, entity)).id };
    const reply = await (await ctx.client()).sql.tables(query);
    expectLists(reply, ["tables"], "with the tables");
    const { tables } = reply;
    expectTexts(tables, ["function"], "with the tables");
    for (const table of tables) expectLists(table, ["columns"], "with the tables");
    await ctx.out.list(tables, { columns, empty: "No tables.", idKey: "function" });
  },
});
