import { type EntityDocument, type HandlerContext, PlatformError, type SandboxApp } from "../types.ts";
import { type Inspect, inspectorOf, inspectRequest } from "./inspector.ts";

/** What one parser made of a payload. */
export interface Decoded {
  readonly payload: unknown;
}

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** The source of a parser as stored: base64, or the plain text where a client forgot to encode it. */
function sourceOf(stored: unknown): string | undefined {
  if (typeof stored !== "string" || stored.trim() === "") return undefined;
  return BASE64.test(stored) ? Buffer.from(stored, "base64").toString("utf8") : stored;
}

/**
 * The parsers of a device in the order they run: of its network, of its connector, its own. Empty for most devices.
 * `connector_parse: false` leaves the connector's out.
 */
export function parsersOf(app: Pick<SandboxApp, "collection">, device: EntityDocument): string[] {
  const of = (name: "network" | "connector"): unknown =>
    app.collection(name).get(String(device[name]))?.["payload_decoder"];
  const connector = device["connector_parse"] === false ? undefined : of("connector");
  return [of("network"), connector, device["payload_decoder"]].map(sourceOf).filter((text) => text !== undefined);
}

/** What a parser sees of its device: its settings, tags and parameters, not the parser itself. */
function deviceContext(app: Pick<SandboxApp, "params">, device: EntityDocument): object {
  const { payload_decoder: _, ...shown } = device;
  return { ...shown, params: app.params.list(device.id) };
}

/**
 * Runs parsers one after the other, each over what the one before left.
 *
 * @throws PlatformError 400 with the text of the parser's error
 */
export async function runParsers(
  app: Pick<SandboxApp, "decoders" | "params">,
  device: EntityDocument,
  sources: readonly string[],
  body: unknown,
  inspect: Inspect,
): Promise<unknown> {
  const raw = JSON.stringify(body ?? null);
  const context = JSON.stringify(deviceContext(app, device));
  let payload = raw;
  for (const source of sources) {
    const answer = await app.decoders.run({ source, payload, raw, device: context });
    for (const line of answer.lines) inspect("Log from payload parser", line);
    if (answer.payload === undefined) {
      const reason = answer.error ?? "Payload parser terminated unexpectedly";
      inspect("Error on payload parser", reason);
      throw new PlatformError(400, reason);
    }
    payload = answer.payload;
    inspect("Result of payload parser", payload);
  }
  return JSON.parse(payload);
}

/**
 * What a request that brings data goes through before it is stored: the live inspector, then the device's parsers.
 * Answers the rows to store in place of the body, at once or as a promise; `undefined` without parsers.
 * A request whose parser failed stores nothing, but counts as the device's last input.
 */
export function prepareArrival(
  app: SandboxApp,
  device: EntityDocument,
  context: HandlerContext,
): Promise<unknown> | undefined {
  const inspect = inspectorOf(app, device);
  inspectRequest(inspect, context);
  const sources = parsersOf(app, device);
  if (sources.length === 0) return undefined;
  return decodeArrival(app, device, sources, context, inspect);
}

async function decodeArrival(
  app: SandboxApp,
  device: EntityDocument,
  sources: readonly string[],
  { body, now }: HandlerContext,
  inspect: Inspect,
): Promise<unknown> {
  try {
    // A parser that leaves nothing has dropped the data.
    return (await runParsers(app, device, sources, body, inspect)) ?? [];
  } catch (error) {
    app.collection("device").touch(device.id, { last_input: new Date(now).toISOString() });
    throw error;
  }
}
