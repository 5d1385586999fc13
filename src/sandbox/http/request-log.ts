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
}

export interface RequestLog {
  add(entry: Omit<RequestLogEntry, "n">): void;
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
  return `${path}${query}`.replaceAll(TOKEN_TEXT, "***").slice(0, 2_000);
}

/** A ring of the last requests. */
export function createRequestLog(): RequestLog {
  let entries: RequestLogEntry[] = [];
  let last = 0;
  return {
    add: (entry) => {
      last += 1;
      entries.push({ n: last, ...entry });
      if (entries.length >= MAX_ENTRIES * 2) entries = entries.slice(-MAX_ENTRIES);
    },
    list: (after = 0) => {
      const kept = entries.slice(-MAX_ENTRIES);
      return after === 0 ? kept : kept.filter(({ n }) => n > after);
    },
    clear: () => {
      entries = [];
    },
  };
}
