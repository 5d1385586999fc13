import { type ClientRequest, get } from "node:http";
import type { Sandbox } from "../../../src/sandbox/index.ts";

export interface Stream {
  readonly status: number;
  /** Payloads of the events so far. */
  readonly payloads: () => unknown[];
  readonly channels: () => string[];
  close(): void;
}

/** Opens the event stream; resolves when its first bytes are here. */
export function openStream(sandbox: Pick<Sandbox, "url">, query: string): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = get(`${sandbox.url}/events?${query}`, { agent: false }, (reply) => {
      let text = "";
      reply.setEncoding("utf8");
      reply.on("error", () => {});
      const events = (): { channel: string; payload: unknown }[] =>
        text
          .split("\n\n")
          .filter((frame) => frame.startsWith("data: "))
          .map((frame) => JSON.parse(frame.slice(6)));
      const stream: Stream = {
        status: reply.statusCode ?? 0,
        payloads: () => events().map(({ payload }) => payload),
        channels: () => events().map(({ channel }) => channel),
        close: () => request.destroy(),
      };
      reply.on("data", (chunk: string) => {
        text += chunk;
        resolve(stream);
      });
    });
    request.on("error", reject);
  });
}
