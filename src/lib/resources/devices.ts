import { allRows, eachRow } from "../api/all-rows.ts";
import { assertId, assertObject } from "../api/assert.ts";
import { checkListQuery } from "../api/check-query.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, Known, ListFilter, ListQuery, Picked } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { batchQty, batchWait, pacer, readsByTime, sendBatches } from "../api/streaming.ts";
import { readWindows, type StreamWindow, type WindowStream } from "../api/time-window.ts";
import { InputError } from "../core/errors.ts";
import {
  DATA_STREAM_WAIT_MS,
  DEVICE_STREAM_WAIT_MS,
  MAX_DATA_STREAM_QTY,
  MAX_DEVICE_STREAM_QTY,
} from "../core/limits.ts";
import { stoppable } from "../core/stoppable.ts";
import { dataParameters, dataStream, deleteParameters } from "./data-calls.ts";
import type {
  ConfigurationParams,
  DataAggregate,
  DataAggregateQuery,
  DataCreate,
  DataEdit,
  DataNumberQuery,
  DataQuery,
  DataStreamOptions,
  DeviceData,
  DeviceDataNumber,
  ExpireTime,
  GenericID,
  GenericToken,
  OptionsStreaming,
  PermissionOption,
  SendStreamOptions,
  Tag,
} from "./data-types.ts";
import type { chunkPeriods } from "./enums.ts";

const dates = ["created_at", "updated_at", "last_input"] as const satisfies DateKeys<DeviceInfo>;

const listFields = ["id", "name", "tags"] as const;
type ListField = (typeof listFields)[number];
const tokenFields = ["name", "token", "permission"] as const;

/**
 * Routes of `Resources.devices`.
 *
 * @internal
 */
export const deviceRoutes = {
  list: get("/device", { dates, list: { fields: listFields, orderBy: ["name", "asc"] } }),
  create: post("/device", { result: "object" }),
  edit: put("/device/:deviceID"),
  delete: del("/device/:deviceID"),
  info: get("/device/:deviceID", { dates }),
  paramSet: post("/device/:deviceID/params"),
  paramList: get("/device/:deviceID/params", { result: "list" }),
  paramRemove: del("/device/:deviceID/params/:paramID"),
  tokenList: get("/device/token/:deviceID", {
    dates: ["created_at", "expire_time", "last_authorization"] satisfies DateKeys<DeviceTokenInfo>,
    list: { fields: tokenFields, orderBy: ["created_at", "desc"] },
  }),
  tokenCreate: post("/device/token", {
    result: "object",
    dates: ["expire_date"] satisfies DateKeys<TokenCreateResponse>,
  }),
  tokenDelete: del("/device/token/:token"),
  amount: get("/device/:deviceID/data_amount", { result: "any" }),
  getDeviceData: get("/device/:deviceID/data", {
    result: "data",
    dates: ["time", "created_at"] satisfies DateKeys<DeviceData>,
  }),
  emptyDeviceData: post("/device/:deviceID/empty"),
  sendDeviceData: post("/device/:deviceID/data"),
  editDeviceData: put("/device/:deviceID/data"),
  deleteDeviceData: del("/device/:deviceID/data"),
  getChunk: get("/device/:deviceID/chunk", { result: "list" }),
  deleteChunk: del("/device/:deviceID/chunk/:chunkID"),
  copyChunk: post("/device/:deviceID/chunk/copy"),
  dataBackup: post("/device/:deviceID/data/backup"),
  chunkBackup: post("/device/:deviceID/chunk/backup"),
  dataRestore: post("/device/:deviceID/data/restore"),
};

/** A stream reads records only: a number would never end it. */
const recordsRoute = { ...deviceRoutes.getDeviceData, result: "list" } as const;

