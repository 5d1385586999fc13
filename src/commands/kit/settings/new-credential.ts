import type { CommandContext, Target } from "../context.ts";
import type { Credential } from "./credentials.ts";

export const usesKeychain = (ctx: CommandContext): boolean =>
  ctx.user.settings.get("credential-store")?.value === "keychain";

/** A token as it is stored for an environment, where the user's settings say. */
export function newCredential(
  ctx: CommandContext,
  target: Pick<Target, "envName" | "api">,
  found: Pick<Credential, "token" | "name" | "expires" | "profile">,
): Credential {
  return {
    env: target.envName,
    origin: new URL(target.api).origin,
    ...found,
    created: new Date(ctx.clock.now()).toISOString(),
    ...(usesKeychain(ctx) ? { store: "keychain" } : {}),
  };
}
