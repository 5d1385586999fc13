import { chooseTransport } from "../../lib/http/choose-transport.ts";
import type { Transport, TransportRequest } from "../../lib/http/transport.ts";
import { cleanLine } from "../../text/clean.ts";
import { redact } from "../kit/say/redact.ts";
import type { StatusLine } from "../kit/say/status-line.ts";

const LONGEST_LINE = 4_000;
const longestBody = 2_000;
/** More than any token has: one that is cut in two is not recognized. */
const TOKEN_ROOM = 8_000;

/** What is written before a request is sent, and once it is known how it ended. */
interface Words {
  before?(request: TransportRequest): string;
  after(request: TransportRequest, outcome: string, ms: number): string;
}

function describe(request: TransportRequest): string {
  const headers = Object.entries(request.headers).map(([name, value]) =>
    /authorization|token/i.test(name) ? `${name}: …` : `${name}: ${value}`,
  );
  const body = typeof request.body === "string" ? request.body.slice(0, longestBody + TOKEN_ROOM) : undefined;
  const shown = body === undefined ? "" : ` body ${redact(body).slice(0, longestBody)}`;
  return `debug: ${request.method} ${request.url} [${headers.join("; ")}]${shown}`;
}

const whole: Words = {
  before: describe,
  after: (_, outcome, ms) => `debug: ${outcome} after ${ms} ms`,
};

async function briefWords(): Promise<Words> {
  const { redactPath } = await import("../../lib/api/redact-path.ts");
  return {
    after: ({ method, url }, outcome, ms) =>
      `info: ${method} ${redactPath(new URL(url).pathname, undefined)} ${outcome} ${ms} ms`,
  };
}

/**
 * The library's transport, with every exchange written to stderr: with `--debug` all that is sent, else a line for each.
 * Secrets are left out.
 */
export async function spokenTransport(
  status: Pick<StatusLine, "io" | "isLent">,
  {
    debug,
    proxy,
    ca,
  }: { readonly debug: boolean; readonly proxy?: string | undefined; readonly ca?: string | undefined },
): Promise<Transport> {
  const inner = chooseTransport({ proxy, ca });
  const words = debug ? whole : await briefWords();
  const log = (text: string | undefined): void => {
    // A screen that has the terminal is not written into; a reader of --debug has chosen so.
    if (text === undefined || (status.isLent && !debug)) return;
    status.io.writeError(`${cleanLine(redact(text), LONGEST_LINE)}\n`);
  };

  async function watched<T extends { readonly status: number }>(
    request: TransportRequest,
    send: () => Promise<T>,
  ): Promise<T> {
    const started = Date.now();
    const ended = (outcome: string): void => log(words.after(request, outcome, Date.now() - started));
    log(words.before?.(request));
    try {
      const reply = await send();
      ended(String(reply.status));
      return reply;
    } catch (error) {
      ended(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  return {
    name: inner.name,
    send: (request) => watched(request, () => inner.send(request)),
    stream: (request) => watched(request, () => inner.stream(request)),
  };
}
