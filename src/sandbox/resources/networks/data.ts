import { post } from "../../../lib/api/route.ts";
import { isRecord } from "../../../lib/core/json.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import { textOf } from "../../core/query.ts";
import type { HandlerContext } from "../../http/handler.ts";
import { storeArrival } from "../../ingest/arrive.ts";
import { networkParser, ownParsers, runParsers } from "../../ingest/decode.ts";
import { inspectorOf, inspectRequest } from "../../ingest/inspector.ts";
import type { EntityDocument } from "../../store/document.ts";

/** Called by network servers, not by the client. */
const networkDataRoutes = { sendData: post("/integration/network/data") };

const MAX_BODY_BYTES = 200 * 1024;

/** What is left of a request when its parsers are through: replaces its body. */
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

/** Binds the route by which a network hands over what any of its devices sent. */
export function registerNetworkDataRoutes(app: App): void {
  const devices = app.collection("device");

  /** The profile whose devices are meant: of the service authorization, else of the network. */
  const profileOf = ({ query, profile }: HandlerContext): string => {
    const authorization = textOf(query["authorization_token"]);
    if (authorization === undefined) return profile;
    const found = app.tokens.authorize(authorization);
    if (found?.kind !== "service") throw new PlatformError(401, "Authorization Denied");
    return found.profile;
  };

  /** The newest device of the network with a serial number. */
  const withSerial = (context: HandlerContext, serial: string | undefined): EntityDocument => {
    const ids = serial === undefined ? [] : app.tokens.devicesWithSerial(profileOf(context), serial);
    const found = ids
      .flatMap((id) => devices.get(id) ?? [])
      .filter((device) => device["network"] === context.principal.refId && device["active"] !== false)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    if (found[0] === undefined) throw new PlatformError(404, "Device Not Found");
    return found[0];
  };

  const prepare = async (context: HandlerContext): Promise<Arrived> => {
    const { body, principal } = context;
    const silent = (): void => {};
    const { profile } = context;
    const parsers = networkParser(app, principal.refId);
    const parsed = await runParsers(app, { profile, parsers, body, inspect: silent });
    const device = withSerial(context, serialOf(parsed));
    const inspect = inspectorOf(app, device);
    inspectRequest(inspect, context);
    const rows = await runParsers(app, {
      profile: device.profile,
      device,
      parsers: ownParsers(app, device),
      body: parsed,
      rawBody: body,
      inspect,
    });
    return { deviceId: device.id, rows: rows ?? [] };
  };

  const options = { tokens: ["network"] as const, rule: "own" as const, maxBodyBytes: MAX_BODY_BYTES, prepare };
  app.handle(networkDataRoutes.sendData, options, ({ body, now, principal }) => {
    const { deviceId, rows } = body as Arrived;
    const device = devices.get(deviceId);
    if (device === undefined) throw new PlatformError(404, "Device Not Found");
    return `${storeArrival(app, { device, body: rows, nowMs: now, principal }).length} Data Added`;
  });
}
