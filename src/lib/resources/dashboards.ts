import type { CallOptions } from "../api/client.ts";
import type { Picked } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type {
  DashboardAnalysisRun,
  DashboardCreateInfo,
  DashboardCreateResponse,
  DashboardDuplicateInfo,
  DashboardDuplicateResponse,
  DashboardEditInfo,
  DashboardInfo,
  DashboardQuery,
  PublicKeyResponse,
  RelatedAnalysis,
  RelatedDevice,
} from "./dashboard-types.ts";
import type { GenericID } from "./data-types.ts";
import { Widgets } from "./widgets.ts";

const dates = ["created_at", "updated_at", "last_access"] as const satisfies readonly (keyof DashboardInfo)[];

/**
 * Routes of `Resources.dashboards`.
 *
 * @internal
 */
export const dashboardRoutes = {
  list: get("/dashboard", { dates, list: { fields: ["id", "name"], orderBy: ["label", "asc"] } }),
  create: post("/dashboard", { gives: "object" }),
  edit: put("/dashboard/:dashboardID"),
  delete: del("/dashboard/:dashboardID"),
  info: get("/dashboard/:dashboardID", { dates }),
  duplicate: post("/dashboard/:dashboardID/duplicate", { gives: "object" }),
  getPublicKey: get("/dashboard/:dashboardID/share/public", { dates: ["expire_time"] }),
  listDevicesRelated: get("/dashboard/:dashboardID/devices", { gives: "rows" }),
  listAnalysisRelated: get("/dashboard/:dashboardID/analysis", { gives: "rows" }),
  runWidgetHeaderButtonAnalysis: post("/analysis/:analysisID/run/:dashboardID/:widgetID"),
};

/** The dashboards of the profile (specification, section 7). */
export class Dashboards extends Module {
  #widgets: Widgets | undefined;

  /**
   * The widgets on the dashboards.
   *
   * @example
   * ```ts
   * const { label, type } = await resources.dashboards.widgets.info(dashboardID, widgetID);
   * ```
   */
  get widgets(): Widgets {
    this.#widgets ??= new Widgets(this.client);
    return this.#widgets;
  }

  /**
   * Lists dashboards.
   *
   * @param queryObj page (1), fields (id, name), filter, amount (20), order (`label,asc`)
   * @example
   * ```ts
   * const dashboards = await resources.dashboards.list({ fields: ["label", "type"], filter: { label: "Plant*" } });
   * ```
   */
  list<const Q extends DashboardQuery>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<DashboardInfo, Q, "id" | "name">[]> {
    return this.page(dashboardRoutes.list, queryObj, { ...options });
  }

  /**
   * Creates a dashboard.
   *
   * @returns the id of the dashboard as `dashboard`
   * @example
   * ```ts
   * const { dashboard } = await resources.dashboards.create({
   *   label: "Cold store",
   *   tags: [{ key: "site", value: "plant" }],
   * });
   * ```
   */
  create(dashboardObj: DashboardCreateInfo, options?: CallOptions): Promise<DashboardCreateResponse> {
    return this.call(dashboardRoutes.create, { ...options, body: dashboardObj });
  }

  /**
   * Changes a dashboard.
   *
   * @example
   * ```ts
   * const { arrangement = [] } = await resources.dashboards.info(dashboardID);
   * const place = { widget_id: widgetID, x: 0, y: 0, width: 2, height: 2 };
   * await resources.dashboards.edit(dashboardID, { arrangement: [...arrangement, place] });
   * ```
   */
  edit(dashboardID: GenericID, dashboardObj: DashboardEditInfo, options?: CallOptions): Promise<string> {
    return this.call(dashboardRoutes.edit, { ...options, params: { dashboardID }, body: dashboardObj });
  }

  /**
   * Deletes a dashboard with its widgets.
   *
   * @example
   * ```ts
   * await resources.dashboards.delete(dashboardID);
   * ```
   */
  delete(dashboardID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(dashboardRoutes.delete, { ...options, params: { dashboardID } });
  }

  /**
   * Retrieves a dashboard.
   *
   * @example
   * ```ts
   * const { label, arrangement, tabs } = await resources.dashboards.info(dashboardID);
   * ```
   */
  info(dashboardID: GenericID, options?: CallOptions): Promise<DashboardInfo> {
    return this.call(dashboardRoutes.info, { ...options, params: { dashboardID } });
  }

  /**
   * Copies a dashboard within the profile.
   *
   * @example
   * ```ts
   * const { dashboard_id } = await resources.dashboards.duplicate(dashboardID, { new_label: "Cold store, copy" });
   * ```
   */
  duplicate(
    dashboardID: GenericID,
    dashboardObj?: DashboardDuplicateInfo,
    options?: CallOptions,
  ): Promise<DashboardDuplicateResponse> {
    return this.call(dashboardRoutes.duplicate, { ...options, params: { dashboardID }, body: dashboardObj ?? {} });
  }

  /**
   * Makes a key that opens the dashboard without a login.
   *
   * @param expireTime a duration or `never`. @default "never"
   * @example
   * ```ts
   * const { token, expire_time } = await resources.dashboards.getPublicKey(dashboardID, "1 day");
   * ```
   */
  getPublicKey(dashboardID: GenericID, expireTime = "never", options?: CallOptions): Promise<PublicKeyResponse> {
    return this.call(dashboardRoutes.getPublicKey, {
      ...options,
      params: { dashboardID },
      query: { expire_time: expireTime },
    });
  }

  /**
   * Lists the devices the dashboard's widgets read.
   *
   * @example
   * ```ts
   * const devices = await resources.dashboards.listDevicesRelated(dashboardID);
   * ```
   */
  listDevicesRelated(dashboardID: GenericID, options?: CallOptions): Promise<RelatedDevice[]> {
    return this.call(dashboardRoutes.listDevicesRelated, { ...options, params: { dashboardID } });
  }

  /**
   * Lists the analyses the dashboard's widgets run.
   *
   * @example
   * ```ts
   * const analyses = await resources.dashboards.listAnalysisRelated(dashboardID);
   * ```
   */
  listAnalysisRelated(dashboardID: GenericID, options?: CallOptions): Promise<RelatedAnalysis[]> {
    return this.call(dashboardRoutes.listAnalysisRelated, { ...options, params: { dashboardID } });
  }

  /**
   * Runs the analysis of a button in a widget's header.
   *
   * @example
   * ```ts
   * await resources.dashboards.runWidgetHeaderButtonAnalysis(analysisID, dashboardID, widgetID, { device: deviceID });
   * ```
   */
  runWidgetHeaderButtonAnalysis(
    analysisID: GenericID,
    dashboardID: GenericID,
    widgetID: GenericID,
    scope?: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<DashboardAnalysisRun> {
    return this.call(dashboardRoutes.runWidgetHeaderButtonAnalysis, {
      ...options,
      params: { analysisID, dashboardID, widgetID },
      body: { scope },
    });
  }
}
