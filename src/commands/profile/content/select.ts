import { optionList } from "../../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../../kit/command/define.ts";
import { quote } from "../../kit/command/values.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { didYouMean } from "../../kit/failures/unknown-word.ts";
import { type Kind, kindNames, kinds } from "./kinds.ts";

/** Flags that choose kinds of resources. */
export const kindOptions: readonly OptionSpec[] = [
  { name: "include", value: "kind", summary: `only these kinds: ${kindNames.join(", ")}`, repeat: true },
  { name: "exclude", value: "kind", summary: "skip these kinds", repeat: true },
];

function named(input: CommandInput, flag: string): ReadonlySet<string> {
  const names = optionList(input, flag)
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
  for (const name of names) {
    if (kindNames.includes(name)) continue;
    throw usageError(`Invalid --${flag}: unknown kind ${quote(name)}.`, {
      code: "usage.invalid_value",
      why: `The kinds are ${kindNames.join(", ")}.`,
      ...didYouMean(name, kindNames, "Use one of them."),
    });
  }
  return new Set(names);
}

/** The kinds that `--include` and `--exclude` leave, in the order they are made in. */
export function chosenKinds(input: CommandInput): readonly Kind[] {
  const included = named(input, "include");
  const excluded = named(input, "exclude");
  const chosen = kinds.filter(({ name }) => (included.size === 0 || included.has(name)) && !excluded.has(name));
  if (chosen.length > 0) return chosen;
  throw usageError("--exclude removes every kind in --include.", { next: "Remove one of the flags." });
}
