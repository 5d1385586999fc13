import type { Options, OptionsOf } from "../command/options.ts";
import { quote } from "../command/values.ts";
import { usageError } from "../failures/command-error.ts";
import { didYouMean } from "../failures/unknown-word.ts";
import type { ResourceKind } from "./kind.ts";
import { kinds } from "./kinds.ts";

const namesOf = (among: readonly ResourceKind[]): string => among.map(({ name }) => name).join(", ");

/** Flags that choose among kinds of resources. */
export const kindOptionsOf = (among: readonly ResourceKind[]) =>
  [
    { name: "include", value: "kind", summary: `only these kinds: ${namesOf(among)}`, repeat: true },
    { name: "exclude", value: "kind", summary: "skip these kinds", repeat: true },
  ] as const satisfies Options;

export const kindOptions = kindOptionsOf(kinds);

/** What one profile says about another. Core instances and the portal belong to one platform. */
export const appliedKinds = kinds.filter(({ name }) => name !== "core" && name !== "portal");

/** People are not promoted unless somebody says so. */
export const isApplied = ({ name }: ResourceKind): boolean => name !== "run-user";

/** Kinds that are the same after an apply: files have no value of a secret, so a missing one stays missing. */
const usuallyCompared = appliedKinds.filter((kind) => isApplied(kind) && kind.name !== "secret");

function named(texts: readonly string[], flag: string, among: readonly ResourceKind[]): ReadonlySet<string> {
  const known = among.map(({ name }) => name);
  const names = texts
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
  for (const name of names) {
    if (known.includes(name)) continue;
    throw usageError(`Invalid --${flag}: unknown kind ${quote(name)}.`, {
      code: "usage.invalid_value",
      why: `The kinds are ${known.join(", ")}.`,
      ...didYouMean(name, known, "Use one of them."),
    });
  }
  return new Set(names);
}

/**
 * The kinds that `--include` and `--exclude` leave, in the order they are made in.
 *
 * @param unasked whether a kind is among them without `--include`
 */
export function chosenKinds(
  { include, exclude }: OptionsOf<typeof kindOptions>,
  among: readonly ResourceKind[] = kinds,
  unasked: (kind: ResourceKind) => boolean = () => true,
): readonly ResourceKind[] {
  const included = named(include, "include", among);
  const excluded = named(exclude, "exclude", among);
  const chosen = among.filter(
    (kind) => (included.size === 0 ? unasked(kind) : included.has(kind.name)) && !excluded.has(kind.name),
  );
  if (chosen.length > 0) return chosen;
  throw usageError("--exclude removes every kind in --include.", { next: "Remove one of the flags." });
}

/** Flags of commands that compare files with a profile. */
export const comparisonOptions = [
  ...kindOptions,
  {
    name: "all-kinds",
    summary: "also compare what apply does not write: secrets, portal users, core instances, the portal",
    conflicts: ["include"],
  },
] as const satisfies Options;

/** The kinds to compare: those of `apply`, unless all or others are asked for. */
export const comparedKinds = (options: OptionsOf<typeof comparisonOptions>): readonly ResourceKind[] =>
  chosenKinds(options, kinds, (kind) => options.allKinds || usuallyCompared.includes(kind));
