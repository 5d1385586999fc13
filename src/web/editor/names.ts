import type { GridPlace } from "../../lib/widgets/draw/page.ts";
import { nameOf as nameOfType, newWidget } from "../../lib/widgets/starter.ts";
import { nameOf } from "../components/basics.tsx";
import type { Board, Definition } from "./model.ts";

/** The name of a widget for people. */
export const titleOf = ({ widgets }: Board, id: string): string => {
  const definition = widgets[id];
  return definition === undefined ? "Widget" : nameOf(definition.label, nameOfType(definition.type));
};

/** `column 1, row 3`: both from 1. */
export const positionText = (cell: GridPlace | undefined): string =>
  cell === undefined ? "" : `column ${cell.left + 1}, row ${cell.top + 1}`;

/** `4 columns, 2 rows`. */
export const sizeText = ({ columns, rows }: GridPlace): string =>
  `${columns} ${columns === 1 ? "column" : "columns"} wide, ${rows} ${rows === 1 ? "row" : "rows"} high`;

const NEW = "new-";
let count = 0;

/** Whether a widget has no id of the platform yet. */
export const isNew = (id: string): boolean => id.startsWith(NEW);

/** A new widget with an id that lasts until it is saved. */
export function newOf(type: string): { readonly id: string; readonly definition: Definition } {
  count += 1;
  return { id: `${NEW}${Date.now().toString(36)}-${count}`, definition: newWidget(type) };
}
