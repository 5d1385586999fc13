import type { Column } from "../kit/command/columns.ts";
import type { CommandContext } from "../kit/context.ts";
import { type Judged, settingText } from "../kit/widgets/outcome.ts";

/** One key of one widget and what became of it. */
export interface KeyRow {
  readonly file: string;
  readonly label: string;
  readonly key: string;
  readonly status: string;
  readonly to: readonly string[];
  readonly reason: string;
  /** The setting it is part of. */
  readonly setting: string;
  /** What became of it, in the words for people. */
  readonly state: string;
}

export const keyColumns: readonly Column<KeyRow>[] = [
  { key: "file", hidden: true },
  { key: "label" },
  { key: "key" },
  { key: "status" },
  { key: "to", schema: { type: "array", items: { type: "string" } }, value: ({ to }) => to.join(", ") },
  { key: "reason" },
  { key: "setting", hidden: true },
  { key: "state", hidden: true },
];

/** Every key of the widgets; on a terminal one row for each setting. */
export async function* keyRows(ctx: CommandContext, rows: AsyncIterable<Judged>): AsyncGenerator<KeyRow> {
  const isForPeople = ctx.out.format === "table" && ctx.io.stdoutIsTerminal;
  for await (const judged of rows) yield* isForPeople ? settingRows(judged) : allRows(judged);
}

function* settingRows({ outcome: { file, label }, settings }: Judged): Generator<KeyRow> {
  for (const each of settings()) {
    const { path: setting, state, result: reason } = each;
    yield { file, label, key: settingText(each), status: state, to: [], reason, setting, state };
  }
}

function* allRows({ outcome: { file, label }, entries, settings }: Judged): Generator<KeyRow> {
  const known = new Map<string, { readonly setting: string; readonly state: string; readonly reason?: string }>();
  for (const { path: setting, keys } of settings())
    for (const { path, state, result } of keys)
      known.set(path, { setting, state, ...(state === "lost" || state === "not needed" ? { reason: result } : {}) });
  // A key that holds others has no state of its own.
  for (const { path, status, to = [], reason = "" } of entries)
    yield { file, label, key: path, status, to, reason, setting: "", state: "", ...known.get(path) };
}
