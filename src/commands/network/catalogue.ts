import { optionPair } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import type { Filter, ListPlan } from "../kit/resource/resource.ts";

/** Flags of a list that mixes what the profile made with the catalogue of the platform. */
export function catalogueFlags(what: string): { readonly filters: readonly Filter[]; options: readonly OptionSpec[] } {
  return {
    filters: [{ name: "name", value: "text", summary: `only ${what} with this name; * matches any text` }],
    options: [
      { name: "own", summary: `only ${what} of the profile` },
      { name: "catalogue", summary: `only ${what} of the platform's catalogue` },
    ],
  };
}

/** What those flags ask the platform for, and what they leave of the answer. */
export function cataloguePlan<Row extends { readonly public?: boolean }>(
  _ctx: CommandContext,
  input: CommandInput,
  plan: ListPlan<Row>,
): ListPlan<Row> {
  const isPublic = optionPair(input, "catalogue", "own");
  if (isPublic === undefined) return plan;
  if (isPublic) return { ...plan, keep: (row) => row.public === true };
  // The platform leaves the catalogue out as soon as the filter names `public`; it cannot be asked for alone.
  return { ...plan, request: { ...plan.request, filter: { ...plan.request.filter, public: false } } };
}
