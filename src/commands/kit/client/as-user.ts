import type { ClientOptions, Resources } from "../../../index.ts";
import type { CommandContext } from "../context.ts";
import { runUserFinder } from "../finders/run-user.ts";
import { lookUp, resolveId } from "../resource/resolve-id.ts";
import { rememberSecret } from "../say/redact.ts";

interface UserClient {
  /** Asks the platform when it is not known yet. */
  name(): Promise<string>;
  readonly client: Resources;
}

/**
 * A client with a token of a portal user: what it does is what the user may do.
 *
 * @param user as it was typed: an id, `name:…`, `tag:key=value`
 */
export async function clientAs(
  ctx: CommandContext,
  user: string,
  { expireTime, ...options }: ClientOptions & { readonly expireTime: string },
): Promise<UserClient> {
  const { run } = await ctx.client();
  const target = await resolveId(ctx, runUserFinder, user);
  const { id } = target;
  const login = await lookUp(ctx, runUserFinder, id, () => run.loginAsUser(id, { expire_time: expireTime }));
  rememberSecret(login.token);
  const { api, events } = await ctx.connection();
  const { Resources: Client } = await import("../../../index.ts");
  const region = { api, sse: events };
  return {
    name: () => target.name(),
    client: new Client({ ...ctx.clientOptions(), ...options, token: login.token, region }),
  };
}
