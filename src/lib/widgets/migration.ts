import type { WidgetInfo } from "../resources/widgets.ts";
import { ruleFor } from "./catalog.ts";
import { convert, displayOf, isLegacy, type NewId } from "./engine.ts";
import { uniqueId } from "./ids.ts";
import { convertMarkerData } from "./marker-data.ts";
import { isSource } from "./readers.ts";

/** Options of a conversion. */
export interface ConvertOptions {
  /** Generates the ids of new items. Defaults to unique random ids. */
  readonly newId?: NewId;
}

/** Converts old dashboard widgets to the new structure, with the same methods as the official package. */
export class Migration {
  /**
   * Checks for a converter for the type and sub-type of the widget, whether the widget is old or new. Never throws.
   *
   * @example
   * ```ts
   * const canConvert = Migration.hasMigrate({ type: "solid", display: {} });
   * ```
   */
  static hasMigrate(widget: unknown): boolean {
    return ruleFor(widget) !== undefined;
  }

  /**
   * Checks whether the display has keys of the old structure. False for types without a converter. Never throws.
   *
   * @example
   * ```ts
   * const widget: unknown = await resources.dashboards.widgets.info(dashboardID, widgetID);
   * if (Migration.hasMigrate(widget) && Migration.isOldStructure(widget)) console.log("an old widget");
   * ```
   */
  static isOldStructure(widget: unknown): boolean {
    const rule = ruleFor(widget);
    return rule !== undefined && isSource(widget) && isLegacy(rule, displayOf(widget));
  }

  /**
   * Converts a widget to the new structure, even one that is not old. The widget is not changed and shares nothing
   * with the result. Without a converter for its type, returns the widget itself.
   *
   * @example
   * ```ts
   * const old = await resources.dashboards.widgets.info(dashboardID, widgetID);
   * const { type, display } = Migration.convertWidget<WidgetInfo>(old);
   * await resources.dashboards.widgets.edit(dashboardID, widgetID, { type, display });
   * ```
   */
  static convertWidget<T = WidgetInfo>(widget: unknown, options?: ConvertOptions): T {
    const rule = ruleFor(widget);
    const result = rule && isSource(widget) ? convert(rule, widget, options?.newId ?? uniqueId) : widget;
    return result as T;
  }

  /**
   * Converts the stored records of an image marker: adds each position under the device alone, beside the old key of
   * device and variable. The arguments are not changed.
   *
   * @param widget the image-marker widget the records belong to
   * @param dataList entries of `{ data: { origin, variables }, result }`
   * @returns the records of the layer; `[]` if there are none
   * @example
   * ```ts
   * const { widget, content } = await resources.dashboards.widgets.getData(dashboardID, widgetID);
   * const records = Migration.convertImageMarkerData<DeviceData>(widget, content);
   * ```
   */
  static convertImageMarkerData<T = Record<string, unknown>>(widget: unknown, dataList: unknown): T[] {
    return convertMarkerData(widget, dataList) as T[];
  }

  /**
   * Former spelling of `convertImageMarkerData`.
   *
   * @example
   * ```ts
   * const { widget, content } = await resources.dashboards.widgets.getData(dashboardID, widgetID);
   * const records = Migration.convertImagerMarkerData(widget, content);
   * ```
   */
  static convertImagerMarkerData<T = Record<string, unknown>>(widget: unknown, dataList: unknown): T[] {
    return convertMarkerData(widget, dataList) as T[];
  }
}
