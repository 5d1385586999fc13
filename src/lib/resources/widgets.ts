import { idsToDelete } from "../core/ids.ts";
import { Module } from "../core/module.ts";
import { del, get, post, put } from "../core/route.ts";
import type { CallOptions } from "../http/client.ts";
import type { DataCreate, DataValue, DeviceData, GenericID, GenericToken, Tag } from "./data-types.ts";

/**
 * Routes of `Resources.dashboards.widgets`.
 *
 * @internal
 */
export const widgetRoutes = {
  create: post("/dashboard/:dashboardID/widget/", { gives: "object" }),
  edit: put("/dashboard/:dashboardID/widget/:widgetID"),
  delete: del("/dashboard/:dashboardID/widget/:widgetID"),
  info: get("/dashboard/:dashboardID/widget/:widgetID"),
  getData: get("/data/:dashboardID/:widgetID", { gives: ["object", "list"], list: {} }),
  sendData: post("/data/:dashboardID/:widgetID", { gives: ["list", "done"] }),
  editData: put("/data/:dashboardID/:widgetID/data"),
  deleteData: del("/data/:dashboardID/:widgetID"),
  editResource: put("/data/:dashboardID/:widgetID/resource"),
  tokenGenerate: get("/dashboard/:dashboardID/widget/:widgetID/token"),
};

/** One source of a widget's data. */
export interface WidgetData {
  /** Device, blueprint device or entity. */
  origin: GenericID;
  variables?: string[] | string;
  /** A data query kind, or `avg_by_variable`. */
  query?: string;
  qty?: number;
  start_date?: string | null;
  end_date?: string | null;
  timezone?: string;
  /** Whether the viewer may choose other dates. */
  overwrite?: boolean;
  /** @deprecated */
  bucket?: GenericID;
  interval?: string;
  function?: string;
  value?: number;
  is_hide?: boolean;
}

/** One column of a widget that shows devices. */
export interface WidgetResource {
  type: "device" | "run_user" | "entity";
  filter?: Tag[];
  /** `name`, `tags.{key}`, `param.{key}` ... */
  view: string;
  editable?: string;
}

/** A widget. `display` depends on `type`. */
export interface WidgetInfo {
  id: GenericID;
  dashboard: GenericID;
  label: string;
  type: string;
  display: Record<string, unknown>;
  data?: WidgetData[] | null;
  resource?: WidgetResource[] | null;
  analysis_run?: GenericID | null;
  realtime?: boolean | null;
  cache?: { expiration: string } | null;
  /** Results a template shows before there is data. */
  mock_data?: WidgetContent[] | null;
  /** For widgets in pages of others. */
  token?: GenericToken | null;
  /** ISO 8601; only in widgets of templates. */
  created_at?: string;
  /** ISO 8601; only in widgets of templates. */
  updated_at?: string;
}

/** What a widget is made of. */
export type WidgetCreateInfo = Omit<WidgetInfo, "id" | "dashboard" | "token" | "created_at" | "updated_at"> & {
  dashboard?: GenericID;
};

/** Changes to a widget: each member sent replaces the whole member; leaving out `analysis_run` detaches it. */
export type WidgetEditInfo = Partial<WidgetCreateInfo>;

/** What a widget's data entry gave. */
export interface WidgetContent {
  data?: WidgetData;
  resource?: WidgetResource;
  result: unknown;
  cacheTime?: string | null;
}

/** A widget with its data. */
export interface WidgetDataResult {
  widget: WidgetInfo;
  content: WidgetContent[];
}

/** Reads a widget's data. */
export interface WidgetDataQuery {
  page?: number;
  amount?: number;
  filter?: Record<string, unknown>;
  [key: string]: unknown;
}

/** Records written through a widget name the device they belong to. */
export type WidgetDataCreate = DataCreate & { origin: GenericID };
/** A change to a record through a widget. */
export type WidgetDataEdit = { id: GenericID; origin: GenericID } & Partial<Omit<DeviceData, "id" | "origin">>;

/** A change to a device's name, tags or parameters through a widget. */
export interface WidgetResourceEdit {
  device: GenericID;
  name?: string;
  active?: boolean;
  [tagOrParam: `tags.${string}` | `param.${string}`]: DataValue;
}

/** The widgets of dashboards (specification, section 7). */
export class Widgets extends Module {
  /**
   * Creates a widget. Its place on the dashboard is set with the dashboard's `arrangement`.
   *
   * @returns the id of the widget as `widget`
   * @example
   * ```ts
   * const { widget } = await resources.dashboards.widgets.create(dashboardID, {
   *   label: "Temperature",
   *   type: "display",
   *   display: { variables: [] },
   *   data: [{ origin: deviceID, variables: ["temperature"], query: "last_value" }],
   * });
   * ```
   */
  create(dashboardID: GenericID, widgetObj: WidgetCreateInfo, options?: CallOptions): Promise<{ widget: GenericID }> {
    return this.call(widgetRoutes.create, { ...options, params: { dashboardID }, body: widgetObj });
  }

  /**
   * Changes a widget.
   *
   * @example
   * ```ts
   * await resources.dashboards.widgets.edit(dashboardID, widgetID, { label: "Temperature now" });
   * ```
   */
  edit(dashboardID: GenericID, widgetID: GenericID, data: WidgetEditInfo, options?: CallOptions): Promise<string> {
    return this.call(widgetRoutes.edit, { ...options, params: { dashboardID, widgetID }, body: data });
  }

