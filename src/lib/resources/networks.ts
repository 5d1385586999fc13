import { allRows } from "../api/all-rows.ts";
import { assertId } from "../api/assert.ts";
import type { CallOptions } from "../api/client.ts";
import type { Given, ListQuery, Picked, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { DeviceParameterDefinition, GenericID, GenericToken, Permission } from "./data-types.ts";
import type { TokenData } from "./devices.ts";
import type { TokenDataList } from "./profile.ts";

const listFields = ["id", "name"] as const;
const tokenFields = ["name", "token", "permission"] as const;

/**
 * Routes of `Resources.integration.networks`.
 *
 * @internal
 */
export const networkRoutes = {
  list: get("/integration/network/", { list: { fields: listFields, orderBy: ["name", "asc"] } }),
  info: get("/integration/network/:networkID"),
  create: post("/integration/network/", { result: "object" }),
  edit: put("/integration/network/:networkID"),
  delete: del("/integration/network/:networkID"),
  tokenList: get("/integration/network/token/:networkID", {
    list: { fields: tokenFields, orderBy: ["created_at", "desc"] },
  }),
  tokenCreate: post("/integration/network/token", { result: "object" }),
  tokenDelete: del("/integration/network/token/:token"),
};

/** The networks the profile can use: its own and those of the catalogue. */
export class Networks extends Module {
  /**
   * Lists networks.
   *
   * @param queryObj filter, order and page. Defaults: fields id and name; order `name,asc`
   * @example
   * ```ts
   * const networks = await resources.integration.networks.list({ fields: ["name", "middleware_endpoint"] });
   * ```
   */
  list<const Q extends Given<NetworkQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<StoredNetwork, Q, keyof NetworkInfo>[]> {
    return this.page(networkRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all networks, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, name } of resources.integration.networks.all()) console.log(id, name);
   * ```
   */
  all<const Q extends Given<NetworkQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<StoredNetwork, Q, keyof NetworkInfo>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Retrieves a network.
   *
   * @param fields fields to return. @default ["id", "name"]
   * @example
   * ```ts
   * const { middleware_endpoint } = await resources.integration.networks.info(networkID, ["middleware_endpoint"]);
   * ```
   */
  info<const Field extends keyof NetworkInfo>(
    networkID: GenericID,
    fields: readonly Field[],
    options?: CallOptions,
  ): Promise<Pick<StoredNetwork, Field | "id">>;
  /** For fields that are not known beforehand, or none. */
  info(networkID: GenericID, fields?: readonly string[], options?: CallOptions): Promise<StoredNetwork>;
  info(networkID: GenericID, fields?: readonly string[], options?: CallOptions): Promise<StoredNetwork> {
    const query = { fields: fields ?? listFields };
    return this.call(networkRoutes.info, { ...options, params: { networkID }, query });
  }

  /**
   * Creates a network.
   *
   * @returns the id of the network as `network`
   * @example
   * ```ts
   * const { network: id } = await resources.integration.networks.create({
   *   name: "Field network",
   *   middleware_endpoint: "network.example.org",
   * });
   * ```
   */
  create(connectorObj: NetworkCreateInfo, options?: CallOptions): Promise<{ network: GenericID }> {
    return this.call(networkRoutes.create, { ...options, body: connectorObj });
  }

  /**
   * Changes a network.
   *
   * @example
   * ```ts
   * await resources.integration.networks.edit(networkID, { description: "Sensors in the field" });
   * ```
   */
  edit(networkID: GenericID, connectorObj: NetworkEditInfo, options?: CallOptions): Promise<string> {
    return this.call(networkRoutes.edit, { ...options, params: { networkID }, body: connectorObj });
  }

  /**
   * Deletes a network.
   *
   * @example
   * ```ts
   * await resources.integration.networks.delete(networkID);
   * ```
   */
  delete(networkID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(networkRoutes.delete, { ...options, params: { networkID } });
  }

  /**
   * Lists the tokens of a network, the newest first.
   *
   * @example
   * ```ts
   * const tokens = await resources.integration.networks.tokenList(networkID);
   * ```
   */
  tokenList<const Q extends Given<ListQuery<NetworkTokenInfo>>>(
    networkID: GenericID,
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<Stored<NetworkTokenInfo, "permission">, Q, (typeof tokenFields)[number]>[]> {
    return this.page(networkRoutes.tokenList, queryObj, { ...options, params: { networkID } });
  }

  /**
   * Iterates over all tokens of a network, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `tokenList`; starts at its `page`
   * @example
   * ```ts
   * for await (const { name } of resources.integration.networks.allTokens(networkID)) console.log(name);
   * ```
   */
  allTokens<const Q extends Given<ListQuery<NetworkTokenInfo>>>(
    networkID: GenericID,
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<Stored<NetworkTokenInfo, "permission">, Q, (typeof tokenFields)[number]>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.tokenList(networkID, page, call));
  }

  /**
   * Creates a token for a network.
   *
   * @example
   * ```ts
   * const { token } = await resources.integration.networks.tokenCreate(networkID, { name: "Server", expire_time: "never" });
   * ```
   */
  async tokenCreate(
    networkID: GenericID,
    tokenParams: TokenData,
    options?: CallOptions,
  ): Promise<NetworkTokenCreateResponse> {
    return this.call(networkRoutes.tokenCreate, {
      ...options,
      body: { ...tokenParams, network: assertId(networkID, "networkID") },
    });
  }

  /**
   * Deletes a token of a network.
   *
   * @example
   * ```ts
   * await resources.integration.networks.tokenDelete(token);
   * ```
   */
  tokenDelete(token: GenericToken, options?: CallOptions): Promise<string> {
    return this.call(networkRoutes.tokenDelete, { ...options, params: { token } });
  }
}

/** A network that devices send their data through. */
export interface NetworkInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile that owns it. */
  profile?: GenericID;
  /** Name shown in lists. */
  name?: string;
  /** Text shown below the name. */
  description?: string;
  /** Address of the logo. */
  logo_url?: string;
  /** Address of the small picture. */
  icon_url?: string;
  /** Address of the wide picture. */
  banner_url?: string;
  /** Address of its manual. */
  documentation_url?: string;
  /** Parameters its devices get when they are created. */
  device_parameters?: DeviceParameterDefinition[];
  /** Host that takes downlinks at `https://{it}/downlink`. */
  middleware_endpoint?: string;
  /** Encoder of messages to devices, base64. */
  payload_encoder?: string;
  /** Parser of arriving data, base64. */
  payload_decoder?: string;
  /** In the platform's catalogue. */
  public?: boolean;
  /** What serial numbers of devices look like. */
  serial_number?: {
    /** `F` stands for a hexadecimal digit, `A` a letter, `0` a digit, `P` either; `-` is not stored. */
    mask?: string;
    /** What the number is called, such as `Device EUI`. */
    label?: string;
    /** Address of a picture that shows where it is found. */
    image?: string;
    /** Upper or lower case. */
    case?: string;
    /** Text shown beside the field. */
    help?: string;
    /** Whether a device needs one. */
    required?: boolean;
  };
  /** Whether it needs access to its devices. */
  require_devices_access?: boolean;
  /** When it was created, ISO 8601. */
  created_at?: string;
  /** Last change, ISO 8601. */
  updated_at?: string;
}

/** A network as the platform returns it. */
export type StoredNetwork = Stored<NetworkInfo, "name">;

/** Fields for creating a network. */
export type NetworkCreateInfo = Partial<Omit<NetworkInfo, "id" | "profile" | "created_at" | "updated_at">>;

/** Changes to a network; properties left out stay as they are. */
export type NetworkEditInfo = Partial<NetworkCreateInfo>;

/** Asks for part of the list of networks. */
export type NetworkQuery = ListQuery<NetworkInfo>;

/** A token of a network. */
export interface NetworkTokenInfo
  extends Partial<Pick<TokenDataList, "type" | "last_authorization" | "ref_id" | "created_by">> {
  /** Only when `fields` asks for it. */
  id?: GenericID;
  /** Name shown in lists. */
  name: string;
  /** The token itself, with the prefix `n-`. */
  token: GenericToken;
  /** What the token may do. */
  permission?: Permission;
  /** Null: only tokens of devices have one. */
  serie_number?: string | null;
  /** Null: only service authorizations have one. */
  verification_code?: string | null;
  /** When it stops working, ISO 8601, or `never`. */
  expire_time?: string;
  /** When it was created, ISO 8601. */
  created_at?: string;
}

/** A network new token. */
export interface NetworkTokenCreateResponse {
  /** The token itself, with the prefix `n-`. */
  token: GenericToken;
  /** Name it was given. */
  name: string;
  /** Network it opens. */
  network: GenericID;
}
