import { useSyncExternalStore } from "react";

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

const listen = (changed: () => void): (() => void) => {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
};

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(listen, () => location.hash));
}
