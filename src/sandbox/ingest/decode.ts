import { isRecord } from "../../lib/core/json.ts";
import { PlatformError } from "../core/platform-error.ts";
import { dataGaps } from "../data/gaps.ts";
import type { HandlerContext } from "../http/handler.ts";
import type { ParserKind } from "../parsers/job.ts";
import type { DecoderRunner } from "../parsers/runner.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { ParamStore } from "../store/params.ts";
import type { InspectorParts } from "./inspector.ts";
import { type Inspect, inspectorOf, inspectRequest } from "./inspector.ts";

interface DecodeParts extends Collections, InspectorParts {
  readonly decoders: DecoderRunner;
  readonly params: ParamStore;
}

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** A payload parser and its owner. */
export interface Parser {
  readonly kind: ParserKind;
  readonly source: string;
}

/** The stored parser: base64, or plain text if a client did not encode it. Empty without one. */
export function parserOf(kind: ParserKind, stored: unknown): Parser[] {
  if (typeof stored !== "string" || stored.trim() === "") return [];
  return [{ kind, source: BASE64.test(stored) ? Buffer.from(stored, "base64").toString("utf8") : stored }];
}

/** The parser of a network; empty without one. */
export function networkParser(app: Pick<DecodeParts, "collection">, networkId: unknown): Parser[] {
  return parserOf("network", app.collection("network").get(String(networkId))?.["payload_decoder"]);
}

/** The parser of a device's connector, unless `connector_parse` is false, and the device's own, in this order. */
export function ownParsers(app: Pick<DecodeParts, "collection">, device: EntityDocument): Parser[] {
  const connector = app.collection("connector").get(String(device["connector"]))?.["payload_decoder"];
  return [
    ...parserOf("connector", device["connector_parse"] === false ? undefined : connector),
    ...parserOf("device", device["payload_decoder"]),
  ];
}

/** Values of the parameters that the network and the connector of a device define. Parsers have them as globals. */
function definedParams(app: Pick<DecodeParts, "params" | "collection">, device: EntityDocument | undefined): object {
  if (device === undefined) return {};
  const set = new Map(app.params.list(device.id).map(({ key, value }) => [key, value]));
  const defined = (["network", "connector"] as const).flatMap((kind) => {
    const list = app.collection(kind).get(String(device[kind]))?.["device_parameters"];
    return Array.isArray(list) ? list.filter(isRecord) : [];
  });
  return Object.fromEntries(
    defined.map(({ name, default: fallback = null }) => [String(name), set.get(String(name)) ?? fallback]),
  );
}

/** The device as parsers see it: its settings, tags and parameters, not the parser itself. */
function deviceContext(app: Pick<DecodeParts, "params">, device: EntityDocument | undefined): object {
  if (device === undefined) return {};
  const { payload_decoder: _, ...shown } = device;
  return { ...shown, params: app.params.list(device.id) };
}

/** Parsers to run, and their input. */
export interface ParserRun {
  /** Parsers of different profiles share no process. */
  readonly profile: string;
  /** Undefined for a network's parser, which runs before its device is known. */
  readonly device?: EntityDocument;
  readonly parsers: readonly Parser[];
  readonly body: unknown;
  /** Their `raw_payload`. Default: the body. */
  readonly rawBody?: unknown;
  readonly inspect: Inspect;
}

/**
 * Runs parsers in sequence, each on the output of the one before. A single JSON object is passed to them in a list.
 *
 * @throws PlatformError 400 with the message of the parser's error
 */
export async function runParsers(
  app: Pick<DecodeParts, "decoders" | "params" | "collection">,
  { profile, device, parsers, body, rawBody = body, inspect }: ParserRun,
): Promise<unknown> {
  const raw = JSON.stringify(rawBody ?? null);
  const context = JSON.stringify(deviceContext(app, device));
  const globals = JSON.stringify(definedParams(app, device));
  // The process makes a buffer of what stands for one.
  let payload = JSON.stringify(isRecord(body) && !Buffer.isBuffer(body) ? [body] : (body ?? null));
  for (const { kind, source } of parsers) {
    const answer = await app.decoders.run({ profile, parser: kind, source, payload, raw, device: context, globals });
    for (const line of answer.lines) inspect("Log from payload parser", line);
    if (answer.payload === undefined) {
      const reason = answer.error ?? "Function Parse Error: Payload Parser Terminated Unexpectedly";
      inspect("Error on payload parser", reason);
      throw new PlatformError(400, reason).assumed(dataGaps.parserFails);
    }
    payload = answer.payload;
    inspect("Result of payload parser", payload);
  }
  return JSON.parse(payload);
}

/**
 * Processes a request with data before it is stored: the live inspector, then the device's parsers. Returns the rows to
 * store instead of the body, directly or as a promise; `undefined` without parsers. A request whose parser failed
 * stores nothing, but updates the device's last input.
 */
export function prepareArrival(
  app: DecodeParts,
  device: EntityDocument,
  context: HandlerContext,
): Promise<unknown> | undefined {
  const inspect = inspectorOf(app, device);
  inspectRequest(inspect, context);
  const parsers = parsersOf(app, device);
  if (parsers.length === 0) return undefined;
  if (parsers.length > 1) context.assume(dataGaps.parserOrder);
  return decodeArrival(app, device, parsers, context, inspect);
}

/** All parsers that data of a device goes through, in this order. */
export function parsersOf(app: Pick<DecodeParts, "collection">, device: EntityDocument): Parser[] {
  return [...networkParser(app, device["network"]), ...ownParsers(app, device)];
}

/** Runs the parsers of a device; the rows to store. When one fails, the device's last input is updated all the same. */
export async function decodeArrival(
  app: Pick<DecodeParts, "decoders" | "params" | "collection">,
  device: EntityDocument,
  parsers: readonly Parser[],
  { body, now, assume }: Pick<HandlerContext, "body" | "now" | "assume">,
  inspect: Inspect,
): Promise<unknown> {
  const run = { profile: device.profile, device, parsers, body, inspect };
  const rows = await runParsers(app, run).catch((error: unknown) => {
    app.collection("device").touch(device.id, { last_input: new Date(now).toISOString() });
    throw error;
  });
  // A parser that returns nothing has dropped the data.
  if (rows === null) assume(dataGaps.parserLeavesNull);
  return rows ?? [];
}
