import { useCallback, useSyncExternalStore } from "react";

export interface Route {
  /** Parts of the path after `#/`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** What every view is given. */
export interface ViewProps {
  readonly route: Route;
}

/** An address of the console, in the hash: no route of the platform's API can collide with it. */
export function href(parts: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${parts.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { parts: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(search) };
}

/** Browsers reject many changes of the address a second: it follows what is typed and scrolled with a delay. */
const WRITE_MS = 200;
/** How long a view may take to become as long as it was. */
const RESTORE_MS = 5_000;

/** The hash as it is shown, which the browser's follows. */
let hash = location.hash;
/** The browser's, as it was written or gone to last. */
let written = hash;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Where to scroll to once the view is long enough. */
let wantedY: number | undefined;
const listeners = new Set<() => void>();

function write(): void {
  clearTimeout(timer);
  timer = undefined;
  // The browser is at another entry already, and is about to say so.
  if (location.hash !== written) return;
  history.replaceState({ y: wantedY ?? scrollY }, "", hash === "" ? location.href : hash);
  written = location.hash;
}

function writeSoon(): void {
  timer ??= setTimeout(write, WRITE_MS);
}

/** Scrolls to where this entry of the history was left, as soon as its content is there. */
function restoreScroll(): () => void {
  const { y }: { readonly y?: unknown } = history.state ?? {};
  scrollTo(0, 0);
  if (typeof y !== "number" || y === 0) return () => undefined;
  wantedY = y;
  const ending = new AbortController();
  const end = (): void => {
    wantedY = undefined;
    observer.disconnect();
    clearTimeout(late);
    ending.abort();
  };
  const observer = new ResizeObserver(() => {
    scrollTo(0, y);
    if (scrollY >= y - 1) end();
  });
  const late = setTimeout(end, RESTORE_MS);
  // The reader goes elsewhere.
  for (const type of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(type, end, ending);
  observer.observe(document.documentElement);
  return end;
}

/** Asks before the view is left, and calls `go` if it may be. */
let guard: ((go: () => void) => void) | undefined;

/** Lets a view be left only when `ask` calls back, until the returned function is called. */
export function guardLeaving(ask: (go: () => void) => void): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = undefined;
  };
}

/** Whether another view has to wait for the question of the one that is shown, which stays in the address. */
function isHeld(to: string): boolean {
  if (guard === undefined || parseRoute(to).parts.join("/") === parseRoute(hash).parts.join("/")) return false;
  history.pushState(null, "", hash);
  written = location.hash;
  guard(() => {
    guard = undefined;
    location.hash = to;
  });
  return true;
}

/** Starts to keep the address, what is searched and opened in it, and how far it is scrolled. */
export function followHistory(): void {
  history.scrollRestoration = "manual";
  let stop = restoreScroll();
  addEventListener("hashchange", () => {
    clearTimeout(timer);
    timer = undefined;
    if (isHeld(location.hash)) return;
    hash = location.hash;
    written = hash;
    stop();
    stop = restoreScroll();
    for (const changed of listeners) changed();
  });
  addEventListener("scroll", writeSoon, { passive: true });
  // Before a link is followed, or the page is left.
  addEventListener("click", write, true);
  addEventListener("pagehide", write);
}

/** Opens another view, as a link does. */
export function go(parts: readonly string[]): void {
  write();
  location.hash = href(parts);
}

const listen = (changed: () => void): (() => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(listen, () => hash));
}

function withParams(values: Readonly<Record<string, string>>): string {
  const { parts, query } = parseRoute(hash);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  return href(parts, Object.fromEntries(query));
}

/** Changes parameters of the address without a new entry: Back leaves the view. An empty one is left out. */
export function setParams(values: Readonly<Record<string, string>>): void {
  hash = withParams(values);
  writeSoon();
  for (const changed of listeners) changed();
}

/** Changes parameters of the address as a link does: Back returns to those before. */
export function pushParams(values: Readonly<Record<string, string>>): void {
  write();
  hash = withParams(values);
  history.pushState({ y: scrollY }, "", hash);
  written = location.hash;
  for (const changed of listeners) changed();
}

/** State of a view that stands in its address, so that a link, Back and a reload show the same. */
export function useParam(name: string, fallback = ""): readonly [value: string, set: (value: string) => void] {
  const value = useSyncExternalStore(listen, () => parseRoute(hash).query.get(name) ?? fallback);
  const set = useCallback((next: string) => setParams({ [name]: next === fallback ? "" : next }), [name, fallback]);
  return [value, set];
}
