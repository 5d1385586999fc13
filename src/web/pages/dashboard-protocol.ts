import type { SQLResult } from "../../index.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import type { PageMessage, Protocol, Theme } from "./frame.ts";

interface Param {
  readonly key: string;
  readonly value: string;
}

/** What a dashboard page may ask for, as the viewer. Errors of the API have a `status`. */
export interface DashboardApi {
  list(): Promise<readonly { readonly id: string; readonly name?: string | null }[]>;
  run(query: string, params: readonly Param[]): Promise<SQLResult>;
}

/** An error as a page gets it. */
class PageError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const CODES: Readonly<Record<number, string>> = {
  401: "forbidden",
  402: "plan_limit",
  403: "forbidden",
  404: "not_found",
  408: "timeout",
  429: "rate_limited",
  504: "timeout",
};

/** What a page gets of an error: the API's own text, with a code of the platform's few. */
function errorOf(error: unknown): { readonly code: string; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PageError) return { code: error.code, message };
  const status = error instanceof Error && "status" in error ? Number(error.status) : 0;
  const isMistake = status >= 400 && status < 500;
  return { code: CODES[status] ?? (isMistake ? "bad_params" : "api_error"), message };
}

const isParam = (value: unknown): value is Param =>
  isRecord(value) && typeof value["key"] === "string" && typeof value["value"] === "string";

async function run(api: DashboardApi, payload: unknown): Promise<object> {
  const { query_id: query, params = [] } = isRecord(payload) ? payload : {};
  // It becomes part of a path.
  if (typeof query !== "string" || !/^[a-z0-9]{24}$/i.test(query)) {
    throw new PageError("bad_request", "query_id must be the id of a stored query");
  }
  if (!Array.isArray(params) || !params.every(isParam)) {
    throw new PageError("bad_request", "params must be a list of {key, value}, both strings");
  }
  const sent = params.map(({ key, value }) => ({ key, value }));
  const { columns, rows, row_count, execution_ms, served_from_cache } = await api.run(query, sent);
  const meta = { row_count, execution_ms, served_from_cache };
  return { columns: columns.map(({ name }) => name), rows, meta, ...meta };
}

async function list(api: DashboardApi): Promise<object> {
  const queries = await api.list();
  return { queries: queries.map(({ id, name }) => ({ id, name: name || id })) };
}

async function respondTo(api: DashboardApi, { op, payload }: PageMessage): Promise<object> {
  try {
    if (op === "sql.list") return { ok: true, result: await list(api) };
    if (op === "sql.run") return { ok: true, result: await run(api, payload) };
    throw new PageError("unknown_op", `Unknown op: ${String(op)}`);
  } catch (error) {
    return { ok: false, error: errorOf(error) };
  }
}

export const themeMessage = (theme: Theme): object => ({ type: "dashboard:theme", theme });

/** The platform's side of the conversation with a custom dashboard. */
export function dashboardProtocol(api: DashboardApi, theme: () => Theme): Protocol {
  return (message, respond) => {
    if (message["type"] === "dashboard:ready") {
      // A page says it several times, until it has a response to one.
      respond(themeMessage(theme()));
      respond({ type: "dashboard:style", style: {} });
    }
    const { type, id } = message;
    if (type !== "dashboard:request" || typeof id !== "string" || id === "") return;
    void respondTo(api, message).then((outcome) => respond({ type: "dashboard:response", id, ...outcome }));
  };
}
