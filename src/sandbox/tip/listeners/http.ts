import { buildAck, parseBody, parsePayload, readFrameHead, TipError, type TipMethod } from "../../../lib/tip/codec.ts";
import { FRAME_MAX_BYTES } from "../../../lib/tip/limits.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { Principal } from "../../core/principal.ts";
import { decodeQuery, splitTarget, textOf } from "../../core/query.ts";
import { readBytes } from "../../http/body.ts";
import type { Reply } from "../../http/respond.ts";
import type { HttpServer, RawHandler } from "../../http/server.ts";
import { statusOf } from "../faults.ts";
import { detailOf, type Messages } from "../messages.ts";
import { MAX_ENVELOPE_BYTES } from "../rates.ts";
import type { Sender } from "../senders.ts";
import type { Served, TipRequest } from "../service.ts";

type Request = Parameters<RawHandler>[0];

const TEXT = { "content-type": "text/plain; charset=utf-8" };
const METHODS: Readonly<Record<string, TipMethod>> = { POST: "PUSH", GET: "PULL", HEAD: "PING" };

const textReply = (status: number, text: string, headers: Reply["headers"] = {}): Reply => ({
  status,
  text,
  headers: { ...TEXT, ...headers },
});

/** The body of a request. @throws TipError with this code if it is larger */
async function bodyOf({ incoming }: Request, mostBytes: number, code: string): Promise<Buffer> {
  try {
    return await readBytes(incoming, mostBytes);
  } catch (error) {
    if (error instanceof PlatformError) throw new TipError(code, error.message);
    throw error;
  }
}

/** Method, hash and serial number: at other positions than in a frame, in the same form. */
function headOf({ incoming, params }: Request): Pick<TipRequest, "method" | "auth" | "serial"> {
  const method = METHODS[incoming.method ?? ""] ?? "PING";
  const [, auth = ""] = /^TagoTiP +(.*)$/i.exec(incoming.headers.authorization ?? "") ?? [];
  const { serial } = readFrameHead(`PING|${auth}|${params["serial"]}`);
  return { method, auth: auth.toLowerCase(), serial };
}

/** The names of a GET, between commas. */
function namesOf({ incoming }: Request): string[] {
  const names = textOf(decodeQuery(splitTarget(incoming.url ?? "")[1])["variables"]) ?? "";
  if (names.includes("|")) throw new TipError("invalid_payload", "A name is 1 to 100 of a-z, 0-9 and _");
  return parsePayload("pull", names).names ?? [];
}

const principalOf = ({ authorization, device }: Sender): Principal => ({
  kind: "service",
  profile: device.profile,
  refId: device.id,
  permission: authorization.permission,
  key: "",
});

/** A response without its status, or what a fault does to it. */
function replyTo(request: Request, { ack, isCut = false }: Served): Reply | "sent" {
  if (ack === undefined) {
    request.incoming.socket.destroy();
    return "sent";
  }
  const detail = ack.status === "PONG" ? "" : detailOf(ack);
  const text = isCut ? detail.slice(0, detail.length >> 1) : detail;
  if (ack.status === "ERR") return textReply(statusOf(detail), text);
  if (ack.status === "PONG") return textReply(204, "");
  // Header values are bytes, which Node writes from characters up to 255.
  if (ack.status === "CMD") return textReply(200, "", { "x-tagotip-cmd": Buffer.from(text).toString("latin1") });
  return textReply(200, text);
}

const serveText =
  (messages: Messages): RawHandler =>
  async (request, onCaller) => {
    try {
      const head = headOf(request);
      const served = await messages.serve({
        ...head,
        over: "http",
        bytes: Number(request.incoming.headers["content-length"] ?? 0),
        shown: "",
        read: () => {
          if (head.method === "PULL") return { method: "PULL", names: namesOf(request) };
          if (head.method === "PING") return { method: "PING" };
          // One byte more for a final line feed.
          return bodyOf(request, FRAME_MAX_BYTES + 1, "payload_too_large").then((body) => ({
            method: "PUSH",
            body: parseBody(body),
          }));
        },
      });
      if (served.sender !== undefined) onCaller(principalOf(served.sender));
      return replyTo(request, served);
    } catch (error) {
      if (error instanceof TipError) return textReply(statusOf(error.code), error.code);
      throw error;
    }
  };

const serveEnvelope =
  (messages: Messages): RawHandler =>
  async (request, onCaller) => {
    const { incoming, outgoing } = request;
    const address = incoming.socket.remoteAddress ?? "";
    const answer = await bodyOf(request, MAX_ENVELOPE_BYTES, "envelope_too_large").then(
      (body) => messages.envelope(body, { over: "http", address }),
      (error: unknown) => {
        if (!(error instanceof TipError)) throw error;
        return { ack: { status: "ERR", detail: error.code }, bytes: undefined, seal: undefined } as const;
      },
    );
    const { ack, bytes, seal } = answer;
    if (ack === undefined) {
      incoming.socket.destroy();
      return "sent";
    }
    if ("sender" in answer && answer.sender !== undefined) onCaller(principalOf(answer.sender));
    const isTooLarge = ack.detail === "envelope_too_large";
    if (seal === undefined) return textReply(isTooLarge ? 413 : 400, buildAck(ack));
    outgoing.writeHead(200, { "content-type": "application/octet-stream", "content-length": bytes?.length ?? 0 });
    outgoing.end(bytes);
    return "sent";
  };

const notAllowed =
  (allow: string): RawHandler =>
  () =>
    textReply(405, "invalid_method", { allow });

/** The routes of the protocol on the sandbox's own server, outside the format of its other responses. */
export function serveTipOverHttp(server: HttpServer, messages: Messages): void {
  // Faults are those of the protocol, such as TIP PUSH http.
  const serve = (method: string, path: string, handler: RawHandler) =>
    server.serve(method, path, handler, { faults: false });
  serve("GET", "/v1/tip/:serial", serveText(messages));
  serve("POST", "/v1/tip/:serial", serveText(messages));
  serve("POST", "/v1/tips", serveEnvelope(messages));
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    serve(method, "/v1/tip/:serial", notAllowed("GET, HEAD, POST"));
    serve(method, "/v1/tips", notAllowed("POST"));
  }
  serve("GET", "/v1/tips", notAllowed("POST"));
}
