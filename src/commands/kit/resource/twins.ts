import { ApiError } from "../../../lib/core/errors.ts";
import { countOf } from "../../../text/count.ts";
import type { CommandInput } from "../command/define.ts";
import { isOn } from "../command/dynamic.ts";
import type { OptionSpec } from "../command/options.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { conflictError } from "../failures/command-error.ts";
import { exactlyNamed, type Finder, type NamedResource, titleOf } from "./resolve-id.ts";

/** What identifies resources of a kind, if that is not simply the name. */
export interface Twins {
  /** Field of the body: `slug`. */
  readonly member: string;
  /** The platform rejects a second one, so a warning would add nothing. */
  readonly isUnique?: true;
  find(ctx: CommandContext, value: string): Promise<readonly NamedResource[]>;
}

/** The flag of a creation. */
export const ifMissing = ({ nameKey = "name" }: Finder, twins: Twins | undefined): OptionSpec => ({
  name: "if-missing",
  summary: `if one with this ${twins?.member ?? nameKey} exists, print it and create nothing`,
});

/**
 * What a creation would make twice: with `--if-missing` the one that is there, which is printed instead; else a warning,
 * since names that several have lead nowhere.
 *
 * @throws CommandError exit 7, when `--if-missing` could mean several
 */
export async function twinOf(
  ctx: CommandContext,
  input: CommandInput,
  finder: Finder,
  twins: Twins | undefined,
  body: Readonly<Record<string, unknown>>,
): Promise<NamedResource | undefined> {
  const { nameKey = "name" } = finder;
  const member = twins?.member ?? nameKey;
  const value = body[member];
  const isAsked = isOn(input, "if-missing");
  if (isAsked && typeof value === "string") {
    const found = await (twins === undefined ? exactlyNamed(ctx, finder, value) : twins.find(ctx, value));
    const [only, ...others] = found;
    if (others.length > 0) throw ambiguous(finder, member, value, found);
    if (only !== undefined) return only;
  }
  const name = body[nameKey];
  const isLooked = member === nameKey && (twins?.isUnique === true || (isAsked && twins === undefined));
  // A dry run that looks nothing up needs no token.
  if (typeof name === "string" && !isLooked && !ctx.flags.dryRun)
    await warnOfTwin(ctx, finder, name, member === nameKey && !isAsked);
  return undefined;
}

const SHOWN = 5;

/** A token that may create and not read gets no warning. */
async function warnOfTwin(ctx: CommandContext, finder: Finder, name: string, hasWay: boolean): Promise<void> {
  const found = await exactlyNamed(ctx, finder, name).catch((error: unknown) => {
    if (error instanceof ApiError) return [];
    throw error;
  });
  if (found.length === 0) return;
  const ids = found.slice(0, SHOWN).map(({ id }) => id);
  const whose = found.length === 1 ? titleOf(finder) : countOf(found.length, titleOf(finder), finder.plural);
  const way = hasWay ? " --if-missing uses the existing one instead." : "";
  ctx.say.warning(
    `The name ${quote(name)} is already taken by ${whose} ${ids.join(", ")}${found.length > SHOWN ? " ..." : ""}, so ${quote(`name:${name}`)} will match several.${way}`,
  );
}

function ambiguous(finder: Finder, member: string, value: string, found: readonly NamedResource[]): Error {
  return conflictError(`${found.length} ${finder.plural} have the ${member} ${quote(value)}.`, {
    code: `${finder.noun.replaceAll(" ", "_")}.ambiguous`,
    why: `Their ids: ${found.map(({ id }) => id).join(", ")}.`,
    next: "Use one of these ids, or rename the others; nothing was created.",
  });
}
