import { allRows } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { Given, Picked } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import type { GenericID } from "./data-types.ts";
import { type DeviceInfo, type DeviceListItem, type DeviceQuery, Devices } from "./devices.ts";

/**
 * The storage of devices. Legacy: buckets were separate from devices.
 *
 * @deprecated a device and its bucket are one; use `devices`
 */
export class Buckets extends Module {
  /** The devices the buckets belong to. */
  devices = new Devices(this.client);

  /**
   * Lists devices.
   *
   * @param queryObj filter, order and page. Defaults: fields id, name and tags; order `name,asc`
   * @example
   * ```ts
   * const devices = await resources.buckets.list({ amount: 50, orderBy: ["last_input", "desc"] });
   * ```
   */
  list<const Q extends Given<DeviceQuery> = Given<DeviceQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<DeviceListItem, Q, "id" | "name" | "tags">[]> {
    return this.devices.list(queryObj, options);
  }

  /**
   * Iterates over all devices, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, name } of resources.buckets.all()) console.log(id, name);
   * ```
   */
  all<const Q extends Given<DeviceQuery> = Given<DeviceQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<DeviceListItem, Q, "id" | "name" | "tags">, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Retrieves a device.
   *
   * @example
   * ```ts
   * const { name, type } = await resources.buckets.info(deviceID);
   * ```
   */
  info(deviceID: GenericID, options?: CallOptions): Promise<DeviceInfo> {
    return this.devices.info(deviceID, options);
  }

  /**
   * Counts the records of a device; the platform estimates above 1,000.
   *
   * @example
   * ```ts
   * const records = await resources.buckets.amount(deviceID);
   * ```
   */
  amount(deviceID: GenericID, options?: CallOptions): Promise<number> {
    return this.devices.amount(deviceID, options);
  }
}
