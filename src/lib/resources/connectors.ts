import { allRows } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { DeviceParameterDefinition, GenericID } from "./data-types.ts";

const dates = ["created_at", "updated_at"] as const satisfies DateKeys<ConnectorInfo>;

const listFields = ["id", "name"] as const;

/**
 * Routes of `Resources.integration.connectors`.
 *
 * @internal
 */
export const connectorRoutes = {
  list: get("/integration/connector/", { dates, list: { fields: listFields, orderBy: ["name", "asc"] } }),
  info: get("/integration/connector/:connectorID", { dates }),
  create: post("/integration/connector/", { result: "object" }),
  edit: put("/integration/connector/:connectorID"),
  delete: del("/integration/connector/:connectorID"),
};

/** The connectors the profile can use: its own and those of the catalogue. */
export class Connectors extends Module {
  /**
   * Lists connectors.
   *
   * @param queryObj filter, order and page. Defaults: fields id and name; order `name,asc`
   * @example
   * ```ts
   * const connectors = await resources.integration.connectors.list({ filter: { name: "*sensor*" } });
   * ```
   */
  list<const Q extends Given<ConnectorQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<StoredConnector, Q, keyof ConnectorInfo>[]> {
    return this.page(connectorRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all connectors, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, name } of resources.integration.connectors.all()) console.log(id, name);
   * ```
   */
  all<const Q extends Given<ConnectorQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<StoredConnector, Q, keyof ConnectorInfo>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Retrieves a connector.
   *
   * @param fields fields to return. @default all
   * @example
   * ```ts
   * const { name, networks } = await resources.integration.connectors.info(connectorID, ["name", "networks"]);
   * ```
   */
  info<const Field extends keyof ConnectorInfo>(
    connectorID: GenericID,
    fields: readonly Field[],
    options?: CallOptions,
  ): Promise<Pick<StoredConnector, Field | "id">>;
  /** For fields that are not known beforehand, or none. */
  info(connectorID: GenericID, fields?: readonly string[], options?: CallOptions): Promise<StoredConnector>;
  info(connectorID: GenericID, fields?: readonly string[], options?: CallOptions): Promise<StoredConnector> {
    const query = { fields };
    return this.call(connectorRoutes.info, { ...options, params: { connectorID }, query });
  }

  /**
   * Creates a connector.
   *
   * @returns the id of the connector as `connector`
   * @example
   * ```ts
   * const { connector } = await resources.integration.connectors.create({
   *   name: "Tank level sensor",
   *   networks: [networkID],
   *   device_parameters: [{ name: "height", label: "Height of the tank (cm)", type: "number", default: 200 }],
   * });
   * ```
   */
  create(connectorObj: ConnectorCreateInfo, options?: CallOptions): Promise<{ connector: GenericID }> {
    return this.call(connectorRoutes.create, { ...options, body: connectorObj });
  }

  /**
   * Changes a connector.
   *
   * @example
   * ```ts
   * await resources.integration.connectors.edit(connectorID, { description: "Level by ultrasound" });
   * ```
   */
  edit(connectorID: GenericID, connectorObj: ConnectorEditInfo, options?: CallOptions): Promise<string> {
    return this.call(connectorRoutes.edit, { ...options, params: { connectorID }, body: connectorObj });
  }

  /**
   * Deletes a connector.
   *
   * @example
   * ```ts
   * await resources.integration.connectors.delete(connectorID);
   * ```
   */
  delete(connectorID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(connectorRoutes.delete, { ...options, params: { connectorID } });
  }
}

/** A connector: what a kind of device is, and how its data is read. */
export interface ConnectorInfo {
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
  /** Networks its devices may use. */
  networks?: GenericID[];
  /** Parameters its devices get when they are created. */
  device_parameters?: DeviceParameterDefinition[];
  /** Encoder of messages to devices, base64. */
  payload_encoder?: string;
  /** Parser of arriving data, base64. */
  payload_decoder?: string;
  /** Shown before a device is created. */
  install_text?: string;
  /** Shown after a device is created. */
  install_end_text?: string;
  /** Note shown with its devices. */
  device_annotation?: string;
  /** In the platform's catalogue. */
  public: boolean;
  /** When it was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** A connector as the platform returns it. */
export type StoredConnector = Stored<ConnectorInfo, "name">;

/** Fields for creating a connector. */
export type ConnectorCreateInfo = Partial<Omit<ConnectorInfo, "id" | "profile" | "created_at" | "updated_at">>;

/** Changes to a connector; properties left out stay as they are. */
export type ConnectorEditInfo = Partial<ConnectorCreateInfo>;

/** Asks for part of the list of connectors. */
export type ConnectorQuery = ListQuery<ConnectorInfo>;
