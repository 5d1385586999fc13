import { useCallback, useEffect, useEffectEvent } from "react";
import { type Route, setParams } from "./router.ts";

const FULL = "full";

/** Whether an address shows a dashboard without the frame around it. */
export const isFullScreen = ({ parts, query }: Route): boolean =>
  parts[0] === "dashboards" && parts.length === 2 && query.has(FULL);

/** Whether a key was typed into something that takes it. */
function isTyped({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog") !== null;
}

/** A dashboard with or without the frame: `f` shows it alone, Escape leaves that. The address has it; the browser may not. */
export function useFullScreen(route: Route): readonly [isFull: boolean, set: (isFull: boolean) => void] {
  const isFull = isFullScreen(route);
  const set = useCallback((next: boolean): void => {
    setParams({ [FULL]: next ? "1" : "" });
    // The browser may not allow it: then the frame is gone, and no more.
    if (next) document.documentElement.requestFullscreen?.().catch(() => undefined);
    else if (document.fullscreenElement !== null) void document.exitFullscreen();
  }, []);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyped(event)) return;
    if (document.querySelector("dialog[open], [role=menu]") !== null) return;
    if (event.key === "f") set(!isFull);
    else if (event.key === "Escape" && isFull) set(false);
  });
  // Escape that leaves the full screen of the browser is no key of the page.
  const onChange = useEffectEvent((): void => {
    if (document.fullscreenElement === null && isFull) set(false);
  });
  useEffect(() => {
    const keyed = (event: KeyboardEvent): void => onKey(event);
    const changed = (): void => onChange();
    addEventListener("keydown", keyed);
    document.addEventListener("fullscreenchange", changed);
    return () => {
      removeEventListener("keydown", keyed);
      document.removeEventListener("fullscreenchange", changed);
      // Another view is opened.
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, []);
  return [isFull, set];
}