  /**
   * Deletes a widget.
   *
   * @example
   * ```ts
   * await resources.dashboards.widgets.delete(dashboardID, widgetID);
   * ```
   */
  delete(dashboardID: GenericID, widgetID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(widgetRoutes.delete, { ...options, params: { dashboardID, widgetID } });
  }

  /**
   * Retrieves a widget.
   *
   * @example
   * ```ts
   * const { type, display, data } = await resources.dashboards.widgets.info(dashboardID, widgetID);
   * ```
   */
  info(dashboardID: GenericID, widgetID: GenericID, options?: CallOptions): Promise<WidgetInfo> {
    return this.call(widgetRoutes.info, { ...options, params: { dashboardID, widgetID } });
  }

  /**
   * Reads the data a widget shows.
   *
   * @example
   * ```ts
   * const { content } = await resources.dashboards.widgets.getData(dashboardID, widgetID, { amount: 50 });
   * for (const { data, result } of content) console.log(data?.variables, result);
   * ```
   */
  async getData(
    dashboardID: GenericID,
    widgetID: GenericID,
    params?: WidgetDataQuery,
    options?: CallOptions,
  ): Promise<WidgetDataResult> {
    const query = params && { ...params, page: params.page || 1, amount: params.amount || 20, fields: undefined };
    return this.call(widgetRoutes.getData, { ...options, params: { dashboardID, widgetID }, query });
  }

  /**
   * Sends records through a widget.
   *
   * @param bypassBucket stores nothing and only runs the widget's analysis. @default false
   * @example
   * ```ts
   * await resources.dashboards.widgets.sendData(dashboardID, widgetID, { origin: deviceID, variable: "level", value: 3 });
   * ```
   */
  sendData(
    dashboardID: GenericID,
    widgetID: GenericID,
    data: WidgetDataCreate | readonly WidgetDataCreate[],
    bypassBucket = false,
    options?: CallOptions,
  ): Promise<string[]> {
    const query = { bypass_bucket: bypassBucket };
    return this.call(widgetRoutes.sendData, { ...options, params: { dashboardID, widgetID }, query, body: data });
  }

  /**
   * Changes records through a widget.
   *
   * @example
   * ```ts
   * await resources.dashboards.widgets.editData(dashboardID, widgetID, { id: recordID, origin: deviceID, value: 4 });
   * ```
   */
  editData(
    dashboardID: GenericID,
    widgetID: GenericID,
    data: WidgetDataEdit | readonly WidgetDataEdit[],
    bypassBucket = false,
    options?: CallOptions,
  ): Promise<string> {
    const query = { bypass_bucket: bypassBucket };
    return this.call(widgetRoutes.editData, { ...options, params: { dashboardID, widgetID }, query, body: data });
  }

  /**
   * Deletes records through a widget.
   *
   * @param idPairs `{record id}:{device id}` each; older programs give the two ids as two arguments
   * @throws InputError for an empty list: without ids the request would name no record at all
   * @example
   * ```ts
   * await resources.dashboards.widgets.deleteData(dashboardID, widgetID, [`${recordID}:${deviceID}`]);
   * ```
   */
  async deleteData(
    dashboardID: GenericID,
    widgetID: GenericID,
    idPairs: string | readonly string[],
    deviceID?: GenericID | CallOptions,
    options?: CallOptions,
  ): Promise<string> {
    const isPair = typeof deviceID === "string" && typeof idPairs === "string";
    const list = idsToDelete(isPair ? [idPairs, deviceID] : idPairs, "idPairs");
    const ids = isPair ? list.join(":") : list;
    const rest = typeof deviceID === "object" ? deviceID : options;
    return this.call(widgetRoutes.deleteData, { ...rest, params: { dashboardID, widgetID }, query: { ids } });
  }

  /**
   * Changes names, tags or parameters of the devices a widget shows.
   *
   * @example
   * ```ts
   * await resources.dashboards.widgets.editResource(dashboardID, widgetID, {
   *   device: deviceID,
   *   name: "Freezer 1",
   *   "tags.site": "plant",
   *   "param.interval": "15",
   * });
   * ```
   */
  editResource(
    dashboardID: GenericID,
    widgetID: GenericID,
    resourceData: WidgetResourceEdit | readonly WidgetResourceEdit[],
    options?: CallOptions & { identifier?: string },
  ): Promise<string> {
    const { identifier, ...rest } = options ?? {};
    const query = { widget_exec: identifier };
    return this.call(widgetRoutes.editResource, {
      ...rest,
      params: { dashboardID, widgetID },
      query,
      body: resourceData,
    });
  }

  /**
   * Makes a new token for embedding the widget.
   *
   * @example
   * ```ts
   * const { widget_token } = await resources.dashboards.widgets.tokenGenerate(dashboardID, widgetID);
   * ```
   */
  tokenGenerate(
    dashboardID: GenericID,
    widgetID: GenericID,
    options?: CallOptions,
  ): Promise<{ widget_token: GenericToken }> {
    return this.call(widgetRoutes.tokenGenerate, { ...options, params: { dashboardID, widgetID } });
  }
}
