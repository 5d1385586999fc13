import { allRows } from "../api/all-rows.ts";
import { assertObject } from "../api/assert.ts";
import { checkListQuery } from "../api/check-query.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { get, post } from "../api/route.ts";
import { InputError } from "../core/errors.ts";
import type { ConfigurationParams, GenericID, GenericToken } from "../resources/data-types.ts";
import type { StoredNetwork } from "../resources/networks.ts";
import type { DetailsParams } from "./authorization.ts";
import type { CurrentDeviceInfo } from "./device.ts";

const dates = [
  "created_at",
  "updated_at",
  "last_input",
  "last_output",
  "inspected_at",
] as const satisfies DateKeys<NetworkDevice>;

/**
 * Routes that a network token may call.
 *
 * @internal
 */
export const currentNetworkRoutes = {
  info: get("/info"),
  resolveToken: get("/integration/network/resolve/:serieNumber", { result: "any" }),
  resolveAuthorizedToken: get("/integration/network/resolve/:serieNumber/:authorization", { result: "any" }),
  publishToRelay: post("/integration/network/publish"),
  deviceList: get("/integration/network/:connectorID/devices", { dates, list: { orderBy: ["name", "asc"] } }),
  deviceParamSet: post("/integration/network/:deviceID/params"),
};

/** A device as its network sees it. */
export interface NetworkDevice extends Omit<CurrentDeviceInfo, "bucket" | "inspected_at"> {
  /** @deprecated equal to `id` */
  bucket?: GenericID;
  /** When the live inspector was last used. */
  inspected_at?: Date | null;
  /** Token of the device. */
  token: GenericToken;
}

/** Query for the devices of a network; rows always have all fields. */
export type NetworkDeviceQuery = Omit<
  ListQuery<NetworkDevice, "name" | "visible" | "active" | "last_input" | "last_output" | "created_at" | "updated_at">,
  "fields"
>;

/** A message for the MQTT relay of a device. */
export interface PublishOptions {
  /** Topic to publish to. */
  topic: string;
  /** Payload to publish. */
  message?: string;
  /** Quality of service; the broker supports 0 and 1. */
  qos?: number;
  /** Retain flag; the broker ignores it. */
  retain?: boolean;
  /** Device whose relay publishes. */
  device: GenericID;
}

/** A network, accessed with its own token. */
export class Network extends Module {
  readonly #details: boolean | undefined;

  constructor(params: DetailsParams) {
    super(params);
    this.#details = params.details;
  }

  /**
   * Retrieves the network of the token.
   *
   * @example
   * ```ts
   * const { name, middleware_endpoint } = await network.info();
   * ```
   */
  info(options?: CallOptions): Promise<StoredNetwork> {
    return this.call(currentNetworkRoutes.info, { ...options, query: { details: this.#details } });
  }

  /**
   * Finds the token of a device by its serial number.
   *
   * @param authorization token of the service authorization the data came with
   * @example
   * ```ts
   * const deviceToken = await network.resolveToken("0004A30B001C0530");
   * await new Device({ token: deviceToken }).sendData({ variable: "payload", value: "0109" });
   * ```
   */
  resolveToken(serieNumber: string, authorization?: GenericToken, options?: CallOptions): Promise<GenericToken> {
    const query = { details: this.#details };
    if (!authorization) {
      return this.call(currentNetworkRoutes.resolveToken, { ...options, params: { serieNumber }, query });
    }
    const params = { serieNumber, authorization };
    return this.call(currentNetworkRoutes.resolveAuthorizedToken, { ...options, params, query });
  }

  /**
   * Sends a message to a device through the MQTT relay.
   *
   * @throws InputError `Either bucket or device must be provided`
   * @example
   * ```ts
   * await network.publishToRelay({ device: deviceID, topic: "tank/valve", message: "open", qos: 1 });
   * ```
   */
  async publishToRelay(publishOptions: PublishOptions, options?: CallOptions): Promise<string> {
    assertObject(publishOptions, "publishOptions");
    const { topic, message, qos, retain, device } = publishOptions;
    if (!device) throw new InputError("Either bucket or device must be provided", "device");
    return this.call(currentNetworkRoutes.publishToRelay, {
      ...options,
      body: { topic, message, qos, retain, device },
    });
  }

  /**
   * Lists the devices of a connector of the network, with their tokens.
   *
   * @param queryObj page (1), filter, amount (20), order (`name,asc`)
   * @example
   * ```ts
   * const devices = await network.deviceList(connectorID, { amount: 100 });
   * for (const { name, token } of devices) console.log(name, token.length);
   * ```
   */
  async deviceList(
    connectorID: GenericID,
    queryObj?: Given<NetworkDeviceQuery>,
    options?: CallOptions,
  ): Promise<NetworkDevice[]> {
    checkListQuery(queryObj);
    const query = { ...queryObj, fields: undefined };
    return this.page(currentNetworkRoutes.deviceList, query, { ...options, params: { connectorID } });
  }

  /**
   * Iterates over all devices of a connector of the network, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `deviceList`; starts at its `page`
   * @example
   * ```ts
   * for await (const { name } of network.allDevices(connectorID)) console.log(name);
   * ```
   */
  allDevices(
    connectorID: GenericID,
    queryObj?: Given<NetworkDeviceQuery>,
    options?: CallOptions,
  ): AsyncGenerator<NetworkDevice, void, undefined> {
    return allRows(queryObj, options, (page: Given<NetworkDeviceQuery>, call) =>
      this.deviceList(connectorID, page, call),
    );
  }

  /**
   * Adds or changes parameters of a device.
   *
   * @param configObj one parameter or a list; items with an `id` are changed, others added
   * @param paramID changes this parameter; only with a single one
   * @example
   * ```ts
   * await network.deviceParamSet(deviceID, { key: "downlink", value: "0109", sent: false });
   * ```
   */
  deviceParamSet(
    deviceID: GenericID,
    configObj: Partial<ConfigurationParams> | readonly Partial<ConfigurationParams>[],
    paramID?: GenericID,
    options?: CallOptions,
  ): Promise<string> {
    const isOne = paramID !== undefined && !Array.isArray(configObj);
    const body = isOne ? { ...configObj, id: paramID } : configObj;
    return this.call(currentNetworkRoutes.deviceParamSet, { ...options, params: { deviceID }, body });
  }
}
