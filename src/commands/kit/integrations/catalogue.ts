import type { Input, Options } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { onOff } from "../resource/body.ts";
import { keeping } from "../resource/paging.ts";
import type { Filter, ListPlan } from "../resource/resource.ts";

/** Flags of a list that mixes what the profile made with the catalogue of the platform. */
export function catalogueFlags(what: string) {
  const filters: readonly Filter[] = [
    { name: "name", value: "text", summary: `only ${what} with this name; * matches any text` },
  ];
  return {
    filters,
    // The platform takes `public` with any value for "only those of the profile".
    filterable: ["id", "name"],
    sortable: ["name", "created_at", "updated_at"],
    options: [
      { name: "own", summary: `only ${what} of the profile` },
      { name: "catalogue", opposite: "own", summary: `only ${what} of the platform's catalogue` },
    ] as const satisfies Options,
  };
}

/** Turns those flags into a request and a filter of its response. */
export function cataloguePlan<Row extends { readonly public?: boolean }>(
  _ctx: CommandContext,
  input: Input<[], ReturnType<typeof catalogueFlags>["options"]>,
  plan: ListPlan<Row>,
): ListPlan<Row> {
  const isPublic = onOff(input.options.catalogue, input.options.own);
  if (isPublic === undefined) return plan;
  const kept = keeping(plan, (row: Row) => (row.public === true) === isPublic);
  if (isPublic) return kept;
  // The platform leaves the catalogue out as soon as the filter names `public`; it cannot be asked for alone.
  return { ...kept, request: { ...kept.request, filter: { ...kept.request.filter, public: false } } };
}