/** The devices of the profile. Writes are at-least-once: see the option `retry`. */
export class Devices extends Module {
  /**
   * Lists devices.
   *
   * @param queryObj filter, order and page. Defaults: fields id, name and tags; order `name,asc`
   * @example
   * ```ts
   * const devices = await resources.devices.list({
   *   fields: ["id", "name", "last_input"],
   *   filter: { active: true, tags: [{ key: "site", value: "plant" }] },
   *   orderBy: ["last_input", "desc"],
   *   amount: 100,
   * });
   * ```
   */
  list<const Q extends Given<DeviceQuery> = Given<DeviceQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<DeviceRow, Q, ListField, "tags">[]> {
    return this.page(deviceRoutes.list, queryObj, {
      ...options,
      extra: {
        resolveBucketName: queryObj?.resolveBucketName ?? false,
        resolveConnectorName: queryObj?.resolveConnectorName ?? false,
        serial: queryObj?.serial,
      },
    });
  }

  /**
   * Iterates over all devices, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, last_input } of resources.devices.all({ fields: ["last_input"], filter: { active: true } })) {
   *   console.log(id, last_input);
   * }
   * ```
   */
  all<const Q extends Given<DeviceQuery> = Given<DeviceQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<DeviceRow, Q, ListField, "tags">, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Lists all matching devices page by page, each once.
   *
   * @example
   * ```ts
   * for await (const page of resources.devices.listStreaming({ fields: ["id", "name"] }, { poolingRecordQty: 500 })) {
   *   for (const { id, name } of page) console.log(id, name);
   * }
   * ```
   * @throws InputError `The maximum of poolingRecordQty is 1000`; for an order besides the window by time
   */
  listStreaming<const Q extends Given<Omit<DeviceQuery, "page" | "amount">>>(
    queryObj?: Q,
    options?: DeviceStreamOptions,
  ): AsyncGenerator<Picked<DeviceRow, Q, keyof DeviceRow, "tags">[], void, undefined> {
    return stoppable(options?.signal, (signal) => this.#devicePages(queryObj, options, signal));
  }

  async *#devicePages<const Q extends Given<Omit<DeviceQuery, "page" | "amount">>>(
    queryObj: Q | undefined,
    options: DeviceStreamOptions | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Picked<DeviceRow, Q, keyof DeviceRow, "tags">[], void, undefined> {
    checkListQuery(queryObj);
    const amount = batchQty(options?.poolingRecordQty, MAX_DEVICE_STREAM_QTY);
    const waitMs = batchWait(options?.poolingTime, DEVICE_STREAM_WAIT_MS);
    if (readsByTime(options?.window)) {
      const window = this.#byCreation(queryObj, signal);
      yield* readWindows([window as WindowStream<Picked<DeviceRow, Q, keyof DeviceRow, "tags">>], {
        qty: amount,
        waitMs,
        clock: this.client.clock,
        signal,
      });
      return;
    }
    const pace = pacer(this.client.clock, waitMs, signal);
    for (let page = 1; ; page += 1) {
      await pace();
      const rows = await this.list({ ...queryObj, page, amount } as Given<DeviceQuery>, { signal });
      if (rows.length > 0) yield rows as Picked<DeviceRow, Q, keyof DeviceRow, "tags">[];
      if (rows.length < amount) return;
    }
  }

  /**
   * Creates a device and its first token.
   *
   * If the response is lost, the request is sent again and may be carried out twice; `retry: { ambiguousWrites: false }`
   * aborts the call instead.
   *
   * @returns the ids of the device and of its first token
   * @example
   * ```ts
   * const { device_id, token } = await resources.devices.create({
   *   name: "Freezer 1",
   *   type: "immutable",
   *   chunk_period: "month",
   *   chunk_retention: 2,
   *   tags: [{ key: "site", value: "plant" }],
   * });
   * ```
   */
  create(deviceObj: DeviceCreateInfo, options?: CallOptions): Promise<DeviceCreateResponse> {
    return this.call(deviceRoutes.create, { ...options, body: deviceObj });
  }

  /**
   * Changes a device.
   *
   * @returns what the platform says, such as `Device Successfully Updated`
   * @example
   * ```ts
   * await resources.devices.edit(deviceID, { name: "Freezer 2", active: false });
   * ```
   */
  edit(deviceID: GenericID, deviceObj: DeviceEditInfo, options?: CallOptions): Promise<string> {
    return this.call(deviceRoutes.edit, { ...options, params: { deviceID }, body: deviceObj });
  }

  /**
   * Deletes a device with all its data and tokens.
   *
   * @example
   * ```ts
   * await resources.devices.delete(deviceID);
   * ```
   */
  delete(deviceID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(deviceRoutes.delete, { ...options, params: { deviceID } });
  }

  /**
   * Retrieves a device.
   *
   * @example
   * ```ts
   * const { name, type, last_input } = await resources.devices.info(deviceID);
   * const isSilent = last_input === null || Date.now() - last_input.getTime() > 3_600_000;
   * ```
   */
  info(deviceID: GenericID, options?: CallOptions): Promise<DeviceInfo> {
    return this.call(deviceRoutes.info, { ...options, params: { deviceID } });
  }

  /**
   * Adds or changes parameters of a device.
   *
   * @param configObj one parameter or a list; items with an `id` are changed, others added
   * @param paramID changes this parameter; only with a single one
   * @example
   * ```ts
   * await resources.devices.paramSet(deviceID, [{ key: "interval", value: "15", sent: false }]);
   * ```
   */
  paramSet(
    deviceID: GenericID,
    configObj: Partial<ConfigurationParams> | readonly Partial<ConfigurationParams>[],
    paramID?: GenericID,
    options?: CallOptions,
  ): Promise<string> {
    const isOne = paramID !== undefined && !Array.isArray(configObj);
    const body = isOne ? { ...(configObj as Partial<ConfigurationParams>), id: paramID } : configObj;
    return this.call(deviceRoutes.paramSet, { ...options, params: { deviceID }, body });
  }

  /**
   * Lists the parameters of a device.
   *
   * @param sentStatus only the ones marked as read (true) or not (false)
   * @example
   * ```ts
   * const unread = await resources.devices.paramList(deviceID, false);
   * const interval = unread.find(({ key }) => key === "interval")?.value;
   * ```
   */
  paramList(
    deviceID: GenericID,
    sentStatus?: boolean,
    options?: CallOptions,
  ): Promise<Required<ConfigurationParams>[]> {
    return this.call(deviceRoutes.paramList, { ...options, params: { deviceID }, query: { sent_status: sentStatus } });
  }

  /**
   * Removes a parameter.
   *
   * @example
   * ```ts
   * const [parameter] = await resources.devices.paramList(deviceID);
   * if (parameter !== undefined) await resources.devices.paramRemove(deviceID, parameter.id);
   * ```
   */
  paramRemove(deviceID: GenericID, paramID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(deviceRoutes.paramRemove, { ...options, params: { deviceID, paramID } });
  }

  /**
   * Lists the tokens of a device, the newest first.
   *
   * @example
   * ```ts
   * const tokens = await resources.devices.tokenList(deviceID, { fields: ["name", "serie_number"] });
   * ```
   */
  tokenList<const Q extends Given<ListDeviceTokenQuery>>(
    deviceID: GenericID,
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<DeviceTokenInfo, Q, (typeof tokenFields)[number]>[]> {
    return this.page(deviceRoutes.tokenList, queryObj, { ...options, params: { deviceID } });
  }

  /**
   * Iterates over all tokens of a device, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `tokenList`; starts at its `page`
   * @example
   * ```ts
   * for await (const { name, permission } of resources.devices.allTokens(deviceID)) console.log(name, permission);
   * ```
   */
  allTokens<const Q extends Given<ListDeviceTokenQuery>>(
    deviceID: GenericID,
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<DeviceTokenInfo, Q, (typeof tokenFields)[number]>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.tokenList(deviceID, page, call));
  }

  /**
   * Creates a token for a device.
   *
   * @example
   * ```ts
   * const { token, expire_date } = await resources.devices.tokenCreate(deviceID, {
   *   name: "Gateway",
   *   permission: "write",
   *   expire_time: "never",
   * });
   * ```
   */
  async tokenCreate(deviceID: GenericID, tokenParams: TokenData, options?: CallOptions): Promise<TokenCreateResponse> {
    return this.call(deviceRoutes.tokenCreate, {
      ...options,
      body: { ...tokenParams, device: assertId(deviceID, "deviceID") },
    });
  }

  /**
   * Deletes a token.
   *
   * @example
   * ```ts
   * const { token } = await resources.devices.tokenCreate(deviceID, { name: "Trial" });
   * await resources.devices.tokenDelete(token);
   * ```
   */
  tokenDelete(token: GenericToken, options?: CallOptions): Promise<string> {
    return this.call(deviceRoutes.tokenDelete, { ...options, params: { token } });
  }

  /**
   * Counts the records of a device; the platform estimates above 1,000.
   *
   * @example
   * ```ts
   * const records = await resources.devices.amount(deviceID);
   * ```
   */
  amount(deviceID: GenericID, options?: CallOptions): Promise<number> {
    return this.call(deviceRoutes.amount, { ...options, params: { deviceID } });
  }

  /** With `count`, `avg` or `sum`: one record that holds the number, as of now. */
  getDeviceData(
    deviceId: GenericID,
    queryParams: Given<DataNumberQuery>,
    options?: CallOptions,
  ): Promise<DeviceDataNumber[]>;
  /** With `aggregate`: one row per variable and interval that holds records, the newest first. */
  getDeviceData(
    deviceId: GenericID,
    queryParams: Given<DataAggregateQuery>,
    options?: CallOptions,
  ): Promise<DataAggregate[]>;
  /**
   * Reads records of a device, the newest first. `count`, `avg` and `sum` return one record that holds the number.
   *
   * @param queryParams which records; 15 of them unless `qty` says otherwise
   * @example
   * ```ts
   * const readings = await resources.devices.getDeviceData(deviceID, {
   *   variables: "temperature",
   *   start_date: "1 day",
   *   qty: 500,
   * });
   * const [newest] = readings;
   * console.log(newest?.value, newest?.unit, newest?.time.toISOString());
   * ```
   */
  getDeviceData(deviceId: GenericID, queryParams?: Given<DataQuery>, options?: CallOptions): Promise<DeviceData[]>;
  async getDeviceData(
    deviceId: GenericID,
    queryParams?: Given<DataQuery>,
    options?: CallOptions,
  ): Promise<DeviceData[] | DataAggregate[] | DeviceDataNumber[]> {
    const result: DeviceData[] | number = await this.call(deviceRoutes.getDeviceData, {
      ...options,
      params: { deviceID: deviceId },
      query: dataParameters(queryParams),
    });
    if (typeof result !== "number") return result;
    return [{ id: "none", origin: "?", variable: "?", value: result, time: new Date() }];
  }

  /**
   * Deletes all records of a device.
   *
   * @example
   * ```ts
   * await resources.devices.emptyDeviceData(deviceID);
   * ```
   */
  emptyDeviceData(deviceId: GenericID, options?: CallOptions): Promise<string> {
    return this.call(deviceRoutes.emptyDeviceData, { ...options, params: { deviceID: deviceId } });
  }

  /**
   * Sends records to a device. The platform takes this with an analysis token; use `Device` with the device's own.
   *
   * If the response is lost, the request is sent again and may be carried out twice; `retry: { ambiguousWrites: false }`
   * aborts the call instead.
   *
   * @example
   * ```ts
   * await resources.devices.sendDeviceData(deviceID, { variable: "temperature", value: -18.2, unit: "°C" });
   * ```
   */
  sendDeviceData(
    deviceId: GenericID,
    data: DataCreate | readonly DataCreate[],
    options?: CallOptions,
  ): Promise<string> {
    return this.call(deviceRoutes.sendDeviceData, { ...options, params: { deviceID: deviceId }, body: data });
  }

  /**
   * Changes records of a mutable device.
   *
   * @example
   * ```ts
   * await resources.devices.editDeviceData(deviceID, { id: recordID, value: -18.4 });
   * ```
   */
  editDeviceData(
    deviceId: GenericID,
    updatedData: DataEdit | readonly DataEdit[],
    options?: CallOptions,
  ): Promise<string> {
    return this.call(deviceRoutes.editDeviceData, { ...options, params: { deviceID: deviceId }, body: updatedData });
  }

  /**
   * Deletes records of a mutable device; at most 15 per variable unless `qty` says otherwise.
   *
   * @returns `{n} Data Removed`
   * @throws InputError for an empty list in the query, which would vanish on the way and delete other records
   * @example
   * ```ts
   * await resources.devices.deleteDeviceData(deviceID, { variables: "test", qty: 1000 });
   * ```
   */
  async deleteDeviceData(deviceId: GenericID, queryParams?: Given<DataQuery>, options?: CallOptions): Promise<string> {
    const query = deleteParameters(queryParams);
    return this.call(deviceRoutes.deleteDeviceData, { ...options, params: { deviceID: deviceId }, query });
  }

  /**
   * Lists the chunks of an immutable device.
   *
   * @example
   * ```ts
   * const chunks = await resources.devices.getChunk(deviceID);
   * for (const { id, from, to, amount } of chunks) console.log(id, from, to, amount);
   * ```
   */
  getChunk(deviceID: GenericID, options?: CallOptions): Promise<DeviceChunkData[]> {
    return this.call(deviceRoutes.getChunk, { ...options, params: { deviceID } });
  }

  /**
   * Deletes a chunk with all its records.
   *
   * @example
   * ```ts
   * const [oldest] = await resources.devices.getChunk(deviceID);
   * if (oldest !== undefined) await resources.devices.deleteChunk(deviceID, oldest.id);
   * ```
   */
  deleteChunk(deviceID: GenericID, chunkID: string, options?: CallOptions): Promise<string> {
    return this.call(deviceRoutes.deleteChunk, { ...options, params: { deviceID, chunkID } });
  }

  /**
   * Writes a chunk into a file of the profile.
   *
   * @example
   * ```ts
   * const { file_address } = await resources.devices.copyChunk({
   *   deviceID,
   *   chunkID: "1704067200_1706745599",
   *   file_address: "/backups/$DEVICE$/$CHUNK$",
   *   headers: true,
   * });
   * ```
   */
  async copyChunk(params: DeviceChunkParams, options?: CallOptions): Promise<DeviceChunkCopyResponse> {
    assertObject(params, "params");
    const { deviceID, chunkID, headers, file_address } = params;
    return this.call(deviceRoutes.copyChunk, {
      ...options,
      params: { deviceID },
      body: { chunk_id: chunkID, headers, file_address },
    });
  }

  /**
   * Writes the data of a device, or one chunk of it, into a file of the profile.
   *
   * @example
   * ```ts
   * const { status } = await resources.devices.dataBackup({ deviceID, file_address: "/backups/$DEVICE$" });
   * ```
   */
  async dataBackup(
    params: DeviceDataBackupParams,
    chunkID?: string,
    options?: CallOptions,
  ): Promise<DeviceDataBackupResponse> {
    assertObject(params, "params");
    const { deviceID, headers, file_address } = params;
    const route = chunkID ? deviceRoutes.chunkBackup : deviceRoutes.dataBackup;
    return this.call(route, { ...options, params: { deviceID }, body: { chunk_id: chunkID, headers, file_address } });
  }

  /**
   * Reads data back from a CSV file of the profile.
   *
   * @param params `deviceID`, and `file_address`: path of the file
   *
   * @example
   * ```ts
   * await resources.devices.dataRestore({ deviceID, file_address: "/backups/freezer.csv" });
   * ```
   */
  async dataRestore(params: DeviceDataRestore, options?: CallOptions): Promise<string> {
    assertObject(params, "params");
    const { deviceID, file_address } = params;
    return this.call(deviceRoutes.dataRestore, { ...options, params: { deviceID }, body: { file_address } });
  }

  /**
   * Reads all matching records page by page, the oldest first, each record once. The stream decides about order and
   * page: `ordination`, `qty`, `skip` and `query` of the query are not used. Leaving the loop stops the stream at once.
   *
   * @throws InputError `The maximum of poolingRecordQty is 10000`
   * @example
   * ```ts
   * let sum = 0;
   * for await (const page of resources.devices.getDeviceDataStreaming(deviceID, { variables: "energy" })) {
   *   for (const { value } of page) sum += Number(value);
   * }
   * ```
   */
  getDeviceDataStreaming(
    deviceId: GenericID,
    params?: Given<DataQuery>,
    options?: DataStreamOptions,
  ): AsyncGenerator<DeviceData[], void, undefined> {
    return dataStream<DeviceData>(params, options, this.client.clock, (query, signal) =>
      this.call(recordsRoute, { params: { deviceID: deviceId }, query, signal }),
    );
  }

  /**
   * Iterates over all matching records of a device, the oldest first.
   * Reads pages of 10000 as they are needed; `getDeviceDataStreaming` yields the pages.
   *
   * @example
   * ```ts
   * let sum = 0;
   * for await (const { value } of resources.devices.allDeviceData(deviceID, { variables: "energy" })) sum += Number(value);
   * ```
   */
  allDeviceData(
    deviceID: GenericID,
    params?: Given<DataQuery>,
    options?: DataStreamOptions,
  ): AsyncGenerator<DeviceData, void, undefined> {
    const largest = { poolingRecordQty: MAX_DATA_STREAM_QTY, ...options };
    return eachRow(largest, (stream) => this.getDeviceDataStreaming(deviceID, params, stream));
  }

  /**
   * Sends a list of records in batches. When a batch is rejected or sending is cancelled, `accepted` of the error is the
   * number of records that were stored before: go on with `data.slice(error.accepted)`.
   *
   * @returns `{n} Data added.`
   * @throws InputError `Only data array is allowed`
   * @example
   * ```ts
   * const readings = Array.from({ length: 5000 }, (_, n) => ({ variable: "level", value: n }));
   * const said = await resources.devices.sendDeviceDataStreaming(deviceID, readings, { poolingRecordQty: 500 });
   * ```
   */
  async sendDeviceDataStreaming(
    deviceId: GenericID,
    data: readonly DataCreate[],
    options?: SendStreamOptions,
  ): Promise<string> {
    const signal = options?.signal;
    const qty = batchQty(options?.poolingRecordQty, Number.POSITIVE_INFINITY);
    const waitMs = batchWait(options?.poolingTime, DATA_STREAM_WAIT_MS);
    return sendBatches(data, { qty, waitMs, clock: this.client.clock, signal }, (batch) =>
      this.call(deviceRoutes.sendDeviceData, { params: { deviceID: deviceId }, body: batch, signal }),
    );
  }

  /** The device list by the time of creation. */
  #byCreation(query: Given<DeviceQuery> | undefined, signal: AbortSignal | undefined): WindowStream<DeviceListItem> {
    if (query?.orderBy !== undefined)
      throw new InputError("A window by time has an order of its own: leave out orderBy", "orderBy");
    const { fields: asked = listFields, filter } = query ?? {};
    const fields = [...new Set([...asked, "created_at"])];
    return {
      maxQty: MAX_DEVICE_STREAM_QTY,
      keyOf: ({ id }) => id,
      momentOf: ({ created_at }) => created_at,
      read: (from, amount, turn) => {
        const since = from === undefined ? filter : { ...filter, created_at: from };
        const page = { fields, filter: since, orderBy: ["created_at", "asc"], page: turn + 1, amount } as const;
        return this.list({ ...query, ...page } as Given<DeviceQuery>, { signal }) as Promise<DeviceListItem[]>;
      },
    };
  }
}

