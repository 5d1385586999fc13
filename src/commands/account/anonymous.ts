import { defined } from "../../lib/core/defined.ts";
import type { CommandContext } from "../kit/context.ts";

/** A call that carries no token; proxy, authority, time and attempts are those of the flags. */
export async function askAnonymously(
  ctx: CommandContext,
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<string> {
  const { rawRequest } = await import("../../lib/api/raw.ts");
  const { api, events } = await ctx.target();
  const params = { ...ctx.clientOptions(), region: { api, sse: events } };
  const { result } = await rawRequest(params, { method, path, ...defined({ body }) });
  return typeof result === "string" ? result : "Done";
}
