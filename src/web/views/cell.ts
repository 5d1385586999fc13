import type { GridPlace } from "../../lib/widgets/draw/page.ts";

/** Height of a row of a dashboard with the gap below. */
export const ROW_PX = 84;

/** The cell of a widget as the style of an element. */
export const styleOf = ({ left, top, columns, rows }: GridPlace) => ({
  gridColumn: `${left + 1} / span ${columns}`,
  gridRow: `${top + 1} / span ${rows}`,
});
