import { eachRow } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { Given } from "../api/list-query.ts";
import { type GenericModuleParams, Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { batchQty, batchWait, sendBatches } from "../api/streaming.ts";
import { DATA_STREAM_WAIT_MS, MAX_DATA_STREAM_QTY } from "../core/limits.ts";
import { dataParameters, dataStream, deleteParameters } from "../resources/data-calls.ts";
import type {
  ConfigurationParams,
  DataAggregate,
  DataAggregateQuery,
  DataCreate,
  DataEdit,
  DataNumber,
  DataNumberQuery,
  DataQuery,
  DataStreamOptions,
  DeviceData,
  GenericID,
  GenericToken,
  SendStreamOptions,
} from "../resources/data-types.ts";
import type { DeviceInfo } from "../resources/devices.ts";

const dates = ["time", "created_at"] as const;

/**
 * Routes that a device token may call.
 *
 * @internal
 */
export const currentDeviceRoutes = {
  info: get("/info", { dates: ["created_at", "updated_at", "last_input", "last_output"] }),
  sendData: post("/data"),
  getData: get("/data", { result: "data", dates }),
  editData: put("/data"),
  deleteData: del("/data"),
  getParameters: get("/device/params", { result: "list" }),
  setParameterAsRead: put("/device/params/:parameterID"),
};

/** A stream reads records only; a number would never end it. */
const recordsRoute = { ...currentDeviceRoutes.getData, result: "list" } as const;

/** Parameters of a device: its token, and how to reach the platform. */
export interface DeviceConstructorParams extends GenericModuleParams {
  /** Token of the device. */
  token: GenericToken;
}

/** The device a token belongs to. */
export interface CurrentDeviceInfo extends Omit<DeviceInfo, "last_output"> {
  /** When its data was last read; null before the first read. */
  last_output?: Date | null;
  /** @deprecated no longer returned: equal to `name` */
  bucket_name?: string;
  /** @deprecated no longer returned; see `payload_decoder` */
  parse_function?: string;
  /** @deprecated no longer returned */
  connector_parse?: boolean;
}

/** Which parameters to read. */
export type ParameterStatus = "all" | "onlyRead" | "onlyUnRead";

const list = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

/**
 * A device, accessed with its own token. Writes are at-least-once: see the option `retry`.
 */
export class Device extends Module {
  constructor(params: DeviceConstructorParams) {
    super(params);
  }

  /**
   * Retrieves the device of the token.
   *
   * @example
   * ```ts
   * const { id, name, last_input } = await device.info();
   * ```
   */
  info(options?: CallOptions): Promise<CurrentDeviceInfo> {
    return this.call(currentDeviceRoutes.info, { ...options });
  }

  /**
   * Sends records.
   *
   * If the response is lost, the request is sent again and the records may be stored twice;
   * `retry: { ambiguousWrites: false }` fails the call instead.
   *
   * @param data one record or a list; one request takes at most about 8,000 records (200 kB)
   * @returns `{n} Data Added`
   * @example
   * ```ts
   * await device.sendData([
   *   { variable: "temperature", value: -18.2, unit: "°C", time: new Date() },
   *   { variable: "position", value: "truck 7", location: { lat: 38.7, lng: -9.1 } },
   * ]);
   * ```
   */
  sendData(data: DataCreate | readonly DataCreate[], options?: CallOptions): Promise<string> {
    return this.call(currentDeviceRoutes.sendData, { ...options, body: list(data) });
  }

  /** With `count`, `avg` or `sum`: one entry with the number and the current time. */
  getData(queryParams: Given<DataNumberQuery>, options?: CallOptions): Promise<DataNumber[]>;
  /** With `aggregate`: one row per variable and interval that has records, newest first. */
  getData(queryParams: Given<DataAggregateQuery>, options?: CallOptions): Promise<DataAggregate[]>;
  /**
   * Reads records, newest first. `count`, `avg` and `sum` return one entry with the number and the current time.
   *
   * @param queryParams which records to read; 15 unless `qty` is set
   * @example
   * ```ts
   * const [newest] = await device.getData({ variables: "temperature", query: "last_item" });
   * console.log(newest?.value, newest?.time.toISOString());
   * ```
   */
  getData(queryParams?: Given<DataQuery>, options?: CallOptions): Promise<DeviceData[]>;
  async getData(
    queryParams?: Given<DataQuery>,
    options?: CallOptions,
  ): Promise<DeviceData[] | DataAggregate[] | DataNumber[]> {
    const query = dataParameters(queryParams);
    const result: DeviceData[] | number = await this.call(currentDeviceRoutes.getData, { ...options, query });
    return typeof result === "number" ? [{ time: new Date(), value: result }] : result;
  }

  /**
   * Changes records of a mutable device.
   *
   * @example
   * ```ts
   * const [newest] = await device.getData({ query: "last_item" });
   * if (newest !== undefined) await device.editData({ id: newest.id, unit: "K" });
   * ```
   */
  editData(data: DataEdit | readonly DataEdit[], options?: CallOptions): Promise<string> {
    return this.call(currentDeviceRoutes.editData, { ...options, body: list(data) });
  }

  /**
   * Deletes records; without a query, the last one.
   *
   * @returns `{n} Data Removed`
   * @example
   * ```ts
   * await device.deleteData({ variables: "test", start_date: "1 day", qty: 1000 });
   * ```
   */
  async deleteData(queryParams?: Given<DataQuery>, options?: CallOptions): Promise<string> {
    const query = deleteParameters(queryParams ?? { query: "last_item" });
    return this.call(currentDeviceRoutes.deleteData, { ...options, query });
  }

  /**
   * Reads the device's parameters.
   *
   * @param status `onlyUnRead` (or `true`, as in older programs) skips parameters that are marked as read. @default "all"
   * @example
   * ```ts
   * const parameters = await device.getParameters("onlyUnRead");
   * const interval = parameters.find(({ key }) => key === "interval")?.value;
   * ```
   */
  getParameters(status?: ParameterStatus | boolean, options?: CallOptions): Promise<Required<ConfigurationParams>[]> {
    const onlyUnread = status === "onlyUnRead" || status === true;
    const query = status === "onlyRead" ? { sent_status: true } : onlyUnread ? { sent_status: false } : undefined;
    return this.call(currentDeviceRoutes.getParameters, { ...options, query });
  }

  /**
   * Marks a parameter as read by the device.
   *
   * @example
   * ```ts
   * for (const { id } of await device.getParameters("onlyUnRead")) await device.setParameterAsRead(id);
   * ```
   */
  setParameterAsRead(parameterID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(currentDeviceRoutes.setParameterAsRead, {
      ...options,
      params: { parameterID },
      body: { sent: true },
    });
  }

  /**
   * Reads all matching records page by page, oldest first, each record once. The stream sets order and page itself:
   * `ordination`, `qty`, `skip` and `query` are ignored. Leaving the loop stops the stream immediately.
   *
   * @throws InputError `The maximum of poolingRecordQty is 10000`
   * @example
   * ```ts
   * for await (const page of device.getDataStreaming({ variables: "energy" }, { poolingRecordQty: 5000 })) {
   *   console.log(page.length, "records up to", page.at(-1)?.time.toISOString());
   * }
   * ```
   */
  getDataStreaming(
    params?: Given<DataQuery>,
    options?: DataStreamOptions,
  ): AsyncGenerator<DeviceData[], void, undefined> {
    return dataStream<DeviceData>(params, options, this.client.clock, (query, signal) =>
      this.call(recordsRoute, { query, signal }),
    );
  }

  /**
   * Iterates over all matching records, the oldest first.
   * Reads pages of 10000 as they are needed; `getDataStreaming` yields the pages.
   *
   * @example
   * ```ts
   * for await (const { time, value } of device.allData({ variables: "energy" })) console.log(time, value);
   * ```
   */
  allData(params?: Given<DataQuery>, options?: DataStreamOptions): AsyncGenerator<DeviceData, void, undefined> {
    const largest = { poolingRecordQty: MAX_DATA_STREAM_QTY, ...options };
    return eachRow(largest, (stream) => this.getDataStreaming(params, stream));
  }

  /**
   * Sends a list of records in batches. When a batch fails or the call is cancelled, `error.accepted` is the number of
   * records stored so far: continue with `data.slice(error.accepted)`.
   *
   * @returns `{n} Data added.`
   * @throws InputError `Only data array is allowed`
   * @example
   * ```ts
   * const readings = Array.from({ length: 5000 }, (_, n) => ({ variable: "level", value: n }));
   * const message = await device.sendDataStreaming(readings, { poolingRecordQty: 1000, poolingTime: 500 });
   * ```
   */
  async sendDataStreaming(data: readonly DataCreate[], options?: SendStreamOptions): Promise<string> {
    const signal = options?.signal;
    const qty = batchQty(options?.poolingRecordQty, Number.POSITIVE_INFINITY);
    const waitMs = batchWait(options?.poolingTime, DATA_STREAM_WAIT_MS);
    return sendBatches(data, { qty, waitMs, clock: this.client.clock, signal }, (batch) =>
      this.call(currentDeviceRoutes.sendData, { body: batch, signal }),
    );
  }
}
