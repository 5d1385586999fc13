import { post } from "../../lib/api/route.ts";
import { currentNetworkRoutes } from "../../lib/clients/network.ts";
import { deviceParams } from "../../schema/device.ts";
import { downlink, relayPublish } from "../../schema/integration.ts";
import { tagsOf, whole } from "../access/demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { setParams } from "../devices/param-routes.ts";
import { presentDevice } from "../devices/routes.ts";
import { refuseMore, shownToken } from "../http/auth.ts";
import type { RouteOptions } from "../http/handler.ts";
import type { Resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import type { StoredToken } from "../store/tokens.ts";
import { devicesWithSerial, needAuthorization, serialGaps, unknownSerial } from "./by-serial.ts";

/** The sandbox's own network server: the target of downlinks of its seeded network. */
const downlinkRoute = post("/middleware/downlink", { anonymous: true });

const gaps = {
  ...serialGaps,
  authorized: {
    subject: "GET /integration/network/resolve with an authorization",
    choice: "devices of the authorization's profile; noted on the token",
  },
  publish: { subject: "POST /integration/network/publish", choice: "goes to the outbox; Successfully Published" },
  downlink: {
    subject: "/middleware/downlink",
    choice: "needs a service authorization with an additional parameter; the frame goes to the outbox",
  },
  devices: {
    subject: "Rules and GET /integration/network/{id}/devices",
    choice: "network access; only devices that may be seen, with their token where token_access is allowed",
  },
} as const;

const own = { rule: "own", tokens: ["network"] } as const;

/** The token of the newest device with the serial number. */
function tokenWithSerial(app: App, serial: string, devices: readonly EntityDocument[]): StoredToken | undefined {
  return devices
    .flatMap(({ id }) => app.tokens.list("device", id).find(({ serieNumber }) => serieNumber === serial) ?? [])
    .at(0);
}

function resolve(app: App, principal: Principal, serial: string, authorization?: string): string {
  const service = authorization === undefined ? undefined : needAuthorization(app, authorization);
  const devices = devicesWithSerial(app, service?.profile ?? principal.profile, serial);
  const ofNetwork = devices.filter(({ network }) => network === principal.refId);
  const found = tokenWithSerial(app, serial, ofNetwork);
  if (found === undefined) throw unknownSerial(service);
  refuseMore(principal, found.permission);
  if (service !== undefined) app.tokens.noteAuthorization(found.token, service.token);
  return found.token;
}

/** A device the network has access to. */
function needDevice(app: App, id: string, principal: Principal): EntityDocument {
  const device = app.collection("device").need(id, principal.profile);
  if (device["network"] !== principal.refId) throw new PlatformError(404, "Device Not Found");
  return device;
}

/** Binds the routes for the network's own token. */
function bindOwn(app: App): void {
  // Reading changes at most the last authorization.
  app.on(currentNetworkRoutes.resolveToken, own, ({ params, principal }) =>
    resolve(app, principal, params.serieNumber),
  );

  const resolving = { ...own, gaps: [gaps.authorized] };
  app.on(currentNetworkRoutes.resolveAuthorizedToken, resolving, ({ params, principal }) =>
    resolve(app, principal, params.serieNumber, params.authorization),
  );

  const publishing = { ...own, body: relayPublish, gaps: [gaps.publish] };
  app.on(currentNetworkRoutes.publishToRelay, publishing, ({ body, principal, profile }) => {
    const device = needDevice(app, body.device, principal);
    app.outbox.add("mqtt", { profile, ...body, device: device.id });
    const { message, topic } = body;
    app.signals.emit("mqttPublished", { profile, topic, message, device, principal });
    return "Successfully Published";
  });

  app.on(currentNetworkRoutes.deviceParamSet, { ...own, body: deviceParams }, (context) => {
    setParams(app, needDevice(app, context.params.deviceID, context.principal).id, context);
    return "Device Configuration Parameter Updated";
  });
}

const listing: RouteOptions = {
  rule: [whole("network", "access"), "own"],
  tokens: ["network", "profile", "analysis"],
};

/** Binds the devices of a network or connector. */
function bindDevices(app: App): void {
  const devices = app.collection("device");

  app.on(currentNetworkRoutes.deviceList, listing, ({ assume, params, principal, profile, query }) => {
    if (app.policy.binds(principal)) assume(gaps.devices);
    const network = principal.kind === "network" ? principal.refId : undefined;
    const may = (device: EntityDocument, action: string): boolean =>
      app.policy.allows(principal, "device", [action], { id: device.id, tags: tagsOf(device["tags"]) });
    const present = (device: EntityDocument): Record<string, unknown> => {
      const token = may(device, "token_access") ? app.tokens.list("device", device.id)[0] : undefined;
      const shown = token === undefined ? "" : shownToken(principal, token);
      return { ...presentDevice(device), bucket: device.id, token: shown };
    };
    const ids = devices
      .all(profile)
      .filter((device) => {
        const isNamed = device["connector"] === params.connectorID || device["network"] === params.connectorID;
        return isNamed && (network === undefined || device["network"] === network) && may(device, "access");
      })
      .map(({ id }) => id);
    return devices.list(profile, { ...query, fields: [] }, { ids, defaults: { orderBy: ["name", "asc"] }, present });
  });
}

/** Binds the middleware that receives downlinks. */
function bindDownlink(app: App): void {
  app.on(downlinkRoute, { rule: "anyone", body: downlink, gaps: [gaps.downlink] }, ({ body, now }) => {
    if (body.authorization === "") throw new PlatformError(400, "Authorization is missing");
    const service = needAuthorization(app, body.authorization);
    if (service.verificationCode === null || service.verificationCode === "") {
      throw new PlatformError(400, "Authorization is missing its additional parameter");
    }
    const token = tokenWithSerial(app, body.device, devicesWithSerial(app, service.profile, body.device));
    if (token === undefined) throw new PlatformError(404, "Device Not Found");
    app.collection("device").touch(token.refId, { last_output: new Date(now).toISOString() });
    const { authorization: _, ...frame } = body;
    app.outbox.add("downlink", { profile: service.profile, device_id: token.refId, ...frame });
    return "Downlink accepted";
  });
}

/** Routes by which networks access the devices that use them. */
export const networkDevices: Resource = {
  tables: { currentNetworkRoutes },
  gaps,
  serve: (app) => {
    bindOwn(app);
    bindDevices(app);
    bindDownlink(app);
  },
};
