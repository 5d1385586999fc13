import { splitTarget } from "../core/query.ts";
import { tokenQueryNames } from "./auth.ts";

/** Requests stored for `/__sandbox/requests`. */
const MAX_ENTRIES = 1_000;
const TOKEN_TEXT = /(?:[panu]-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{10,12}|\bat[0-9a-f]{32}\b/gi;

/** A request the sandbox responded to. */
export interface RequestLogEntry {
  /** Rises with every request. */
  readonly n: number;
  /** When it arrived, ISO 8601. */
  readonly time: string;
  /** HTTP method. */
  readonly method: string;
  /** Path and query with every token replaced. */
  readonly url: string;
  /** HTTP status of the response. */
  readonly status: number;
  /** From its arrival to the end of the response. */
  readonly durationMs: number;
  /** Kind of token, or `anonymous`. */
  readonly token: string;
  /** Subjects of the assumptions that the response rests on, separated by `; `. Absent without one. */
  readonly gap?: string;
  /** Sent by the console in the browser. Absent for other programs. */
  readonly console?: true;
}

/** Details of one request: without tokens and passwords, and truncated where they are long. */
export interface RequestDetails {
  /** Relevant headers, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request. */
  readonly body: string;
  /** Text of the response. */
  readonly response: string;
}

/** Query parameters besides those of tokens with secret values: signed links, codes of the web page. */
const SECRET_NAMES: readonly string[] = [...tokenQueryNames, "signature", "code"];

function redactPair(pair: string): string {
  const name = pair.split("=", 1)[0] ?? "";
  return SECRET_NAMES.includes(name.toLowerCase()) ? `${name}=***` : pair;
}

/** A string without anything that looks like a token. */
export const redactTokens = (text: string): string => text.replaceAll(TOKEN_TEXT, "***");

/** Path and query of a URL, without secrets. */
export function redactUrl(url: string): string {
  const [path, search] = splitTarget(url);
  const query = search === "" ? "" : `?${search.split("&").map(redactPair).join("&")}`;
  return redactTokens(`${path}${query}`).slice(0, 2_000);
}

/** A ring of the last requests. */
export class RequestLog {
  #entries: RequestLogEntry[] = [];
  #last = 0;
  readonly #details = new WeakMap<RequestLogEntry, () => RequestDetails>();
  readonly #listeners = new Set<(entry: RequestLogEntry) => void>();

  add(entry: Omit<RequestLogEntry, "n">, more?: () => RequestDetails): void {
    this.#last += 1;
    const added = { n: this.#last, ...entry };
    this.#entries.push(added);
    if (more !== undefined) this.#details.set(added, more);
    for (const listener of this.#listeners) listener(added);
    if (this.#entries.length >= MAX_ENTRIES * 2) this.#entries = this.#entries.slice(-MAX_ENTRIES);
  }

  /** Oldest first; those after the one with number `after`. */
  list(after = 0): RequestLogEntry[] {
    const kept = this.#entries.slice(-MAX_ENTRIES);
    return after === 0 ? kept : kept.filter(({ n }) => n > after);
  }

  /** The request with this number, if it is still there. */
  details(n: number): (RequestLogEntry & RequestDetails) | undefined {
    const found = this.#entries.find((entry) => entry.n === n);
    const more = found && this.#details.get(found)?.();
    return found && more && { ...found, ...more };
  }

  /** Calls `listener` for every later request; the result unsubscribes. */
  on(listener: (entry: RequestLogEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#entries = [];
  }
}
