import { needId } from "../core/ids.ts";
import type { ListQuery, Picked } from "../core/list-query.ts";
import { Module } from "../core/module.ts";
import { del, get, put } from "../core/route.ts";
import type { CallOptions } from "../http/client.ts";
import type { GenericID, GenericToken, Tag } from "./data-types.ts";
import type { DeviceListItem } from "./devices.ts";

const dates = [
  "created_at",
  "updated_at",
  "system_start_time",
  "tcore_start_time",
] as const satisfies readonly (keyof TagoCoreListInfo)[];
const deviceDates = ["created_at", "updated_at", "last_input"] as const satisfies readonly (keyof StandaloneDevice)[];

/**
 * Routes of `Resources.tagocores`.
 *
 * @internal
 */
export const tagocoreRoutes = {
  list: get("/tcore/instance", { dates, list: { fields: ["id", "name"], orderBy: ["name", "asc"] } }),
  info: get("/tcore/instance/:tagoCoreID"),
  edit: put("/tcore/instance/:tagoCoreID"),
  tokenGenerate: get("/tcore/instance/:tagoCoreID/token", { gives: ["object", "text"] }),
  delete: del("/tcore/instance/:tagoCoreID"),
  standaloneDeviceInfo: get("/device/:deviceID", { dates: deviceDates }),
  standaloneDeviceList: get("/device", {
    dates: deviceDates,
    list: { fields: ["id", "name"], orderBy: ["name", "asc"] },
  }),
};

/** How much of something a computer uses. */
export interface ComputerUsage {
  title: string;
  type: string;
  description: string;
  detail: string;
  total: number;
  used: number;
}

/** A row of the list of core instances. */
export interface TagoCoreListInfo {
  id: GenericID;
  profile: GenericID;
  name: string;
  active: boolean;
  /** Whether it is reached now. */
  connected: boolean;
  tags: Tag[];
  machine_id: string;
  internet_ip: string;
  local_ips: string;
  /** ISO 8601. */
  last_connection: string;
  tcore_version: string;
  system_start_time: Date;
  tcore_start_time: Date;
  created_at: Date;
  updated_at: Date;
}

/** A core instance: the platform's program on a computer of one's own. Moments are ISO texts. */
export interface TagoCoreInfo
  extends Omit<TagoCoreListInfo, "system_start_time" | "tcore_start_time" | "created_at" | "updated_at"> {
  token?: GenericToken;
  computer_usage?: ComputerUsage[];
  os?: { name: string; arch: string; version: string; platform?: string };
  /** Number of its resources; with `summary`. */
  summary?: { device: number; action: number; analysis: number };
  system_start_time: string;
  tcore_start_time: string;
  created_at: string;
  updated_at: string;
}

/** Changes to a core instance; members left out stay. */
export type TagoCoreEditInfo = Partial<Pick<TagoCoreInfo, "name" | "active" | "tags">>;
/** Asks for part of the list of core instances. */
export type TagoCoreQuery = ListQuery<TagoCoreListInfo>;

/** A device that lives on a core instance. */
export type StandaloneDevice = Pick<DeviceListItem, "id" | "name" | "created_at" | "updated_at" | "last_input"> &
  Partial<DeviceListItem>;
/** Asks for part of the devices of a core instance. */
export interface StandaloneDeviceQuery
  extends ListQuery<StandaloneDevice, "name" | "visible" | "active" | "last_input" | "created_at" | "updated_at"> {
  /** Adds `bucket_name`. @default false */
  resolveBucketName?: boolean;
}

/** The core instances of the profile (specification, section 7). */
export class TagoCores extends Module {
  /**
   * Lists core instances.
   *
   * @param queryObj page (1), fields (id, name), filter, amount (20), order (`name,asc`)
   * @example
   * ```ts
   * const instances = await resources.tagocores.list({ fields: ["name", "connected", "tcore_version"] });
   * ```
   */
  list<const Q extends TagoCoreQuery>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<TagoCoreListInfo, Q, "id" | "name">[]> {
    return this.page(tagocoreRoutes.list, queryObj, { ...options });
  }

  /**
   * Retrieves a core instance.
   *
   * @param summary adds the number of its resources
   * @example
   * ```ts
   * const { connected, summary } = await resources.tagocores.info(coreID, true);
   * ```
   */
  info(tagoCoreID: GenericID, summary?: boolean, options?: CallOptions): Promise<TagoCoreInfo> {
    return this.call(tagocoreRoutes.info, { ...options, params: { tagoCoreID }, query: { summary } });
  }

  /**
   * Changes a core instance.
   *
   * @example
   * ```ts
   * await resources.tagocores.edit(coreID, { name: "Cold store, edge" });
   * ```
   */
  edit(tagoCoreID: GenericID, tagoCoreObj: TagoCoreEditInfo, options?: CallOptions): Promise<string> {
    return this.call(tagocoreRoutes.edit, { ...options, params: { tagoCoreID }, body: tagoCoreObj });
  }

  /**
   * Makes a new token for a core instance; the old one is refused from then on.
   *
   * @example
   * ```ts
   * const { token } = await resources.tagocores.tokenGenerate(coreID);
   * ```
   */
  tokenGenerate(tagoCoreID: GenericID, options?: CallOptions): Promise<{ token: GenericToken }> {
    return this.call(tagocoreRoutes.tokenGenerate, { ...options, params: { tagoCoreID } });
  }

  /**
   * Deletes a core instance.
   *
   * @example
   * ```ts
   * await resources.tagocores.delete(coreID);
   * ```
   */
  delete(tagocoreID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(tagocoreRoutes.delete, { ...options, params: { tagoCoreID: tagocoreID } });
  }

  /**
   * Retrieves a device of a core instance.
   *
   * @example
   * ```ts
   * const { name, last_input } = await resources.tagocores.standaloneDeviceInfo(coreID, deviceID);
   * ```
   */
  async standaloneDeviceInfo(
    tagoCoreID: GenericID,
    deviceID: GenericID,
    options?: CallOptions,
  ): Promise<StandaloneDevice> {
    const query = { tcore: needId(tagoCoreID, "tagoCoreID") };
    return this.call(tagocoreRoutes.standaloneDeviceInfo, { ...options, params: { deviceID }, query });
  }

  /**
   * Lists the devices of a core instance.
   *
   * @param queryObj page (1), fields (id, name), filter, amount (20), order (`name,asc`)
   * @example
   * ```ts
   * const devices = await resources.tagocores.standaloneDeviceList(coreID, { amount: 50 });
   * ```
   */
  async standaloneDeviceList<const Q extends StandaloneDeviceQuery>(
    tagoCoreID: GenericID,
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<StandaloneDevice, Q, "id" | "name">[]> {
    return this.page(tagocoreRoutes.standaloneDeviceList, queryObj, {
      ...options,
      extra: { resolveBucketName: queryObj?.resolveBucketName ?? false, tcore: needId(tagoCoreID, "tagoCoreID") },
    });
  }
}
