import { ApiError, RequestError } from "../../../lib/core/errors.ts";
import type { Transport, TransportReply } from "../../../lib/http/transport.ts";
import type { Channel } from "../../../lib/realtime/channels.ts";
import { batchOptions } from "../client/batch-client.ts";
import type { CommandContext } from "../context.ts";
import { isObject } from "../files/files.ts";
import { messageOf } from "../resource/batch.ts";
import { maskToken, redact, redactValue } from "../say/redact.ts";

/** A request of the page that is passed on. */
interface PageRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** What the platform responds with, without secrets. */
interface PageReply {
  readonly status: number;
  readonly body: unknown;
}

/** What the stream of the platform says. */
type FeedItem =
  | { readonly type: "open" | "gap" }
  | { readonly type: "event"; readonly channel: string; readonly payload: unknown };

/** The account in use, as a console reaches it. */
export interface ReachedAccount {
  send(request: PageRequest): Promise<PageReply>;
  follow(devices: readonly string[], signal: AbortSignal): AsyncIterable<FeedItem>;
  used(): number;
}

const REPLACED = "The page does not get secrets, so it cannot save what holds one. Use iot widget update.";

/** Not one that is repeated: another attempt is redirected as well. */
const REDIRECTED = 421;

const failed = (message: string): { readonly status: false; readonly message: string } => ({ status: false, message });

/** Counts requests, and follows no redirect: it would lead past the list of what is passed on. */
function watchedTransport(inner: Transport, onRequest: () => void): Transport {
  const direct = (reply: TransportReply): TransportReply =>
    reply.status < 300 || reply.status > 399
      ? reply
      : { ...reply, status: REDIRECTED, text: JSON.stringify(failed("The platform redirected the request elsewhere")) };
  return {
    name: inner.name,
    async send(request) {
      onRequest();
      return direct(await inner.send(request));
    },
    stream: (request) => inner.stream(request),
  };
}

function isSecretName(key: string): boolean {
  const named = redactValue({ [key]: "x" });
  return isObject(named) && named[key] !== "x";
}

/** Fields that name tokens, and the token itself wherever it stands. Other strings stay: they are data. */
function withoutSecrets(value: unknown, token: string): unknown {
  if (typeof value === "string") return value.includes(token) ? redact(value) : value;
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, token));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (typeof member !== "string") return [key, withoutSecrets(member, token)];
      return [key, isSecretName(key) ? "…" : withoutSecrets(member, token)];
    }),
  );
}

/** True for a body with the mark that responses have instead of a secret: it would replace the secret. */
function holdsReplaced(value: unknown, token: string): boolean {
  if (typeof value === "string") return value.includes(maskToken(token));
  if (Array.isArray(value)) return value.some((each) => holdsReplaced(each, token));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, member]) => holdsReplaced(member, token) || (member === "…" && isSecretName(key)),
  );
}

/** Reaches the account with the token in use, which stays in here. */
export async function reachAccount(ctx: CommandContext): Promise<ReachedAccount> {
  const { token, api, events } = await ctx.connection();
  let used = 0;
  const options = await batchOptions(ctx);
  const transport = watchedTransport(options.transport, () => {
    used += 1;
  });
  const { rawRequest } = await import("../../../lib/api/raw.ts");
  const { openEventStream } = await import("../../../lib/realtime/event-stream.ts");
  const region = { api, sse: events };
  return {
    used: () => used,
    async send(request) {
      if (holdsReplaced(request.body, token)) return { status: 400, body: failed(REPLACED) };
      try {
        const { result } = await rawRequest({ ...options, transport, signal: ctx.signal }, request);
        return { status: 200, body: { status: true, result: withoutSecrets(result, token) } };
      } catch (error) {
        return failureOf(error);
      }
    },
    async *follow(devices, signal) {
      const channels: Channel[] = [{ channel: "ui" }];
      for (const id of devices) channels.push({ channel: "device_data", resource_id: id });
      const stream = openEventStream({ ...ctx.clientOptions(), channels, token, region, signal });
      for await (const item of stream) {
        if (item.type === "message")
          yield { type: "event", channel: item.channel ?? "", payload: withoutSecrets(item.payload, token) };
        else if (item.type !== "retry") yield { type: item.type };
      }
    },
  };
}

function failureOf(error: unknown): PageReply {
  const message = redact(messageOf(error));
  if (!(error instanceof ApiError)) return { status: error instanceof RequestError ? 502 : 500, body: failed(message) };
  const fields = isObject(error.data) ? error.data["field_errors"] : undefined;
  return {
    status: error.status,
    body: { ...failed(message), ...(fields === undefined ? {} : { field_errors: redactValue(fields) }) },
  };
}
