import type { ClientOptions } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import type { CommandContext, Connection, Target } from "../context.ts";
import { isObject } from "../files/files.ts";
import { withProfile } from "./connect.ts";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The profile a token is of; undefined when the token may not read it. */
export async function profileOf(
  ctx: Pick<CommandContext, "clientOptions">,
  target: Pick<Target, "api" | "events">,
  token: string,
  more: ClientOptions = {},
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const { rawRequest } = await import("../../../lib/api/raw.ts");
  const region = { api: target.api, sse: target.events };
  try {
    const { result } = await rawRequest(
      { ...ctx.clientOptions(), ...more, region, token },
      { method: "GET", path: "/profile/current" },
    );
    const info = isObject(result) ? result["info"] : undefined;
    return isObject(info) ? { id: text(info["id"]), name: text(info["name"]) } : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const patienceMs = 5_000;

/** Names environment and profile; see `where` of the context. Without `mayAsk` only what is known already counts. */
export function createWhere(
  ctx: Pick<CommandContext, "target" | "connection" | "clientOptions">,
): (mayAsk: boolean) => Promise<string> {
  let asked: Promise<string | undefined> | undefined;

  /** A prompt works without the profile's name: whatever fails here is left to the command. */
  async function askedName({ api, events, token }: Connection): Promise<string | undefined> {
    const profile = await profileOf(ctx, { api, events }, token, { attempts: 1, timeoutMs: patienceMs }).catch(
      () => undefined,
    );
    return profile?.name;
  }

  return async (mayAsk) => {
    const connection = await ctx.connection().catch(() => undefined);
    if (connection === undefined) return (await ctx.target()).label;
    if (connection.profile?.name) return connection.label;
    if (mayAsk) asked ??= askedName(connection);
    return withProfile(connection, await asked);
  };
}
