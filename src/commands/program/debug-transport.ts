import { chooseTransport } from "../../lib/http/choose-transport.ts";
import type { Transport, TransportRequest } from "../../lib/http/transport.ts";
import { cleanLine } from "../../text/clean.ts";
import type { Io } from "../kit/io.ts";
import { redact } from "../kit/say/redact.ts";

const longestBody = 2_000;
/** More than any token has: one that is cut in two is not recognized. */
const TOKEN_ROOM = 8_000;

function describe(request: TransportRequest): string {
  const headers = Object.entries(request.headers).map(([name, value]) =>
    /authorization|token/i.test(name) ? `${name}: …` : `${name}: ${value}`,
  );
  const body = typeof request.body === "string" ? request.body.slice(0, longestBody + TOKEN_ROOM) : undefined;
  const shown = body === undefined ? "" : ` body ${redact(body).slice(0, longestBody)}`;
  return `${request.method} ${request.url} [${headers.join("; ")}]${shown}`;
}

/** The library's transport, with every exchange written to stderr. Secrets are left out. */
export function debugTransport(
  io: Pick<Io, "writeError">,
  choice: { readonly proxy?: string | undefined; readonly ca?: string | undefined },
): Transport {
  const inner = chooseTransport(choice);
  const log = (text: string): void => io.writeError(`debug: ${cleanLine(redact(text), 4_000)}\n`);

  async function watched<T extends { readonly status: number }>(
    request: TransportRequest,
    send: () => Promise<T>,
  ): Promise<T> {
    const started = Date.now();
    log(describe(request));
    try {
      const reply = await send();
      log(`${reply.status} after ${Date.now() - started} ms`);
      return reply;
    } catch (error) {
      log(`${error instanceof Error ? error.message : String(error)} after ${Date.now() - started} ms`);
      throw error;
    }
  }

  return {
    name: inner.name,
    send: (request) => watched(request, () => inner.send(request)),
    stream: (request) => watched(request, () => inner.stream(request)),
  };
}
