import { type CallOptions, HttpClient } from "../api/client.ts";
import { get } from "../api/route.ts";
import type { Region } from "../core/regions.ts";

/**
 * Public status of the platform.
 *
 * @internal
 */
export const statusRoutes = {
  status: get("/status", { anonymous: true, share: true }),
};

/**
 * Retrieves the version of the platform's API. Requires no token.
 *
 * @example
 * ```ts
 * const version = await Utils.getAPIVersion("eu-w1");
 * ```
 */
export async function getAPIVersion(region?: Region, options?: CallOptions): Promise<string> {
  const client = new HttpClient({ region, strictResults: true });
  const result = (await client.call(statusRoutes.status, { ...options })) as { version: string };
  return result.version;
}
