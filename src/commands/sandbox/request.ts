import { createReadStream, readFileSync, statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { RunningSandbox } from "./state.ts";

export interface InspectionRequest {
  readonly method?: string;
  readonly timeoutMs: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A file to send as it is. */
  readonly file?: string;
}

/** Where inspection routes are, and what opens them. */
export type Inspected = Pick<RunningSandbox, "url" | "port" | "inspectionHeaders" | "certificate">;

/** A request to an inspection route. Resolves at the headers; trusts the certificate of a sandbox that has one. */
export async function requestSandbox(
  running: Inspected,
  path: string,
  request: InspectionRequest,
): Promise<IncomingMessage> {
  const { method = "GET", timeoutMs, body, file } = request;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    ...running.inspectionHeaders,
    ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    ...(file === undefined ? {} : { "content-length": statSync(file).size }),
  };
  const { certificate } = running;
  const options = { method, headers, agent: false, signal: AbortSignal.timeout(timeoutMs) };
  const url = `${running.url}/__sandbox/${path}`;
  // Help does without them.
  const { request: httpRequest } = await import("node:http");
  const { request: httpsRequest } = await import("node:https");
  return new Promise((resolve, reject) => {
    // Without a file, NODE_EXTRA_CA_CERTS names the certificate.
    const ca = certificate === undefined ? {} : { ca: readFileSync(certificate.file) };
    const sent = url.startsWith("https:")
      ? httpsRequest(url, { ...options, ...ca }, resolve)
      : httpRequest(url, options, resolve);
    sent.on("error", reject);
    // An error response may come, and close the connection, before the whole file was sent.
    if (file === undefined) sent.end(text);
    else pipeline(createReadStream(file), sent).catch(reject);
  });
}

export const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

/** The JSON of a response; `undefined` when it is none. */
export const jsonOf = (reply: IncomingMessage): Promise<unknown> => json(reply).catch(() => undefined);
