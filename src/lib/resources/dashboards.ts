import { allRows } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { ExpireTime, GenericID, GenericToken, Tag } from "./data-types.ts";
import { Widgets } from "./widgets.ts";

const dates = ["created_at", "updated_at", "last_access"] as const satisfies DateKeys<DashboardInfo>;

const listFields = ["id", "name"] as const;

/**
 * Routes of `Resources.dashboards`.
 *
 * @internal
 */
export const dashboardRoutes = {
  list: get("/dashboard", { dates, list: { fields: listFields, orderBy: ["label", "asc"] } }),
  create: post("/dashboard", { result: "object" }),
  edit: put("/dashboard/:dashboardID"),
  delete: del("/dashboard/:dashboardID"),
  info: get("/dashboard/:dashboardID", { dates }),
  duplicate: post("/dashboard/:dashboardID/duplicate", { result: "object" }),
  getPublicKey: get("/dashboard/:dashboardID/share/public", {
    dates: ["expire_time"] satisfies DateKeys<PublicKeyResponse>,
  }),
  listDevicesRelated: get("/dashboard/:dashboardID/devices", { result: "list" }),
  listAnalysisRelated: get("/dashboard/:dashboardID/analysis", { result: "list" }),
  runWidgetHeaderButtonAnalysis: post("/analysis/:analysisID/run/:dashboardID/:widgetID"),
};

/** The dashboards of the profile. */
export class Dashboards extends Module {
  /** The widgets of the dashboards. */
  widgets = new Widgets(this.client);

