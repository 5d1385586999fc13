import { deviceRoutes } from "../../lib/resources/devices.ts";
import { deviceTokenCreate } from "../../schema/device.ts";
import { named, record, tokenOwner } from "../access/demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { refuseMore, shownToken } from "../http/auth.ts";
import { created } from "../http/handler.ts";
import type { Resource } from "../resource.ts";
import { listRecords } from "../store/list-records.ts";
import { cleanSerial } from "./serial-number.ts";

const { tokenList, tokenCreate, tokenDelete } = deviceRoutes;

const reading = { rule: record("device", "deviceID", "token_access") };
const creating = {
  rule: named("device", "device", "token_access"),
  body: deviceTokenCreate,
};
const deleting = { rule: tokenOwner("device", "token", "token_access") };

function serve(app: App): void {
  const devices = app.collection("device");

  app.on(tokenList, reading, ({ params, principal, profile, query }) => {
    const device = devices.need(params.deviceID, profile);
    const rows = app.tokens.list("device", device.id).map((token) => ({
      token: shownToken(principal, token),
      device_id: device.id,
      network_id: device["network"],
      name: token.name,
      permission: token.permission,
      serie_number: token.serieNumber,
      last_authorization: token.lastAuthorization,
      expire_time: token.expireTime,
      created_at: token.createdAt,
    }));
    return listRecords(rows, query, tokenList.list ?? {});
  });

  app.on(tokenCreate, creating, ({ body, principal, profile }) => {
    const device = devices.need(body.device, profile);
    refuseMore(principal, body.permission);
    const network = app.collection("network").get(String(device["network"]));
    const serial = body.serie_number && cleanSerial(network, body.serie_number);
    const token = app.tokens.create({
      kind: "device",
      profile,
      refId: device.id,
      name: body.name,
      permission: body.permission,
      expireTime: body.expire_time || "never",
      serieNumber: serial ?? null,
      verificationCode: body.verification_code ?? null,
    });
    return created({
      token: token.token,
      permission: token.permission,
      expire_date: token.expireTime,
      expire_time: token.expireTime,
    });
  });

  app.on(tokenDelete, deleting, ({ params, profile }) => {
    const token = app.tokens.find(params.token);
    if (token === undefined || token.kind !== "device" || token.profile !== profile) {
      throw new PlatformError(404, "Token Not Found");
    }
    app.tokens.remove(token.token);
    return "Token Successfully Removed";
  });
}

/** Tokens of devices. */
export const deviceTokens: Resource = { serve };
