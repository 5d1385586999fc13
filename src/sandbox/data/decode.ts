import type { SandboxApp } from "../sandbox-app.ts";
import { type EntityDocument, type HandlerContext, PlatformError } from "../types.ts";
import { type Inspect, inspectorOf, inspectRequest } from "./inspector.ts";

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** The source of a parser as stored: base64, or the plain text where a client forgot to encode it. */
function sourceOf(stored: unknown): string | undefined {
  if (typeof stored !== "string" || stored.trim() === "") return undefined;
  return BASE64.test(stored) ? Buffer.from(stored, "base64").toString("utf8") : stored;
}

/** The parser of a network; empty without one. */
export function networkParser(app: Pick<SandboxApp, "collection">, networkId: unknown): string[] {
  const source = sourceOf(app.collection("network").get(String(networkId))?.["payload_decoder"]);
  return source === undefined ? [] : [source];
}

/** The parser of a device's connector, unless `connector_parse` is false, and the device's own, in this order. */
export function ownParsers(app: Pick<SandboxApp, "collection">, device: EntityDocument): string[] {
  const connector = app.collection("connector").get(String(device["connector"]))?.["payload_decoder"];
  const stored = [device["connector_parse"] === false ? undefined : connector, device["payload_decoder"]];
  return stored.map(sourceOf).filter((text) => text !== undefined);
}

/** What a parser sees of its device: its settings, tags and parameters, not the parser itself. */
function deviceContext(app: Pick<SandboxApp, "params">, device: EntityDocument | undefined): object {
  if (device === undefined) return {};
  const { payload_decoder: _, ...shown } = device;
  return { ...shown, params: app.params.list(device.id) };
}

/** Parsers to run, and what they run over. */
export interface ParserRun {
  /** Parsers of different profiles share no process. */
  readonly profile: string;
  /** Undefined for a network's parser, which runs before its device is known. */
  readonly device?: EntityDocument;
  readonly sources: readonly string[];
  readonly body: unknown;
  /** What they see as `raw_payload`. Default: the body. */
  readonly rawBody?: unknown;
  readonly inspect: Inspect;
}

/**
 * Runs parsers one after the other, each over what the one before left.
 *
 * @throws PlatformError 400 with the text of the parser's error
 */
export async function runParsers(
  app: Pick<SandboxApp, "decoders" | "params">,
  { profile, device, sources, body, rawBody = body, inspect }: ParserRun,
): Promise<unknown> {
  const raw = JSON.stringify(rawBody ?? null);
  const context = JSON.stringify(deviceContext(app, device));
  let payload = JSON.stringify(body ?? null);
  for (const source of sources) {
    const answer = await app.decoders.run({ profile, source, payload, raw, device: context });
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
  const sources = [...networkParser(app, device["network"]), ...ownParsers(app, device)];
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
    return (await runParsers(app, { profile: device.profile, device, sources, body, inspect })) ?? [];
  } catch (error) {
    app.collection("device").touch(device.id, { last_input: new Date(now).toISOString() });
    throw error;
  }
}
