import type { CommandContext } from "../../kit/context.ts";
import { CommandError } from "../../kit/failures/command-error.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { ANSWER_MS, denied, type SinkSettings } from "./settings.ts";
import type { Ack, RecordSink } from "./sink.ts";

/** Requests at a time. */
const REQUESTS = 16;
/** What the server says of the address or the user, not of the record. */
const DENIED = [301, 302, 303, 307, 308, 401, 403, 404, 405, 410];
/** What may be different with the next attempt; 409 while a request with the same key is under way. */
const PASSING = [408, 409, 423, 425, 429];

/** Posts each record with its id as Idempotency-Key. */
export async function openHttp(ctx: CommandContext, settings: SinkSettings): Promise<RecordSink> {
  const { chooseTransport } = await import("../../../lib/http/choose-transport.ts");
  const transport = chooseTransport(ctx.clientOptions());
  const { isSecure, servers, target } = settings;
  const [{ host, port } = { host: "", port: 0 }] = servers;
  const name = host.includes(":") ? `[${host}]` : host;
  const url = new URL(target, `${isSecure ? "https" : "http"}://${name}:${port}`).href;
  const usual = { "content-type": "application/json", accept: "*/*", ...authorization(settings) };
  return {
    send: (records) =>
      mapLanes(records, REQUESTS, async ({ id, body }): Promise<Ack> => {
        const headers = { ...usual, "idempotency-key": id };
        try {
          const { status, statusText } = await transport.send({
            ...{ method: "POST", url, headers, body, timeoutMs: ANSWER_MS, signal: ctx.signal },
          });
          const said = `${status} ${statusText}`.trim();
          if (status >= 200 && status < 300) return "stored";
          if (DENIED.includes(status)) throw denied(settings, `It responds with ${said}.`);
          if (status >= 500 || PASSING.includes(status)) return { unknown: new Error(said) };
          return { rejected: said };
        } catch (error) {
          if (error instanceof CommandError || ctx.signal.aborted) throw error;
          return { unknown: error };
        }
      }),
    close: async () => undefined,
  };
}

function authorization({ user, password, token }: SinkSettings): { readonly authorization?: string } {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (user === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password ?? ""}`).toString("base64")}` };
}
