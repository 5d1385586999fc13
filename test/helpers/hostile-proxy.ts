import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";

const ESC = "\u001b";

/** What a server could put into a text to trick a terminal or an eye. */
const HOSTILE = [
  `${ESC}[2J${ESC}[31m`,
  `${ESC}]8;;https://evil.test${ESC}\\link${ESC}]8;;${ESC}\\`,
  `${ESC}]52;c;ZXZpbA==\u0007`,
  `${ESC}P1$r0m${ESC}\\`,
  `${ESC}_apc${ESC}\\`,
  "\u0000\u0007\b\r\t\n\u000b\u007f",
  "\u009b31m\u0085\u009d0;title\u009c",
  "\u202egnp.exe\u202c\u2066\u2069\u200e\u200b\ufeff\u2028\u2029",
  "\ud800",
].join("x");

const MEGABYTE = 1024 * 1024;
const isFixed = (text: string): boolean =>
  text === "" || /^[0-9a-f]{24}$/i.test(text) || /^\d{4}-\d\d-\d\dT/.test(text);

/** How the answers are spoiled. */
export interface Spoiling {
  /** Texts that stay as they are: the names the command line asks for. */
  kept: ReadonlySet<string>;
  /** Makes the next text of a result longer than a megabyte, once, and the messages of all refusals until then. */
  isLong: boolean;
  /** Answers every request with this status and a hostile message. */
  refuseWith?: number | undefined;
}

/** Adds hostile text to every text of an answer. */
function spoil(value: unknown, spoiling: Spoiling): unknown {
  const taint = (text: string): string => {
    if (isFixed(text) || spoiling.kept.has(text)) return text;
    const filler = spoiling.isLong ? "m".repeat(MEGABYTE) : "";
    spoiling.isLong = false;
    return `${text}${HOSTILE}${filler}`;
  };
  const walk = (part: unknown): unknown => {
    if (typeof part === "string") return taint(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, walk(member)]));
  };
  return walk(value);
}

/** An object with a member `result` is an answer of the platform; of all others only the texts inside count. */
function spoiled(body: Buffer, spoiling: Spoiling): Buffer {
  try {
    const parsed = JSON.parse(body.toString("utf8")) as { readonly result?: unknown };
    return Buffer.from(JSON.stringify({ ...parsed, result: spoil(parsed.result, spoiling) }));
  } catch {
    return body;
  }
}

/** A server between the program and a sandbox that makes every answer hostile. */
export async function hostileProxy(target: string): Promise<{
  readonly url: string;
  readonly spoiling: Spoiling;
  close(): Promise<void>;
}> {
  const spoiling: Spoiling = { kept: new Set(), isLong: false };

  function refuse(reply: ServerResponse, status: number): void {
    reply.writeHead(status, { "content-type": "application/json", "x-request-id": "r1" });
    const filler = spoiling.isLong ? "m".repeat(MEGABYTE) : "";
    reply.end(JSON.stringify({ status: false, message: `Refused ${HOSTILE}${filler}` }));
  }

  function forward(from: IncomingMessage, reply: ServerResponse): void {
    const { "accept-encoding": _encoding, host: _host, ...headers } = from.headers;
    const onward = send(`${target}${from.url ?? "/"}`, { method: from.method, headers }, (answer) => {
      const type = answer.headers["content-type"] ?? "";
      const { "content-length": _length, ...others } = answer.headers;
      reply.writeHead(answer.statusCode ?? 502, others);
      if (!type.includes("json")) {
        answer.pipe(reply);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => reply.end(spoiled(Buffer.concat(chunks), spoiling)));
    });
    onward.on("error", () => reply.destroy());
    reply.on("close", () => onward.destroy());
    from.pipe(onward);
  }

  const server = createServer((from, reply) => {
    if (spoiling.refuseWith === undefined) forward(from, reply);
    else {
      from.resume();
      refuse(reply, spoiling.refuseWith);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spoiling,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
