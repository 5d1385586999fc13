import type { CallOptions } from "../api/client.ts";
import { Module } from "../api/module.ts";
import { del, get, post } from "../api/route.ts";

/**
 * The routes of the storage of a portal's user.
 *
 * @internal
 */
export const sdbRoutes = {
  getItem: get("/run/:url/sdb/:key", { result: ["text", "nothing"] }),
  setItem: post("/run/:url/sdb/:key"),
  removeItem: del("/run/:url/sdb/:key"),
};

/** Small values kept for a user of a portal. `tagoRunURL` is the host name of the portal (specification, section 7). */
export class SDB extends Module {
  /**
   * Reads a value; null when there is none.
   *
   * @example
   * ```ts
   * const theme = await user.SDB.getItem("example.tago.run", "theme");
   * ```
   */
  getItem(tagoRunURL: string, key: string, options?: CallOptions): Promise<string | null> {
    return this.call(sdbRoutes.getItem, { ...options, params: { url: tagoRunURL, key } });
  }

  /**
   * Keeps a value. A text goes out as it is, anything else as JSON.
   *
   * @example
   * ```ts
   * await user.SDB.setItem("example.tago.run", "theme", { dark: true });
   * ```
   */
  setItem(tagoRunURL: string, key: string, value: unknown, options?: CallOptions): Promise<string> {
    return this.call(sdbRoutes.setItem, { ...options, params: { url: tagoRunURL, key }, body: value });
  }

  /**
   * Forgets a value.
   *
   * @example
   * ```ts
   * await user.SDB.removeItem("example.tago.run", "theme");
   * ```
   */
  removeItem(tagoRunURL: string, key: string, options?: CallOptions): Promise<string> {
    return this.call(sdbRoutes.removeItem, { ...options, params: { url: tagoRunURL, key } });
  }
}
