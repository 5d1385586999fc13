import type { EntityInfo } from "../../lib/resources/entities.ts";
import type { ArgumentSpec } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { entityFinder } from "../kit/finders/entity.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";

export const entityArgument = {
  name: "id",
  summary: "Full id, or a unique name:…, tag:key=value",
} as const satisfies ArgumentSpec;

/** As `entityArgument`, where more arguments follow. */
export const firstArgument = { ...entityArgument, required: true } as const satisfies ArgumentSpec;

/** The entity that the text names, or the user picks, with its schema. */
export async function entityOf(ctx: CommandContext, text: string | undefined): Promise<EntityInfo> {
  const { id } = await resolveOrPick(ctx, entityFinder, text);
  const { entities } = await ctx.client();
  return lookUp(ctx, entityFinder, id, () => entities.info(id));
}
