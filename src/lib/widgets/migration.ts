import { ruleFor } from "./catalog.ts";
import { convert, displayOf, isLegacy, type NewId } from "./engine.ts";
import { uniqueId } from "./ids.ts";
import { convertMarkerData } from "./marker-data.ts";
import { isRecord } from "./readers.ts";

/** Options of a conversion. */
export interface ConvertOptions {
  /** Gives the ids that a conversion has to make up; unique random ones by default. */
  readonly newId?: NewId;
}

/** Conversion of old dashboard widgets to the new structure, call for call as the official package has it. */
export class Migration {
  /**
   * True when there is a converter for the widget's type and sub-type. Says nothing about old or new.
   * Never throws.
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
   * True when the display has keys of the old structure. False for every type without a converter. Never throws.
   *
   * @example
   * ```ts
   * const widget: unknown = await resources.dashboards.widgets.info(dashboardID, widgetID);
   * if (Migration.hasMigrate(widget) && Migration.isOldStructure(widget)) console.log("an old widget");
   * ```
   */
  static isOldStructure(widget: unknown): boolean {
    const rule = ruleFor(widget);
    return rule !== undefined && isRecord(widget) && isLegacy(rule, displayOf(widget));
  }

  /**
   * Converts a widget to the new structure, whether or not it is an old one. The widget is not changed and shares
   * nothing with the result. Without a converter for its type, the widget itself is returned.
   *
   * @example
   * ```ts
   * const old = await resources.dashboards.widgets.info(dashboardID, widgetID);
   * const { type, display } = Migration.convertWidget<WidgetInfo>(old);
   * await resources.dashboards.widgets.edit(dashboardID, widgetID, { type, display });
   * ```
   */
  static convertWidget<T = Record<string, unknown>>(widget: unknown, options?: ConvertOptions): T {
    const rule = ruleFor(widget);
    const result = rule && isRecord(widget) ? convert(rule, widget, options?.newId ?? uniqueId) : widget;
    return result as T;
  }

  /**
   * Converts the stored records of an image-marker layer: positions are added under the device alone, beside the old
   * keys of device and variable. Nothing given is changed.
   *
   * @param widget the image-marker widget the records belong to
   * @param dataList entries of `{ data: { origin, variables }, result }`
   * @returns the records of the layer; `[]` when there are none
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
   * The historic spelling of `convertImageMarkerData`.
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