/** How a device stores its data. */
export type DataStorageType = "mutable" | "immutable" | "hybrid" | "legacy";

/** Period of one chunk of an immutable device. */
export type ChunkPeriod = (typeof chunkPeriods)[number];

/** A device. */
export interface DeviceInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile the device belongs to. */
  profile: GenericID;
  /** Name shown in lists; 3 to 100 characters. */
  name: string;
  /** How data is stored; set at creation, fixed afterwards except by a conversion of the empty device. */
  type: DataStorageType;
  /** Free-form text; null or left out when there is none. */
  description?: string | null;
  /** The token of an inactive device is rejected. */
  active: boolean;
  /** Whether it is shown. @default true */
  visible: boolean;
  /** Connector: the kind of device, which may parse its data. */
  connector: GenericID;
  /** Network the data arrives by; one of the connector's. */
  network: GenericID;
  /** Tags to find it by, at most 30. */
  tags: Tag[];
  /** Parser of arriving data, base64; null when off. */
  payload_decoder: string | null;
  /** Of immutable and hybrid devices. */
  chunk_period?: ChunkPeriod;
  /** Periods kept besides the current one. */
  chunk_retention?: number;
  /** Of hybrid devices: variables that match go to the mutable side. */
  mutable_variable_regex?: string;
  /** `forever` of mutable ones, `{retention} {period}` such as `3 month` of immutable ones. */
  data_retention?: string;
  /** Last arrival of data, even if nothing was stored. */
  last_input: Date | null;
  /** ISO 8601: the platform's lists leave it a string; `Device#info` and `Network#deviceList` return a date. */
  last_output?: string | null;
  /** When a live inspector last listened, ISO 8601; a date in `Network#deviceList`. */
  inspected_at?: string | null;
  /** Soft limits of requests per minute, `data_input` and `data_output`; null without the add-on. */
  rpm: { data_input?: number; data_output?: number } | null;
  /** @deprecated `id` and `name` are those of the device */
  bucket: { id: GenericID; name: string };
  /** Last change to the device, not to its data. */
  updated_at: Date;
  /** When it was created. */
  created_at: Date;
}

