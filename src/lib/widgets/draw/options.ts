import type { DeviceData } from "../../resources/data-types.ts";
import type { WidgetContent } from "../../resources/widgets.ts";
import type { LoadedImage } from "./loaded-image.ts";

/** What a widget shows: the data of a widget, its `content`, or records. */
export type DrawData =
  | { readonly content: readonly WidgetContent[] }
  | readonly WidgetContent[]
  | readonly Partial<DeviceData>[];

/** How a widget is drawn. */
export interface DrawOptions {
  /** Width in pixels, from 160 to 2000. @default 480 */
  readonly width?: number;
  /** Height in pixels, from 120 to 2000; tables and forms use it to choose how many rows they show. @default 320 */
  readonly height?: number;
  /** `auto` follows the page or the system. @default "auto" */
  readonly theme?: "light" | "dark" | "auto";
  /** Language of numbers and dates. @default "en-US" */
  readonly locale?: string;
  /** Time zone of dates, such as `Europe/Lisbon`. Default: that of the widget's data, else UTC. */
  readonly timeZone?: string;
  /** Current time in milliseconds: shown by clocks, and the end of sample data. @default 0 */
  readonly nowMs?: number;
  /** Draws sample data if there is none. @default false */
  readonly sample?: boolean;
  /** Writes the label of the widget above the drawing; it is always the title of the SVG. @default true */
  readonly showLabel?: boolean;
  /**
   * Loads images from https and data addresses; otherwise a box with the address is drawn. A function is called with each
   * address and returns where that image is loaded from, undefined for a box. @default false
   */
  readonly images?: boolean | ((address: string) => LoadedImage | undefined);
}
