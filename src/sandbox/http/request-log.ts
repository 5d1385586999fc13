import { tokenQueryNames } from "./auth.ts";

/** Requests kept for `/__sandbox/requests`. */
const MAX_ENTRIES = 1_000;
const TOKEN_TEXT = /(?:[panu]-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{10,12}|\bat[0-9a-f]{32}\b/gi;

/** A request the sandbox answered. */
export interface RequestLogEntry {
  /** Rises with every request. */
  readonly n: number;
  /** When it arrived, ISO text. */
  readonly time: string;
  /** HTTP method. */
  readonly method: string;
  /** Path and query with every token replaced. */
  readonly url: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** From its arrival to the end of the answer. */
  readonly durationMs: number;
  /** Kind of token, or `anonymous`. */
  readonly token: string;
  /** Subjects of the assumptions that the answer rests on, separated by `; `. Absent without one. */
  readonly gap?: string;
  /** Sent by the console in the browser. Absent for other programs. */
  readonly console?: true;
}

/** What is shown of one request when somebody asks for it: without tokens and passwords, and cut where it is long. */
export interface RequestDetails {
  /** Headers that matter, by their names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request. */
  readonly body: string;
  /** Text of the response. */
  readonly response: string;
}

export interface RequestLog {
  add(entry: Omit<RequestLogEntry, "n">, details?: () => RequestDetails): void;
  /** The request with this number, if it is still there. */
  details(n: number): (RequestLogEntry & RequestDetails) | undefined;
  /** Calls `listener` with every later request; the result ends that. */
  on(listener: (entry: RequestLogEntry) => void): () => void;
  /** Oldest first; those after the one with number `after`. */
  list(after?: number): RequestLogEntry[];
  clear(): void;
}

/** Query names besides those of tokens whose values open something: signed links, codes of the web page. */
const SECRET_NAMES: readonly string[] = [...tokenQueryNames, "signature", "code"];

function redactPair(pair: string): string {
  const name = pair.split("=", 1)[0] ?? "";
  return SECRET_NAMES.includes(name.toLowerCase()) ? `${name}=***` : pair;
}

/** A text without anything that looks like a token. */
export const redactTokens = (text: string): string => text.replaceAll(TOKEN_TEXT, "***");

/** Path and query of an address, without anything that opens a door. */
export function redactUrl(url: string): string {
  const cut = url.indexOf("?");
  const path = cut < 0 ? url : url.slice(0, cut);
  const query =
    cut < 0
      ? ""
      : `?${url
          .slice(cut + 1)
          .split("&")
          .map(redactPair)
          .join("&")}`;
  return redactTokens(`${path}${query}`).slice(0, 2_000);
}

/** A ring of the last requests. */
export function createRequestLog(): RequestLog {
  let entries: RequestLogEntry[] = [];
  let last = 0;
  const details = new WeakMap<RequestLogEntry, () => RequestDetails>();
  const listeners = new Set<(entry: RequestLogEntry) => void>();
  return {
    add: (entry, more) => {
      last += 1;
      const added = { n: last, ...entry };
      entries.push(added);
      if (more !== undefined) details.set(added, more);
      for (const listener of listeners) listener(added);
      if (entries.length >= MAX_ENTRIES * 2) entries = entries.slice(-MAX_ENTRIES);
    },
    list: (after = 0) => {
      const kept = entries.slice(-MAX_ENTRIES);
      return after === 0 ? kept : kept.filter(({ n }) => n > after);
    },
    details: (n) => {
      const found = entries.find((entry) => entry.n === n);
      const more = found && details.get(found)?.();
      return found && more && { ...found, ...more };
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => {
      entries = [];
    },
  };
}
