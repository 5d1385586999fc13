import { allRows } from "../api/all-rows.ts";
import { assertId } from "../api/assert.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, Known, ListQuery, Picked } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, put } from "../api/route.ts";
import type { GenericID, GenericToken, Tag } from "./data-types.ts";
import type { DeviceQuery, DeviceRow } from "./devices.ts";

const dates = [
  "created_at",
  "updated_at",
  "system_start_time",
  "tcore_start_time",
] as const satisfies DateKeys<TagoCoreListInfo>;

const deviceDates = ["created_at", "updated_at", "last_input"] as const satisfies DateKeys<StandaloneDevice>;

const listFields = ["id", "name"] as const;
const deviceFields = ["id", "name"] as const;

/**
 * Routes of `Resources.tagocores`.
 *
 * @internal
 */
export const tagocoreRoutes = {
  list: get("/tcore/instance", { dates, list: { fields: listFields, orderBy: ["name", "asc"] } }),
  info: get("/tcore/instance/:tagoCoreID"),
  edit: put("/tcore/instance/:tagoCoreID"),
  tokenGenerate: get("/tcore/instance/:tagoCoreID/token", { result: "any" }),
  delete: del("/tcore/instance/:tagoCoreID"),
  standaloneDeviceInfo: get("/device/:deviceID", { dates: deviceDates }),
  standaloneDeviceList: get("/device", {
    dates: deviceDates,
    list: { fields: deviceFields, orderBy: ["name", "asc"] },
  }),
};

/** The core instances of the profile. */
export class TagoCores extends Module {
  /**
   * Lists core instances.
   *
   * @param queryObj filter, order and page. Defaults: fields id and name; order `name,asc`
   * @example
   * ```ts
   * const instances = await resources.tagocores.list({ fields: ["name", "connected", "tcore_version"] });
   * ```
   */
  list<const Q extends Given<TagoCoreQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<TagoCoreListInfo, Q, keyof TagoCoreListInfo>[]> {
    return this.page(tagocoreRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all core instances, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, name } of resources.tagocores.all()) console.log(id, name);
   * ```
   */
  all<const Q extends Given<TagoCoreQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<TagoCoreListInfo, Q, keyof TagoCoreListInfo>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
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
   * Creates a new token for a core instance; the old one stops working.
   *
   * @returns the token
   * @example
   * ```ts
   * const token = await resources.tagocores.tokenGenerate(coreID);
   * ```
   */
  async tokenGenerate(tagoCoreID: GenericID, options?: CallOptions): Promise<GenericToken> {
    const params = { tagoCoreID };
    const result: string | { token: GenericToken } = await this.call(tagocoreRoutes.tokenGenerate, {
      ...options,
      params,
    });
    // The platform may send the token alone or as a property.
    return typeof result === "string" ? result : result?.token;
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
    const query = { tcore: assertId(tagoCoreID, "tagoCoreID") };
    return this.call(tagocoreRoutes.standaloneDeviceInfo, { ...options, params: { deviceID }, query });
  }

  /**
   * Lists the devices of a core instance.
   *
   * @param queryObj filter, order and page. Defaults: fields id and name; order `name,asc`
   * @example
   * ```ts
   * const devices = await resources.tagocores.standaloneDeviceList(coreID, { amount: 50 });
   * ```
   */
  async standaloneDeviceList<const Q extends Given<StandaloneDeviceQuery>>(
    tagoCoreID: GenericID,
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<StandaloneDevice, Q, (typeof deviceFields)[number]>[]> {
    return this.page(tagocoreRoutes.standaloneDeviceList, queryObj, {
      ...options,
      extra: { resolveBucketName: queryObj?.resolveBucketName ?? false, tcore: assertId(tagoCoreID, "tagoCoreID") },
    });
  }

  /**
   * Iterates over all devices of a core instance, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `standaloneDeviceList`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, name } of resources.tagocores.allStandaloneDevices(coreID)) console.log(id, name);
   * ```
   */
  allStandaloneDevices<const Q extends Given<StandaloneDeviceQuery>>(
    tagoCoreID: GenericID,
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<StandaloneDevice, Q, (typeof deviceFields)[number]>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.standaloneDeviceList(tagoCoreID, page, call));
  }
}

/** How much of something a computer uses. */
export interface ComputerUsage {
  /** What is measured, such as the memory. */
  title: string;
  /** Kind of measure. */
  type: string;
  /** Text shown below the title. */
  description: string;
  /** Text shown beside the figures. */
  detail: string;
  /** How much there is, in the unit of `detail`. */
  total: number;
  /** How much of `total` is in use. */
  used: number;
}

/** A row of the list of core instances. */
export interface TagoCoreListInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile the instance belongs to. */
  profile: GenericID;
  /** Name shown in lists. */
  name: string;
  /** False keeps the instance from the platform. */
  active: boolean;
  /** Whether it is reached now. */
  connected: boolean;
  /** Tags to find it by, at most 30. */
  tags: Tag[];
  /** What the computer calls itself. */
  machine_id: string;
  /** Address the platform sees. */
  internet_ip: string;
  /** Addresses in its own network, as one string. */
  local_ips: string;
  /** When it last connected, ISO 8601. */
  last_connection: string;
  /** Version of the program. */
  tcore_version: string;
  /** When the computer started. */
  system_start_time: Date;
  /** When the program started. */
  tcore_start_time: Date;
  /** When it was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** A core instance: the platform's program on a computer of one's own. Dates are ISO strings. */
export interface TagoCoreInfo
  extends Omit<TagoCoreListInfo, "system_start_time" | "tcore_start_time" | "created_at" | "updated_at"> {
  /** Token the instance connects with. */
  token: GenericToken;
  /** Memory, disk and the like of the computer. */
  computer_usage: ComputerUsage[];
  /** Its operating system: `name`, `arch`, `version` and, when known, `platform`. */
  os: { name: string; arch: string; version: string; platform?: string };
  /** Number of its resources, of each `device`, `action` and `analysis`; with the option summary. */
  summary?: { device: number; action: number; analysis: number };
  /** When the computer started, ISO 8601. */
  system_start_time: string;
  /** When the program started, ISO 8601. */
  tcore_start_time: string;
  /** When it was created, ISO 8601. */
  created_at: string;
  /** Last change, ISO 8601. */
  updated_at: string;
}

/** Changes to a core instance; properties left out stay as they are. */
export type TagoCoreEditInfo = Partial<TagoCoreInfo>;

/** Asks for part of the list of core instances. */
export type TagoCoreQuery = ListQuery<Omit<TagoCoreInfo, keyof TagoCoreListInfo> & TagoCoreListInfo>;

/** A device that lives on a core instance. */
export type StandaloneDevice = Known<DeviceRow, "id" | "name" | "created_at" | "updated_at" | "last_input">;

/** Asks for part of the devices of a core instance. `resolveConnectorName` and `serial` are not sent. */
export type StandaloneDeviceQuery = DeviceQuery;
