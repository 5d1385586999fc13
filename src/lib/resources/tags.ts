import type { CallOptions } from "../api/client.ts";
import { Module } from "../api/module.ts";
import { get } from "../api/route.ts";

/**
 * Routes of `Resources.tags`.
 *
 * @internal
 */
export const tagRoutes = {
  getTagKeys: get("/tags/keys/:type", { result: "any" }),
};

/** The tags in use. */
export class Tags extends Module {
  /**
   * Lists the tag keys that resources of a kind carry, each once.
   *
   * @example
   * ```ts
   * const keys = await resources.tags.getTagKeys("device");
   * ```
   */
  getTagKeys(type: TagType, options?: CallOptions): Promise<string[]> {
    return this.call(tagRoutes.getTagKeys, { ...options, params: { type } });
  }
}

/** Kinds of resources that carry tags. */
export type TagType = "device" | "dashboard" | "analysis" | "action" | "am" | "run_user" | (string & {});
