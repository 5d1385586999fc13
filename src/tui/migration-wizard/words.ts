import { byRoot, goneKeys, type PlannedVerdict, type PlannedWidget, settingName } from "../../lib/widgets/plan.ts";
import { countOf } from "../../text/count.ts";
import type { VerdictCounts } from "./engine.ts";

export const verdictWords: Readonly<Record<PlannedVerdict, string>> = {
  converts: "converts",
  notes: "with losses",
  current: "already new",
  unsupported: "no converter",
  invalid: "invalid",
};

/** `12 legacy  3 new  1 unknown` as three numbers. */
export function summedUp({ converts, notes, current, unsupported, invalid }: VerdictCounts): {
  readonly legacy: number;
  readonly current: number;
  readonly unknown: number;
} {
  return { legacy: converts + notes, current, unknown: unsupported + invalid };
}

/** What the notes view says: what is lost, then what is not needed. */
export function noteLines(widget: PlannedWidget): string[] {
  const { reason, notes, verdict } = widget;
  const gone = goneKeys(widget.before, widget.after, widget.after === undefined ? [] : widget.entries);
  const notNeeded = [...byRoot(gone.filter(({ isLost }) => !isLost))].map(([root, keys]) =>
    keys.length === 1 ? settingName(root) : `${settingName(root)} (${countOf(keys.length, "key")})`,
  );
  return [
    `Verdict: ${verdictWords[verdict]}`,
    reason,
    "",
    ...(notes.length === 0 ? ["Nothing is lost."] : notes.map((note) => `* ${note}`)),
    ...(notNeeded.length === 0 ? [] : ["", "Not needed:", `  ${notNeeded.join(", ")}`]),
  ];
}

const MAX_TREE_LINES = 5_000;

/** A JSON value as a tree, one line for each property. */
export function treeLines(value: unknown, isAscii: boolean): string[] {
  const lines: string[] = [];
  const add = (inner: unknown, before: string): void => {
    const members: (readonly [string, unknown])[] = Array.isArray(inner)
      ? inner.map((each: unknown, i) => [String(i), each] as const)
      : Object.entries(inner as object);
    for (const [i, [key, member]] of members.entries()) {
      if (lines.length >= MAX_TREE_LINES) return;
      const isLast = i === members.length - 1;
      const branch = isAscii ? (isLast ? "`- " : "|- ") : isLast ? "└ " : "├ ";
      const isBranch = typeof member === "object" && member !== null && Object.keys(member).length > 0;
      lines.push(`${before}${branch}${key}${isBranch ? "" : `: ${JSON.stringify(member)}`}`);
      if (isBranch) add(member, `${before}${isLast ? "  " : isAscii ? "|  " : "│ "}`);
    }
  };
  if (typeof value === "object" && value !== null) add(value, "");
  return lines;
}