/** A row of the device list, of which some fields are certain. */
export type DeviceListItem<Field extends keyof DeviceRow = keyof DeviceRow> = Known<
  DeviceRow,
  Field | "id" | "name" | "tags"
>;

/** All fields a row of the device list may have. */
export interface DeviceRow extends Omit<DeviceInfo, "bucket"> {
  /** @deprecated equal to `id` */
  bucket: GenericID;
  /** With `resolveBucketName`. */
  bucket_name?: string;
  /** With `resolveConnectorName`. */
  connector_name?: string;
}

/** Fields for creating a device. Times and ids are the platform's. */
export interface DeviceCreateInfo {
  /** Name shown in lists; 3 to 100 characters. */
  name: string;
  /** How data is stored; the platform asks for it. @default "mutable" on the sandbox */
  type?: DataStorageType;
  /** Connector, of the profile or the public catalogue; the platform asks for it. */
  connector?: GenericID;
  /** One of the connector's networks; the platform asks for it. */
  network?: GenericID;
  /** Free-form text; null for none. */
  description?: string | null;
  /** The token of an inactive device is rejected. @default true */
  active?: boolean;
  /** Whether it is shown. @default true */
  visible?: boolean;
  /** Tags to find it by, at most 30. */
  tags?: Tag[];
  /** Source of the parser, base64; null for none. */
  payload_decoder?: string | null;
  /** @deprecated older name of the parser's source */
  parse_function?: string;
  /** Whether the connector's parser reads the data. */
  connector_parse?: boolean;
  /** Stored on the device's first token. */
  serie_number?: string;
  /** First parameters, at most 60; `sent` is false unless given. */
  configuration_params?: (Pick<ConfigurationParams, "key" | "value"> & Partial<ConfigurationParams>)[];
  /** Needed by immutable and hybrid devices; cannot change. */
  chunk_period?: ChunkPeriod;
  /** Periods kept besides the current one: 0 to 36 (day 31, week 26). Needed as `chunk_period`. */
  chunk_retention?: number;
  /** Of hybrid devices: variables it matches anywhere go to the mutable side. */
  mutable_variable_regex?: string;
}

