import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import { snapshotCommands } from "../kit/state/snapshot-commands.ts";
import { openProfileSnapshots, type ProfileSnapshot } from "./apply/store.ts";

export const related = ["iot profile snapshot list", "iot profile rollback", "iot profile apply"] as const;

const listColumns: readonly Column<ProfileSnapshot>[] = [
  { key: "id", kind: "id" },
  { key: "created_at", kind: "time" },
  { key: "profile", schema: { type: "string" }, value: ({ profile }) => profile.name },
  {
    key: "entries",
    header: "changed",
    kind: "number",
    schema: { type: "integer" },
    value: ({ entries }) => entries.length,
  },
  { key: "created", kind: "number", schema: { type: "integer" }, value: ({ created }) => created.length },
  { key: "state" },
  { key: "reason" },
  { key: "env", header: "from" },
];

/** Everything in a snapshot, which only JSON shows. */
const columns: readonly Column<ProfileSnapshot>[] = listColumns.map((column) => {
  if (column.key === "profile") return { ...column, schema: { type: "object" } };
  return column.key === "entries" || column.key === "created" ? { ...column, schema: { type: "array" } } : column;
});

const { list, show, remove } = snapshotCommands<ProfileSnapshot>({
  noun: "profile",
  name: "profile snapshot",
  open: openProfileSnapshots,
  columns,
  listColumns,
  rowOf: ({ entries, created, profile, source: _, ...about }) => ({
    ...about,
    profile: profile.name,
    entries: entries.length,
    created: created.length,
  }),
  subjectOf: ({ profile, entries }) => `profile "${profile.name}" (${countOf(entries.length, "resource")})`,
  details:
    "-o json prints every resource as it was, and what the run created. Snapshots contain no tokens and secrets.",
  related,
});

export const commands: readonly Command[] = [list, show, remove];
