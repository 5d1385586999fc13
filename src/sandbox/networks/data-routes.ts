import { post } from "../../lib/api/route.ts";
import { isRecord } from "../../lib/core/json.ts";
import { DATA_BODY_BYTES } from "../../lib/core/limits.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { textOf } from "../core/query.ts";
import { dataGaps } from "../data/gaps.ts";
import type { HandlerContext } from "../http/handler.ts";
import { storeArrival } from "../ingest/arrive.ts";
import { networkParser, ownParsers, runParsers } from "../ingest/decode.ts";
import { inspectorOf, inspectRequest } from "../ingest/inspector.ts";
import type { Resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import { devicesWithSerial, needAuthorization, unknownSerial } from "./by-serial.ts";

/** Called by network servers, not by the client. */
const dataRoute = post("/integration/network/data");

/** Result of the parsers of a request: replaces its body. */
interface Arrived {
  readonly deviceId: string;
  readonly rows: unknown;
}

/** The serial number that a network's parser puts into the metadata of its rows. */
function serialOf(payload: unknown): string | undefined {
  for (const row of Array.isArray(payload) ? payload : [payload]) {
    const metadata = isRecord(row) ? row["metadata"] : undefined;
    const serial = isRecord(metadata) ? metadata["serial"] : undefined;
    if (typeof serial === "string" && serial !== "") return serial;
  }
  return undefined;
}

/** The newest active device of the network with a serial number, in the profile of the authorization if there is one. */
function needDevice(app: App, context: HandlerContext, serial: string | undefined): EntityDocument {
  const { principal, profile, query } = context;
  const authorization = textOf(query["authorization_token"]);
  if (serial === undefined) throw new PlatformError(404, "Device Not Found");
  const service = authorization === undefined ? undefined : needAuthorization(app, authorization);
  const found = devicesWithSerial(app, service?.profile ?? profile, serial).find(
    (device) => device["network"] === principal.refId && device["active"] !== false,
  );
  if (found === undefined) throw unknownSerial(service);
  return found;
}

/** Runs the parsers: that of the network finds the device, whose own parsers follow. */
async function decode(app: App, context: HandlerContext): Promise<Arrived> {
  const { assume, body, principal, profile } = context;
  const ofNetwork = networkParser(app, principal.refId);
  const parsed = await runParsers(app, { profile, parsers: ofNetwork, body, inspect: () => {} });
  const device = needDevice(app, context, serialOf(parsed));
  const inspect = inspectorOf(app, device);
  inspectRequest(inspect, context);
  const parsers = ownParsers(app, device);
  if (ofNetwork.length + parsers.length > 1) assume(dataGaps.parserOrder);
  const run = { profile: device.profile, device, parsers, body: parsed, rawBody: body, inspect };
  const rows = await runParsers(app, run);
  if (rows === null) assume(dataGaps.parserLeavesNull);
  return { deviceId: device.id, rows: rows ?? [] };
}

/** The route by which a network delivers the data of its devices. */
export const networkData: Resource = {
  serve: (app) => {
    const options = {
      rule: "own",
      tokens: ["network"],
      maxBodyBytes: DATA_BODY_BYTES,
      prepare: (context: HandlerContext) => decode(app, context),
    } as const;
    app.on(dataRoute, options, ({ body, now, principal }) => {
      const { deviceId, rows } = body as Arrived;
      const device = app.collection("device").get(deviceId);
      if (device === undefined) throw new PlatformError(404, "Device Not Found");
      return `${storeArrival(app, { device, body: rows, nowMs: now, principal }).length} Data Added`;
    });
  },
};
