import { countOf } from "../../../text/count.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { JsonObject } from "../../kit/files/files.ts";
import { listOf } from "../../kit/folders/documents.ts";
import type { ApplyPlan } from "../../kit/profiles/apply/plan.ts";
import type { Entry, ResourceKind } from "../../kit/profiles/kind.ts";

/** Says what somebody has to add by hand: secrets, values of variables, resources of kinds that are left out. */
export function sayWhatIsMissing(
  ctx: CommandContext,
  { items, ids }: ApplyPlan,
  entries: readonly Entry[],
  chosen: readonly ResourceKind[],
): void {
  for (const { row } of items) if (row.action === "skip") ctx.say.warning(`${row.kind} "${row.name}": ${row.why}.`);
  const unset = items.flatMap(({ kind, entry, current = {} }) => {
    const known = variablesOf(current);
    const names =
      kind.name === "analysis" ? variablesOf(entry?.document ?? {}).filter((key) => !known.includes(key)) : [];
    return names.length === 0 ? [] : [`${entry?.name} (${names.join(", ")})`];
  });
  if (unset.length > 0)
    ctx.say.hint(`The files contain no variable values. Set them with "iot analysis env set": ${unset.join(", ")}.`);
  const text = JSON.stringify(items.map(({ entry }) => entry?.document));
  const leftOut = entries.filter(({ id, kind }) => !ids.has(id) && chosen.every(({ name }) => name !== kind));
  const used = leftOut.filter(({ id }) => text.includes(id)).map(({ kind, name }) => `${kind} "${name}"`);
  if (used.length === 0) return;
  const names = `${used.slice(0, 5).join(", ")}${used.length > 5 ? " ..." : ""}`;
  const what = countOf(used.length, "resource");
  ctx.say.warning(`The files refer to ${what} that the profile lacks and that is not written: ${names}.`);
}

const variablesOf = (analysis: JsonObject): unknown[] => listOf(analysis["variables"]).map(({ key }) => key);