/** Changes to a device; properties left out stay as they are. */
export type DeviceEditInfo = Partial<Omit<DeviceCreateInfo, "type" | "chunk_period">>;

/** What comes back for a new device. */
export interface DeviceCreateResponse {
  /** Id of the new device. */
  device_id: GenericID;
  /** @deprecated equal to `device_id` */
  bucket_id: GenericID;
  /** A token with full permission that never expires. */
  token: GenericToken;
}

/** Asks for part of the device list. */
export interface DeviceQuery
  extends Omit<
    ListQuery<DeviceRow, "name" | "visible" | "active" | "last_input" | "created_at" | "updated_at">,
    "filter"
  > {
  /** Conditions, all of which must hold. `*` in a string matches anything; `bucket` is the id of the device. */
  filter?: ListFilter<Omit<DeviceRow, "bucket"> & { bucket: GenericID | DeviceInfo["bucket"] }>;
  /** Adds `bucket_name`. @default false */
  resolveBucketName?: boolean;
  /** Adds `connector_name`. @default false */
  resolveConnectorName?: boolean;
  /** Only the devices with this serial number. */
  serial?: string;
}

/** A token of a device. */
export interface DeviceTokenInfo {
  /** The token itself, a UUID without prefix. */
  token: GenericToken;
  /** Device it opens. */
  device_id: GenericID;
  /** Network of that device. */
  network_id: GenericID;
  /** Name shown in lists; `Default` is the first token of a device. */
  name: string;
  /** What the token may do. */
  permission: PermissionOption;
  /** Serial number of the hardware, such as a LoRaWAN device EUI; null without one. */
  serie_number?: string | null;
  /** The string of the authorization last used; a date only when it reads as one. */
  last_authorization?: Date | string | null;
  /** When it stops working; null or `never` when it does not. */
  expire_time: ExpireTime | null;
  /** When it was created. */
  created_at: Date;
}

