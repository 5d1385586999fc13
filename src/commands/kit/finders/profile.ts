import type { Resources } from "../../../index.ts";
import type { ArgumentSpec } from "../command/define.ts";
import type { CommandContext } from "../context.ts";
import { meeting } from "../resource/filter.ts";
import { localPage } from "../resource/local-list.ts";
import { type Finder, lookUp, type ResourceTarget, resolveId } from "../resource/resolve-id.ts";

/** The platform's word for the profile of the token. */
const CURRENT = "current";

/** A profile as `get` shows it: the platform returns the same fields in four parts. */
export interface ProfileRow {
  readonly id: string;
  readonly name: string;
  readonly account: string;
}

/** A profile in one piece. */
export async function profileInfo(client: Pick<Resources, "profiles">, id: string): Promise<ProfileRow> {
  const { info, ...parts } = await client.profiles.info(id);
  return { ...info, ...parts };
}

/** How profiles are found. The platform lists all of them at once. */
export const profileFinder: Finder = {
  noun: "profile",
  plural: "profiles",
  forms: ["name"],
  async find(ctx, query, amount, page = 1) {
    const isMeant = meeting(query?.form === "name" ? { name: query.name } : {});
    const profiles = await (await ctx.client()).profiles.list();
    const found = profiles.filter(isMeant).sort((a, b) => a.name.localeCompare(b.name, "en", { sensitivity: "base" }));
    return localPage(found, page, amount);
  },
  async known(ctx, text) {
    return text === CURRENT ? profileInfo(await ctx.client(), CURRENT) : undefined;
  },
  async nameOf(ctx, id) {
    return (await profileInfo(await ctx.client(), id)).name;
  },
};

/** The argument of commands about one profile. */
export const profileArgument = {
  name: "id",
  summary: "profile: full id, a unique name:…, or current (the default)",
  leadsAway: true,
} as const satisfies ArgumentSpec;

/** The profile a command is about: the argument, `--profile`, else the one of the token. */
export async function chosenProfile(
  ctx: CommandContext,
  text: string | undefined = ctx.flags.profile,
): Promise<ResourceTarget> {
  if (text === undefined || text === CURRENT) {
    return {
      id: CURRENT,
      name: () => lookUp(ctx, profileFinder, CURRENT, () => profileFinder.nameOf(ctx, CURRENT)),
    };
  }
  const isForm = /^[0-9a-f]{24}$/i.test(text) || text.startsWith("name:");
  return resolveId(ctx, profileFinder, isForm || text !== ctx.flags.profile ? text : `name:${text}`);
}