  /**
   * Lists dashboards.
   *
   * @param queryObj filter, order and page. Defaults: fields id and name; order `label,asc`
   * @example
   * ```ts
   * const dashboards = await resources.dashboards.list({ fields: ["label", "type"], filter: { label: "Plant*" } });
   * ```
   */
  list<const Q extends Given<DashboardQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<StoredDashboard, Q, keyof DashboardInfo>[]> {
    return this.page(dashboardRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all dashboards, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, label } of resources.dashboards.all({ fields: ["label"] })) console.log(id, label);
   * ```
   */
  all<const Q extends Given<DashboardQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<StoredDashboard, Q, keyof DashboardInfo>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
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
  info(dashboardID: GenericID, options?: CallOptions): Promise<StoredDashboard> {
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
  getPublicKey(
    dashboardID: GenericID,
    expireTime: Date | string = "never",
    options?: CallOptions,
  ): Promise<PublicKeyResponse> {
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
  async runWidgetHeaderButtonAnalysis(
    analysisID: GenericID,
    dashboardID: GenericID,
    widgetID: GenericID,
    scope?: object,
    options?: CallOptions,
  ): Promise<GenericToken> {
    const route = dashboardRoutes.runWidgetHeaderButtonAnalysis;
    const params = { analysisID, dashboardID, widgetID };
    const result: string | DashboardAnalysisRun = await this.call(route, { ...options, params, body: { scope } });
    // The platform may send the token alone or as a property.
    return typeof result === "string" ? result : result?.analysis_token;
  }
}

/** Where a widget stands, in units of the dashboard's grid. */
export interface Arrangement {
  /** Widget of this dashboard. */
  widget_id: GenericID;
  /** From the left; may be fractional. */
  x: number;
  /** From the top. */
  y: number;
  /** Units to the right. */
  width: number;
  /** Units down. */
  height: number;
  /** Key of its tab; null or absent without tabs. */
  tab?: string | null;
  /** Smallest width a user can set. */
  minWidth?: number;
  /** Smallest height a user can set. */
  minHeight?: number;
}

/** A tab of a dashboard. */
export interface DashboardTab {
  /** Once per dashboard, e.g. a time in milliseconds. */
  key: string;
  /** Title. */
  value: string;
  /** Address the tab opens; of `link` tabs. */
  link?: string;
  /** Whether it is left out of the bar. */
  hidden?: boolean | null;
  /** `dashboard`, `link` or `hidden`. */
  type?: string | null;
  /** Which user tags let somebody see it; stored as sent. */
  conditions?: Record<string, unknown>[] | null;
}

/** Ties a placeholder to another one: both devices carry the tag with the same value. */
export interface BlueprintCondition {
  /** Id of the other placeholder. */
  blueprint_device: GenericID;
  /** Tag both must carry. */
  tag_key: string;
  /** No other kind is known. */
  type: string;
}

/** A placeholder of a blueprint dashboard that a real device takes when it is looked at. */
export interface BlueprintDevice {
  /** Stands for the device in widgets. */
  id: GenericID;
  /** Name of the placeholder. */
  name: string;
  /** Shown at the selector instead of `name`. */
  label?: string;
  /** Type of what stands in for it. @default "device" */
  type?: "device" | "entity";
  /** Tags the device must carry, all of them. */
  conditions: Tag[];
  /** Ties to other placeholders. */
  filter_conditions?: BlueprintCondition[];
  /** Text of the selector while nothing is chosen. */
  placeholder?: string;
  /** Whether the selector goes when no device fits. */
  hide_when_empty?: boolean;
  /** Whether a tag holds the label of each device. */
  use_item_label_tag?: boolean;
  /** Key of that tag. */
  tag_to_replace?: string;
}

/** What a dashboard shows behind its widgets. */
export interface DashboardBackground {
  /** No other kind is known. */
  type?: "image";
  /** Address of the picture. */
  media?: string;
  /** CSS colour. */
  color?: string;
  /** Set where an older form was converted. */
  isMigrate?: boolean;
}

/** Colours of a dashboard. */
export interface DashboardTheme {
  /** By location: `tab_background`, `tab_active` ... */
  color?: Record<string, string>;
}

/** A span of time a viewer can choose. */
export interface DashboardPeriodPreset {
  /** `this_day`, `this_week` ... */
  type: string;
  /** How many of them. */
  amount?: number;
  /** Whether it is chosen at first. */
  default?: boolean;
}

/** Lets viewers choose what widgets show. */
export interface DashboardFilter {
  /** Choice of a span of time. */
  period?: {
    /** Whether there is the choice. */
    enabled?: boolean;
    /** Spans to choose from. */
    presets?: DashboardPeriodPreset[];
    /** Whether any two days can be chosen. */
    show_calendar?: boolean;
    /** Longest span, e.g. `3 day`. */
    max_range?: string;
  };
}

/** What an installed template asks for. */
export interface DashboardSetup {
  /** Whether the user has responded to it. */
  is_configured?: boolean;
  /** The questions; stored as sent. */
  config?: unknown[];
}

/** Whom a dashboard was shared with. Sharing of this kind is gone. */
export interface DashboardShare {
  /** Id of the account. */
  id: GenericID;
  /** Address of the account. */
  email: string;
  /** Name of the account. */
  name: string;
  /** Whether the account pays nothing. */
  free_account: boolean;
  /** Whether tags could be seen. */
  allow_tags: boolean;
  /** Whether it could be shared on. */
  allow_share: boolean;
  /** End of the sharing. */
  expire_time: string;
}

/** A dashboard. */
export interface DashboardInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile it belongs to. */
  profile?: GenericID;
  /** Name shown in lists. */
  label: string;
  /** @deprecated dashboards have a `label`; the default list asks for this older name */
  name?: string;
  /** A blueprint shows whichever device is chosen. @default "dashboard" */
  type: "dashboard" | "blueprint" | (string & {});
  /** Whether lists for viewers name it. @default true */
  visible?: boolean;
  /** At most 30. */
  tags?: Tag[];
  /** Positions and sizes of the widgets; replaced whole. New widgets are not in it. */
  arrangement?: Arrangement[];
  /** At most 10, in the order shown. */
  tabs?: DashboardTab[];
  /** Picture beside the label. */
  icon?: {
    /** Address of the picture. */
    url: string;
    /** CSS colour. */
    color?: string;
  };
  /** Behind the widgets; null: nothing. */
  background?: DashboardBackground | null;
  /** Colours; null: the usual ones. */
  theme?: DashboardTheme | null;
  /** Of installed templates. */
  setup?: DashboardSetup;
  /** Stored as sent; the values are not documented. */
  group_by?: string[];
  /** Description; null: none. */
  description?: string | null;
  /** What viewers can choose; null: nothing. */
  filter?: DashboardFilter | null;
  /** End of the public key; null: there is none. */
  public_token_expire?: string | null;
  /** Turns the fallback of a blueprint off. @default false */
  disable_blueprint_fallback?: boolean;
  /** @deprecated sharing of this kind is gone */
  shared?: DashboardShare | null;
  /** Placeholders of a blueprint. */
  blueprint_devices?: BlueprintDevice[];
  /** When devices can be chosen: if several fit, or always. */
  blueprint_device_behavior?: "more_than_one" | "always" | null;
  /** How the selector starts, or stays. */
  blueprint_selector_behavior?: "open" | "closed" | "always_open" | "always_closed" | null;
  /** When it was last opened; null: never. */
  last_access: Date | null;
  /** When the dashboard was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** A dashboard as the platform returns it. */
export type StoredDashboard = Stored<DashboardInfo, "profile" | "visible" | "tags">;

/** Fields for creating a dashboard. */
export type DashboardCreateInfo = Partial<
  Omit<DashboardInfo, "id" | "profile" | "created_at" | "updated_at" | "last_access" | "shared">
> & {
  /** Name shown in lists. */
  label: string;
};

/** Changes to a dashboard; `arrangement` and the other objects are replaced whole. */
export type DashboardEditInfo = Partial<Omit<DashboardInfo, "type">> & {
  /** Layout of the dashboard: `dashboard` or `blueprint`. */
  type?: string;
};

/** Asks for part of the dashboard list. */
export type DashboardQuery = ListQuery<
  DashboardInfo,
  "label" | "name" | "active" | "created_at" | "updated_at" | "last_access"
>;

/** What comes back for a new dashboard. */
export interface DashboardCreateResponse {
  /** Id of the dashboard. */
  dashboard: GenericID;
}

/** What a copy differs in. */
export interface DashboardDuplicateInfo {
  /** Label of the copy. */
  new_label?: string;
  /** The user's choices for the template the dashboard came from; stored as sent. */
  setup?: object;
}

/** What comes back for a copy. */
export interface DashboardDuplicateResponse {
  /** Id of the copy. */
  dashboard_id: GenericID;
  /** `Copy sent`. */
  message: string;
}

/** A key that opens a dashboard without a login. */
export interface PublicKeyResponse {
  /** The key: a token that only reads. */
  token: GenericToken;
  /** End of the key. */
  expire_time: ExpireTime;
}

/** A device that widgets read. */
export interface RelatedDevice {
  /** Id of the device. */
  id: GenericID;
  /** Name of the device. */
  name: string;
  /** @deprecated equal to the device */
  bucket: GenericID;
}

/** An analysis that widgets run. */
export interface RelatedAnalysis {
  /** Id of the analysis. */
  id: GenericID;
  /** Name of the analysis. */
  name: string;
}

/** What comes back for the run of a button. */
export interface DashboardAnalysisRun {
  /** Token the analysis runs with. */
  analysis_token: GenericToken;
}
