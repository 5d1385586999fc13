import { option, optionPair } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { refuseTags } from "../kit/resource/paging.ts";

/** Options of a list that mixes what the profile made with the catalogue of the platform. */
export function catalogueOptions(what: string): readonly OptionSpec[] {
  return [
    { name: "name", value: "text", summary: `${what} with this name; * stands for any text` },
    { name: "own", summary: `${what} of the profile only` },
    { name: "catalogue", summary: `${what} of the platform's catalogue only` },
  ];
}

/** What those options ask the platform for, and what they leave of the answer. */
export function cataloguePlan<Request extends { readonly filter: Readonly<Record<string, unknown>> }>(
  ctx: CommandContext,
  input: CommandInput,
  request: Request,
  what: string,
): { request: Request; keep?: (row: { readonly public?: boolean }) => boolean } {
  refuseTags(ctx, what);
  const name = option(input, "name");
  const isPublic = optionPair(input, "catalogue", "own");
  // The platform leaves the catalogue out as soon as the filter names `public`; it cannot be asked for alone.
  const filter = {
    ...request.filter,
    ...(name === undefined ? {} : { name }),
    ...(isPublic === false ? { public: false } : {}),
  };
  return {
    request: { ...request, filter },
    ...(isPublic === true ? { keep: (row) => row.public === true } : {}),
  };
}
