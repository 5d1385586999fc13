import { countText } from "../../text/count.ts";
import { argumentList, option, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import type { CommandInput } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { jobsOf, type KeyRow, keyColumns, keyRows, watched } from "./convert.ts";
import { findInputs } from "./inputs.ts";
import type { Judged } from "./outcome.ts";
import { judgeAll } from "./run.ts";
import { Tally } from "./tally.ts";

/** Every widget the arguments lead to; nothing is written. */
export function lookAt(ctx: CommandContext, input: CommandInput, tally: Tally): AsyncGenerator<Judged> {
  const inputs = findInputs(ctx.cwd, argumentList(input, "files"), option(input, "glob"));
  const plan = { inputs, isStrict: false, jobs: jobsOf(input), goalOf: () => ({ kind: "nowhere" }) as const };
  return watched(ctx, judgeAll(ctx, plan), tally);
}

interface Found {
  readonly file: string;
  readonly place: number;
  readonly id: string;
  readonly label: string;
  readonly verdict: string;
  readonly from: string;
  readonly to: string;
  /** Paths of the keys that prove the verdict. */
  readonly keys: readonly string[];
  readonly notes: readonly string[];
}

export const foundColumns: readonly Column<Found>[] = [
  { key: "file" },
  { key: "place", kind: "number", hidden: true },
  { key: "label", rank: 1 },
  { key: "verdict", rank: 1 },
  { key: "from" },
  { key: "to" },
  { key: "keys", schema: { type: "array", items: { type: "string" } }, value: ({ keys }) => keys.join(", ") },
  { key: "notes", schema: { type: "array", items: { type: "string" } }, value: ({ notes }) => notes.join("; ") },
  { key: "id", kind: "id", hidden: true },
];

/** Which widgets are legacy ones: 11 when one is. */
export async function detect(ctx: CommandContext, input: CommandInput): Promise<number> {
  const tally = new Tally();
  const { inspectWidget } = await import("../../lib/widgets/index.ts");
  async function* found(): AsyncGenerator<Found> {
    for await (const { outcome, before, source } of lookAt(ctx, input, tally)) {
      const { dropped: _, notes, ...about } = outcome;
      const isFile = outcome.verdict === "failed" || source === undefined;
      const keys = isFile ? [] : inspectWidget(source).keys;
      yield { ...about, verdict: outcome.verdict === "converted" ? before : outcome.verdict, keys, notes };
    }
  }
  await ctx.out.list(found(), { columns: foundColumns, empty: "No widgets." });
  ctx.say.info(`${tally.legacy} of ${countText(tally.total)} widgets have the legacy structure.`);
  return codeOf(tally) || (tally.legacy > 0 ? 11 : 0);
}

/** What becomes of every key. */
export async function explain(ctx: CommandContext, input: CommandInput): Promise<number> {
  const tally = new Tally();
  const isLost = optionFlag(input, "lost");
  async function* rows(): AsyncGenerator<KeyRow> {
    for await (const row of keyRows(lookAt(ctx, input, tally))) {
      if (!isLost || row.status === "dropped" || row.status === "unknown") yield row;
    }
  }
  await ctx.out.list(rows(), { columns: keyColumns, empty: isLost ? "No key is lost." : "No keys." });
  ctx.say.info(tally.toString());
  return codeOf(tally);
}

/** 3 or 8 when something is no widget or cannot be read. */
export function codeOf(tally: Tally): number {
  if (tally.bad === 0) return 0;
  return tally.isAllBad ? 3 : 8;
}
