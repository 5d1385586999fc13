import { post } from "../../../lib/api/route.ts";
import { currentNetworkRoutes } from "../../../lib/clients/network.ts";
import { deviceParams } from "../../../schema/device.ts";
import { downlink, relayPublish } from "../../../schema/integration.ts";
import { tagsOf } from "../../access/demands.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { Principal } from "../../core/principal.ts";
import { refuseMore, shownToken } from "../../http/auth.ts";
import type { EntityDocument } from "../../store/document.ts";
import type { StoredToken } from "../../store/tokens.ts";
import { presentDevice } from "../devices/devices.ts";

/** The sandbox's own network server: where downlinks of its seeded network go. */
const middlewareRoutes = { downlink: post("/middleware/downlink", { anonymous: true }) };

interface Found {
  readonly device: EntityDocument;
  readonly token: StoredToken;
}

/** Binds what a network does with its own token, and the middleware that takes downlinks. */
export function registerCurrentNetworkRoutes(app: App): void {
  const devices = app.collection("device");

  /** The token of the newest device of a profile that carries the serial number. */
  const withSerial = (profile: string, serial: string, network?: string): Found | undefined =>
    app.tokens
      .devicesWithSerial(profile, serial)
      .flatMap((id) => devices.get(id) ?? [])
      .filter((device) => network === undefined || device["network"] === network)
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .flatMap((device) => {
        const token = app.tokens.list("device", device.id).find((item) => item.serieNumber === serial);
        return token === undefined ? [] : [{ device, token }];
      })
      .at(0);

  /** The service authorization a text names; it opens devices of its own profile. */
  const authorizationOf = (text: string): StoredToken => {
    const found = text === "" ? undefined : app.tokens.authorize(text);
    if (found?.kind !== "service") throw new PlatformError(401, "Authorization Denied");
    return found;
  };

  const resolve = (principal: Principal, serial: string, authorization?: string): string => {
    const service = authorization === undefined ? undefined : authorizationOf(authorization);
    const found = withSerial(service?.profile ?? principal.profile, serial, principal.refId);
    if (found === undefined) throw new PlatformError(404, "Device Not Found");
    refuseMore(principal, found.token.permission);
    if (service !== undefined) app.tokens.noteAuthorization(found.token.token, service.token);
    return found.token.token;
  };

  /** A device the network may touch. */
  const needDevice = (id: string, principal: Principal): EntityDocument => {
    const device = devices.need(id, principal.profile);
    if (device["network"] !== principal.refId) throw new PlatformError(404, "Device Not Found");
    return device;
  };

  // Reading changes the note of the last authorization at most.
  app.handle(currentNetworkRoutes.resolveToken, { tokens: ["network"], rule: "own" }, ({ params, principal }) =>
    resolve(principal, params.serieNumber),
  );
  app.handle(
    currentNetworkRoutes.resolveAuthorizedToken,
    { tokens: ["network"], rule: "own" },
    ({ params, principal }) => resolve(principal, params.serieNumber, params.authorization),
  );

  app.handle(
    currentNetworkRoutes.publishToRelay,
    { tokens: ["network"], rule: "own", body: relayPublish },
    ({ body, principal, profile }) => {
      const device = needDevice(body.device, principal);
      app.outbox.add("mqtt", { profile, ...body, device: device.id });
      const { message, topic } = body;
      app.signals.emit("mqttPublished", { profile, topic, message, device, principal });
      return "Successfully Published";
    },
  );

  app.handle(
    currentNetworkRoutes.deviceList,
    { tokens: ["network", "profile", "analysis"], rule: "own" },
    ({ params, principal, profile, query }) => {
      const network = principal.kind === "network" ? principal.refId : undefined;
      const may = (device: EntityDocument, action: string): boolean =>
        app.policy.allows(principal, "device", [action], { id: device.id, tags: tagsOf(device["tags"]) });
      const own = devices.all(profile).filter((device) => {
        const isNamed = device["connector"] === params.connectorID || device["network"] === params.connectorID;
        return isNamed && (network === undefined || device["network"] === network) && may(device, "access");
      });
      return devices.list(
        profile,
        { ...query, fields: [] },
        {
          ids: own.map(({ id }) => id),
          defaults: { orderBy: ["name", "asc"] },
          present: (device) => {
            const token = may(device, "token_access") ? app.tokens.list("device", device.id)[0] : undefined;
            const shown = token === undefined ? "" : shownToken(principal, token);
            return { ...presentDevice(device), bucket: device.id, token: shown };
          },
        },
      );
    },
  );

  app.handle(
    currentNetworkRoutes.deviceParamSet,
    { tokens: ["network"], rule: "own", body: deviceParams },
    ({ body, params, principal }) => {
      const device = needDevice(params.deviceID, principal);
      app.params.set(
        device.id,
        body.map(({ id, key, value, sent }) => ({
          ...(typeof id === "string" && { id }),
          ...(key !== undefined && { key }),
          ...(value !== undefined && { value }),
          ...(sent !== undefined && { sent }),
        })),
      );
      return "Device Configuration Parameter Updated";
    },
  );

  app.handle(middlewareRoutes.downlink, { body: downlink }, ({ body, now }) => {
    if (body.authorization === "") throw new PlatformError(400, "Authorization is missing");
    const service = authorizationOf(body.authorization);
    if (service.verificationCode === null || service.verificationCode === "") {
      throw new PlatformError(400, "Authorization is missing its additional parameter");
    }
    const found = withSerial(service.profile, body.device);
    if (found === undefined) throw new PlatformError(404, "Device Not Found");
    devices.touch(found.device.id, { last_output: new Date(now).toISOString() });
    const { authorization: _, ...frame } = body;
    app.outbox.add("downlink", { profile: service.profile, device_id: found.device.id, ...frame });
    return "Downlink accepted";
  });
}
