import type { Region } from "../core/regions.ts";
import { get } from "../core/route.ts";
import { type CallOptions, HttpClient } from "../http/client.ts";

/**
 * The platform's public status.
 *
 * @internal
 */
export const statusRoutes = {
  status: get("/status", { anonymous: true, share: true }),
};

/**
 * Retrieves the version of the platform's API. Needs no token.
 *
 * @example
 * ```ts
 * const version = await Utils.getAPIVersion("eu-w1");
 * ```
 */
export async function getAPIVersion(region?: Region, options?: CallOptions): Promise<string> {
  const client = new HttpClient({ region });
  const result = (await client.call(statusRoutes.status, { ...options })) as { version: string };
  return result.version;
}
