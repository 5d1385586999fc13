import type { EntityInfo } from "../../lib/resources/entities.ts";
import { argument } from "../kit/command/arguments.ts";
import type { ArgumentSpec, CommandInput } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { entityFinder } from "./finder.ts";

export const entityArgument: ArgumentSpec = { name: "id", summary: "Full id, or a unique name:…, tag:key=value" };

/** As `entityArgument`, where more arguments follow. */
export const firstArgument: ArgumentSpec = { ...entityArgument, required: true };

/** The entity the first argument names, with its schema. */
export async function entityOf(ctx: CommandContext, input: CommandInput): Promise<EntityInfo> {
  const { id } = await resolveOrPick(ctx, entityFinder, argument(input, "id"));
  const { entities } = await ctx.client();
  return lookUp(ctx, entityFinder, id, () => entities.info(id));
}
