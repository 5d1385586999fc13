import { greatestEffect } from "../../src/commands/kit/command/effect.ts";
import { type Leaf, leaves, needsProcess } from "./leaves.ts";

/** What decides which shared code a command runs through: its result, effect, flag groups and what it asks for. */
const shapeOf = ({ command }: Leaf): string =>
  ["shape", command.result?.shape, greatestEffect(command), command.asks, ...(command.groups ?? []).toSorted()].join(
    " ",
  );

const verbOf = ({ words }: Leaf): string => `verb ${words.at(-1)}`;

/** Devices stand for the other resources; a command that asks the platform tells more than one that does not. */
function rank(leaf: Leaf): number {
  if (leaf.words[0] === "device") return 0;
  return needsProcess(leaf) || leaf.command.asks === "nothing" ? 2 : 1;
}

/** Commands of which each is of a kind that those before it are not of. The same for every run. */
export function firstOfEach(some: readonly Leaf[], kindsOf: (leaf: Leaf) => readonly string[]): ReadonlySet<Leaf> {
  const covered = new Set<string>();
  const isNew = (kind: string): boolean => !covered.has(kind) && covered.add(kind).has(kind);
  const inOrder = some.toSorted((a, b) => rank(a) - rank(b));
  return new Set(inOrder.filter((leaf) => kindsOf(leaf).filter(isNew).length > 0));
}

/**
 * The commands that stand for all in the quick tests: the first of each verb, and the first of each shape. Commands of
 * one verb come from the same functions of the kit (`list`, `get`, `delete`); one written by hand has a verb of its own.
 */
const representatives = firstOfEach(leaves, (leaf) => [verbOf(leaf), shapeOf(leaf)]);

export const isRepresentative = (leaf: Leaf): boolean => representatives.has(leaf);

/** As few as stand for the shared code alone: for what holds in the writers and readers that all commands share. */
export const ofEachShape = firstOfEach(leaves, (leaf) => [shapeOf(leaf)]);

/** Options of a test that is repeated for many commands: with the quick tests it runs for the chosen ones only. */
export const tierOf = (leaf: Leaf, chosen = representatives): { readonly tags?: ["slow"] } =>
  chosen.has(leaf) ? {} : { tags: ["slow"] };
