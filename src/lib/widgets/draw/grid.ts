import { isSource, list, record, type Source } from "../readers.ts";
import { textIn } from "./read.ts";

/** Columns of the platform's grid. */
const GRID_COLUMNS = 12;

/** Where a widget stands, in columns and rows of the grid, from 0. */
export interface GridPlace {
  readonly widget: string;
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
}

/** A tab of a dashboard, or all of one that has none. */
export interface GridTab {
  readonly key: string;
  readonly title: string;
  readonly isHidden: boolean;
  /** Address that the tab opens; empty for one with widgets. */
  readonly link: string;
  readonly places: readonly GridPlace[];
}

const inside = (value: unknown, low: number, high: number): number =>
  Math.min(high, Math.max(low, Number.isFinite(Number(value)) ? Math.floor(Number(value)) : low));

/** A hostile arrangement stays inside the grid. */
function placeOf({ widget_id, x, y, width, height }: Source): GridPlace {
  const left = inside(x, 0, GRID_COLUMNS - 1);
  return {
    widget: textIn(widget_id),
    left,
    top: inside(y, 0, 999),
    columns: inside(width, 1, GRID_COLUMNS - left),
    rows: inside(height, 1, 50),
  };
}

/** The tabs of a dashboard with the positions of their widgets. A widget without a tab is on all of them. */
export function gridOf(dashboard: unknown): GridTab[] {
  const { tabs, arrangement } = record(dashboard);
  const places = list(arrangement).filter(isSource);
  const known = list(tabs).filter(isSource);
  return (known.length > 0 ? known : [{}]).map(({ key, value, hidden, link }) => ({
    key: textIn(key),
    title: textIn(value),
    isHidden: hidden === true,
    link: textIn(link),
    places: places.filter(({ tab }) => known.length === 0 || tab === key || tab === undefined).map(placeOf),
  }));
}

/** The widget of a blueprint, for the chosen device of each placeholder: its records name them, not the placeholders. */
export const withDevices = <Widget>(widget: Widget, devices: Readonly<Record<string, string>>): Widget =>
  JSON.parse(JSON.stringify(widget), (_, value: unknown) =>
    typeof value === "string" && Object.hasOwn(devices, value) ? devices[value] : value,
  );

/** A device that a placeholder of a blueprint may stand for. */
interface Candidate {
  readonly id: string;
  readonly tags: unknown;
}

/** Devices with all tags that a placeholder asks for. */
export function devicesFor<Device extends Candidate>(placeholder: unknown, devices: readonly Device[]): Device[] {
  const conditions = list(record(placeholder)["conditions"]).map(record);
  return devices.filter(({ tags }) =>
    conditions.every(({ key, value }) =>
      list(tags).some((tag) => record(tag)["key"] === key && record(tag)["value"] === value),
    ),
  );
}

/** As on the platform: there is something to see before anything is chosen. By placeholder, the id of a device. */
export function firstDevices(dashboard: unknown, devices: readonly Candidate[]): Record<string, string> {
  return Object.fromEntries(
    list(record(dashboard)["blueprint_devices"]).flatMap((placeholder) => {
      const [first] = devicesFor(placeholder, devices);
      return first === undefined ? [] : [[textIn(record(placeholder)["id"]), first.id]];
    }),
  );
}
