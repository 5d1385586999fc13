import { useSyncExternalStore } from "react";

/** A time that somebody points at, in one chart of the dashboard. */
interface Hovered {
  readonly ms: number;
  /** The chart; the others show what they have at this time. */
  readonly chart: string;
}

let hovered: Hovered | undefined;
const listeners = new Set<() => void>();

export function hover(next: Hovered | undefined): void {
  if (next?.ms === hovered?.ms && next?.chart === hovered?.chart) return;
  hovered = next;
  for (const changed of listeners) changed();
}

/** Points at nothing, if this chart was pointed at. */
export function unhover(chart: string): void {
  if (hovered?.chart === chart) hover(undefined);
}

const listen = (changed: () => void): (() => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};

/** The time that all charts of a dashboard show the values of. */
export const useHovered = (): Hovered | undefined => useSyncExternalStore(listen, () => hovered);