/** Asks for part of the tokens of a device. */
export type ListDeviceTokenQuery = ListQuery<
  DeviceTokenInfo,
  "name" | "permission" | "serie_number" | "last_authorization" | "created_at"
>;

/** A token to make. */
export interface TokenData {
  /** Name shown in lists. */
  name: string;
  /** What the token may do. @default "full" */
  permission?: PermissionOption;
  /** `never`, an ISO date, or a duration such as `3 hours`. */
  expire_time?: Date | string;
  /** Serial number of the hardware; tokens of devices only. */
  serie_number?: string;
  /** Additional parameter; service authorizations only. */
  verification_code?: string;
  /** Free-form text about what uses the token. */
  middleware?: string;
}

/** A new token. */
export interface TokenCreateResponse {
  /** The token itself. */
  token: GenericToken;
  /** When it stops working. */
  expire_date: ExpireTime;
  /** The same date as a string. */
  expire_time?: string;
  /** What it may do. */
  permission: PermissionOption;
  /** This and what follows: only for tokens of a profile. */
  name?: string;
  /** Profile it opens. */
  profile?: GenericID;
  /** Account that created the token. */
  created_by?: GenericID;
}

/** A stretch of time in which an immutable device keeps data. */
export interface DeviceChunkData {
  /** `{start}_{end}` in Unix seconds. */
  id: string;
  /** Start, ISO 8601 string with offset `+00:00`. */
  from: string;
  /** Its last second, written the same way. */
  to: string;
  /** Records in it; null when not counted. */
  amount: number | null;
}

