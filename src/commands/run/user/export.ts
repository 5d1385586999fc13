import { Readable } from "node:stream";
import { defined } from "../../../lib/core/defined.ts";
import { countOf } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { rows } from "../../kit/command/result.ts";
import { confirmOutFile, shownPath } from "../../kit/files/out-file.ts";
import type { Tag } from "../../kit/resource/body.ts";
import { onOff } from "../../kit/resource/body.ts";
import { exportFormat, exportOptions, outFile, writeRows } from "../../kit/rows/exporter.ts";
import { rowFormats } from "../../kit/rows/reader.ts";
import { rowText } from "../../kit/rows/row-text.ts";
import { tagCells, tagColumns } from "../../kit/rows/tag-cells.ts";
import { userMembers } from "./user-row.ts";
import { type ListedUser, usersOf } from "./users.ts";

const fileColumns: readonly Column<{ readonly file: string; readonly users: number }>[] = [
  { key: "file" },
  { key: "users", kind: "number" },
];

const members = ["email", ...userMembers];

export const exportUsers = defineCommand({
  path: ["user", "export"],
  result: rows(fileColumns),
  effect: "local",
  summary: "Export portal users to a file",
  details:
    "CSV has a column for each tag (tag.role); JSON has a list. The file contains no passwords and no tokens; " +
    "iot run user import reads it.",
  options: [
    ...exportOptions(rowFormats, "file to write; - is stdout (the default)"),
    { name: "tag", kind: "tag", summary: "only users with this tag", repeat: true },
    { name: "active", opposite: "inactive", summary: "only active users" },
    { name: "inactive", summary: "only inactive users" },
  ],
  groups: ["confirm"],
  examples: ["iot run user export --out users.csv --yes", "iot run user export --tag role=operator --format json"],
  exitCodes: [9],
  related: ["iot run user import", "iot run user list"],
  async run(ctx, input) {
    const out = outFile(ctx, input);
    const format = exportFormat(ctx, input, out, rowFormats);
    if (out !== undefined) await confirmOutFile(ctx, out);
    const { tag: tags } = input.options;
    const filter = {
      ...(tags.length > 0 && { tags }),
      ...defined({ active: onOff(input.options.active, input.options.inactive) }),
    };
    const users = (await usersOf(await batchClient(ctx), [...members, "tags"], filter)).map(exported);
    const isCsv = format === "csv";
    const columns = ["id", ...members, ...(isCsv ? tagColumns(users) : ["tags"])];
    const text = await rowText(format, { ...ctx.flags, columns });
    const cells = isCsv ? users.map(({ tags: own, ...user }) => ({ ...user, ...tagCells(own) })) : users;
    const { count } = await writeRows(ctx, { out, format, text, rows: Readable.from(cells), unit: "users" });
    if (out === undefined) return;
    const done = [{ file: shownPath(ctx, out), users: count }];
    await ctx.out.list(done, { columns: fileColumns, empty: "", idKey: "file" });
    ctx.say.info(`Exported ${countOf(count, "user")} from ${(await ctx.connection()).label}.`);
  },
});

/** A user as the file has it: what is not set is left out. */
function exported(user: ListedUser): ListedUser & { readonly tags: readonly Tag[] } {
  const kept = members.filter((member) => user[member] !== undefined && user[member] !== null);
  const tags = Array.isArray(user["tags"]) ? (user["tags"] as readonly Tag[]) : [];
  return {
    id: user.id,
    ...Object.fromEntries(kept.map((member) => [member, user[member]])),
    tags: tags.map(({ key, value }) => ({ key, value })),
  };
}
