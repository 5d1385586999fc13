import type { CallOptions, HttpClient } from "../api/client.ts";
import { sendExternal } from "../api/external-request.ts";
import { invalidResult, isOfKind } from "../api/result-kind.ts";
import { encodePart } from "../api/route.ts";
import { ApiError } from "../core/errors.ts";
import { readJson } from "../core/json.ts";
import { SNIPPET_TIMEOUT_MS } from "../core/limits.ts";
import type { TransportReply } from "../http/transport.ts";
import type { snippetRuntimes } from "./enums.ts";

const host = "https://snippets.tago.io";

/** A program to begin an analysis with. */
export interface SnippetItem {
  /** Once per catalogue. */
  id: string;
  /** Name to show. */
  title: string;
  /** What the program does. */
  description: string;
  /** Language of the program. */
  language: string;
  /** Words to find it by. */
  tags: string[];
  /** Name to ask for with `getSnippetFile`. */
  filename: string;
  /** Path of the file below the catalogue. */
  file_path: string;
}

/** The snippets of a runtime. */
export interface SnippetsListResponse {
  /** Runtime that was asked for. */
  runtime: (typeof snippetRuntimes)[number];
  /** Version of the form of this list. */
  schema_version: number;
  /** When the list was created, ISO 8601. */
  generated_at: string;
  /** The programs of the runtime. */
  snippets: SnippetItem[];
}

async function read(client: HttpClient, path: string, what: string, options?: CallOptions): Promise<TransportReply> {
  const url = `${host}/${path}`;
  const reply = await sendExternal(
    client,
    { method: "GET", url, headers: { accept: "*/*" }, timeoutMs: SNIPPET_TIMEOUT_MS },
    options,
  );
  const { status, statusText } = reply;
  if (status >= 200 && status <= 299) return reply;
  throw new ApiError(`Failed to fetch ${what}: ${status} ${statusText}`, {
    method: "GET",
    url,
    status,
    statusText,
    code: "HTTP_ERROR",
    data: reply.text,
  });
}

function parsed(text: string, place: Parameters<typeof invalidResult>[2]): unknown {
  const parsed = readJson(text);
  if (parsed.problem === undefined) return parsed.value;
  const why = parsed.problem === "too deep" ? "is nested too deeply" : "is not JSON";
  throw new ApiError(`Failed to fetch snippets: the response ${why}`, { ...place, code: "INVALID_REPLY", data: text });
}

/** Reads the catalogue of a runtime. */
export async function readSnippets(
  client: HttpClient,
  runtime: string,
  options?: CallOptions,
): Promise<SnippetsListResponse> {
  const path = `${encodePart(runtime, "runtime")}.json`;
  const { status, statusText, text } = await read(client, path, "snippets", options);
  const place = { method: "GET", url: `${host}/${path}`, status, statusText };
  const result = parsed(text, place);
  if (!isOfKind(result, "object")) throw invalidResult(result, "object", place);
  return result as SnippetsListResponse;
}

/** Reads the source of a snippet. */
export async function readSnippetFile(
  client: HttpClient,
  runtime: string,
  filename: string,
  options?: CallOptions,
): Promise<string> {
  const path = `${encodePart(runtime, "runtime")}/${encodePart(filename, "filename")}`;
  return (await read(client, path, "snippet file", options)).text;
}