/** A copy of a chunk into a file. */
export interface DeviceChunkParams {
  /** Device the chunk belongs to. */
  deviceID: GenericID;
  /** `id` of the chunk, `{start}_{end}`. */
  chunkID: string;
  /** Whether the file starts with a header row. */
  headers?: boolean;
  /** Template of the file's path, for example `/backups/$DEVICE$/$CHUNK$`. */
  file_address: string;
}

/** A backup of a device's data into a file. */
export interface DeviceDataBackupParams {
  /** Device whose data is copied. */
  deviceID: GenericID;
  /** Whether the file starts with a header row. @default false */
  headers?: boolean;
  /** Template of the file's path, with `$DEVICE$`, `$FROM$`, `$TO$`, `$TIMESTAMP$`. */
  file_address: string;
}

/** A backup that was ordered. */
export interface DeviceDataBackupResponse {
  /** Path the CSV file will have; it appears when the copy is done. */
  file_address: string;
  /** Chunk copied; left out for all data. */
  chunk_id?: string;
  /** The copy waits its turn. */
  status: "scheduled";
}

/** A copy of a chunk that was ordered. */
export interface DeviceChunkCopyResponse extends DeviceDataBackupResponse {
  /** Chunk copied. */
  chunk_id: string;
}

/** A file of records to import. */
export interface DeviceDataRestore {
  /** Device that gets the records. */
  deviceID: GenericID;
  /** Path of the file. */
  file_address: string;
  /** Not sent, as in the official SDK. */
  notification?: boolean;
}

/** Options of the device-list stream: at most 1000 devices per page, 500 ms from one request to the next. */
export interface DeviceStreamOptions extends OptionsStreaming {
  /**
   * `time` reads in the order of `created_at` and goes on from the last device instead of counting pages: devices created
   * or deleted meanwhile are neither returned twice nor left out. Rows then hold `created_at`. @default "count"
   */
  window?: StreamWindow;
  /** Aborts the stream with a CancelledError. */
  signal?: AbortSignal;
}
