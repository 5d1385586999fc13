import { idsToDelete } from "../api/assert.ts";
import type { CallOptions } from "../api/client.ts";
import { type Given, pageParameters, type Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { DataCreate, DataValue, DeviceData, GenericID, GenericToken, Tag } from "./data-types.ts";

/**
 * Routes of `Resources.dashboards.widgets`.
 *
 * @internal
 */
export const widgetRoutes = {
  create: post("/dashboard/:dashboardID/widget/", { result: "object" }),
  edit: put("/dashboard/:dashboardID/widget/:widgetID"),
  delete: del("/dashboard/:dashboardID/widget/:widgetID"),
  info: get("/dashboard/:dashboardID/widget/:widgetID"),
  getData: get("/data/:dashboardID/:widgetID", { result: "any", list: {} }),
  sendData: post("/data/:dashboardID/:widgetID"),
  editData: put("/data/:dashboardID/:widgetID/data"),
  deleteData: del("/data/:dashboardID/:widgetID"),
  editResource: put("/data/:dashboardID/:widgetID/resource"),
  tokenGenerate: get("/dashboard/:dashboardID/widget/:widgetID/token"),
};

/** The widgets of dashboards. */
export class Widgets extends Module {
  /**
   * Creates a widget. Its position on the dashboard is set with the dashboard's `arrangement`.
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
  info(dashboardID: GenericID, widgetID: GenericID, options?: CallOptions): Promise<StoredWidget> {
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
    params?: Given<WidgetDataQuery>,
    options?: CallOptions,
  ): Promise<WidgetDataResult> {
    const query = pageParameters(params);
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
   * @param idPairs `{record id}:{device id}` each; older programs pass the two ids as two arguments
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
   * @param options `identifier`: passed to the widget's analysis as `_widget_exec`
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
   * Creates a new token for embedding the widget.
   *
   * @returns the token as `widget_token`; the older one stops working
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

/** One source of a widget's data. */
export interface WidgetData {
  /** Device, blueprint device or entity. */
  origin: GenericID;
  /** Variables to load; all of the device when left out. */
  variables?: string[] | string;
  /** A data query kind, or `avg_by_variable`. */
  query?: string;
  /** Records per variable. @default 15 */
  qty?: number;
  /** A date, or a duration back from now such as `1 day`. */
  start_date?: Date | string | null;
  /** A date, or a duration on from now. */
  end_date?: Date | string | null;
  /** For dates without an offset, such as `America/New_York`. */
  timezone?: string;
  /** Whether the viewer may choose other dates. */
  overwrite?: boolean;
  /** @deprecated use `origin` */
  bucket?: GenericID;
  /** Of `aggregate`: minute, hour, day, month, quarter or year. */
  interval?: string;
  /** Of `aggregate` (avg, sum, min, max) and `conditional` (gt, gte, lt, lte, eq, ne). */
  function?: string;
  /** Number that `conditional` compares with. */
  value?: number;
  /** Loaded, but not drawn. */
  is_hide?: boolean;
}

/** One column of a widget that shows devices. */
export interface WidgetResource {
  /** What the rows are. */
  type: "device" | "run_user" | "entity";
  /** Tags a row must carry, all of them. */
  filter?: Tag[];
  /** `name`, `tags.{key}`, `param.{key}` ... */
  view: string;
  /** What a viewer may change: `name`, `tags.{key}` or `param.{key}`. */
  editable?: string;
}

/** A widget. `display` depends on `type`. */
export interface WidgetInfo {
  /** Set by the platform. */
  id?: GenericID;
  /** Dashboard it stands on. */
  dashboard?: GenericID;
  /** Title shown above it. */
  label: string;
  /** `line_chart`, `dynamic_table`, `form` ..., or an old type such as `gauge`. */
  type: string;
  /** Settings of the looks; properties depend on `type`. */
  display: Record<string, unknown>;
  /** What to load, entry by entry. */
  data?: WidgetData[] | null;
  /** Columns of device lists, user lists and entity tables. */
  resource?: WidgetResource[] | null;
  /** Analysis run by its form, table and header buttons. */
  analysis_run?: GenericID | null;
  /** False shows new data at the next load only; null and true at once. */
  realtime?: boolean | null;
  /** How long results are kept, `expiration` such as `1 minute`. */
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

/** A widget as the platform returns it. */
export type StoredWidget = Stored<WidgetInfo, "id" | "dashboard">;

/** Fields for creating a widget. */
export type WidgetCreateInfo = Pick<WidgetInfo, "label" | "type" | "display"> & Partial<WidgetInfo>;

/** Changes to a widget: each property sent replaces the whole property; leaving out `analysis_run` detaches it. */
export type WidgetEditInfo = Partial<WidgetCreateInfo>;

/** What a widget's data entry gave. */
export interface WidgetContent {
  /** The entry of `WidgetInfo.data` it belongs to. */
  data?: WidgetData;
  /** The entry of `WidgetInfo.resource` it belongs to. */
  resource?: WidgetResource;
  /** Records or rows of devices, in general; `[]` of an entry without origin. */
  result: unknown;
  /** When the result was kept, ISO 8601; null when fresh. */
  cacheTime?: string | null;
}

/** A widget with its data. */
export interface WidgetDataResult {
  /** The widget itself. */
  widget: StoredWidget;
  /** One item per entry of `data` (or `resource`), in its order. */
  content: WidgetContent[];
}

/** Reads a widget's data. */
export interface WidgetDataQuery {
  /** Page of a table, from 1. @default 1 */
  page?: number;
  /** Rows per page of a table. Sent only when it is given; 0 is sent as 20. */
  amount?: number;
  /** Conditions, sent as given. */
  filter?: Record<string, unknown>;
  /** Other `start_date`, `end_date` or `timezone` for the entries that allow it. */
  overwrite?: { start_date?: Date | string; end_date?: Date | string; timezone?: string };
  /** Devices instead of blueprint devices: `origin` the blueprint's id, `id` the device's, `bucket` as `id`. */
  blueprint_devices?: { origin: GenericID; id: GenericID; bucket?: GenericID }[];
}

/** Records written through a widget name the device they belong to, as `origin`; `device` is not needed. */
export type WidgetDataCreate = DataCreate & { origin: GenericID; device?: GenericID };

/** A change to a record through a widget: its `id`, its device as `origin`, and what changes. */
export type WidgetDataEdit = { id: GenericID; origin: GenericID } & Partial<Omit<DeviceData, "id" | "origin">>;

/** A change to a device's name, tags or parameters through a widget. */
export interface WidgetResourceEdit {
  /** Device to change. */
  device: GenericID;
  /** New name. */
  name?: string;
  /** Whether its token works. */
  active?: boolean;
  /** `tags.{key}` and `param.{key}`. */
  [tagOrParam: string]: DataValue | undefined;
}
