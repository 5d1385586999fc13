import { request as httpRequest } from "node:http";
import type { Sandbox } from "../../src/sandbox/index.ts";

/** An answer as a plain HTTP client sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed envelope. */
  readonly body: {
    readonly status: boolean;
    readonly result: unknown;
    readonly message?: string;
    readonly field_errors?: unknown;
  };
}

export interface CallOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
}

/** A sandbox, or what a process of its own said about one. */
export type Target = Pick<Sandbox, "url"> & Partial<Pick<Sandbox, "inspectionHeaders">>;

/** One request on a connection of its own, with nothing between: neither our library nor a browser's rules. Inspection is opened. */
export function call(sandbox: Target, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const headers: Record<string, string> = {
    ...(options.token !== undefined && { token: options.token }),
    ...(options.body !== undefined && { "content-type": "application/json" }),
    // Node sends no length with the body of a DELETE by itself.
    ...(payload !== undefined && { "content-length": String(Buffer.byteLength(payload)) }),
    ...(path.startsWith("/__sandbox/") && sandbox.inspectionHeaders),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${sandbox.url}${path}`, { method, headers, agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("error", reject);
      reply.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text, body: parse(text) });
      });
    });
    sent.on("error", reject);
    sent.end(payload);
  });
}

function parse(text: string): Answer["body"] {
  try {
    return JSON.parse(text);
  } catch {
    return { status: false, result: undefined, message: `not JSON: ${text.slice(0, 80)}` };
  }
}

/** The result of a call that must succeed. */
export async function ok<T = unknown>(
  sandbox: Target,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<T> {
  const answer = await call(sandbox, method, path, options);
  if (!answer.body.status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body.result as T;
}

export interface NewDevice {
  readonly device_id: string;
  readonly deviceID: string;
  readonly bucket_id: string;
  readonly token: string;
}

/** Creates a device over HTTP. */
export function newDevice(sandbox: Sandbox, members: Readonly<Record<string, unknown>> = {}): Promise<NewDevice> {
  return ok(sandbox, "POST", "/device", { token: sandbox.tokens.profile, body: { name: "Test device", ...members } });
}
