import { currentDeviceRoutes } from "../../lib/clients/device.ts";
import { deviceRoutes } from "../../lib/resources/devices.ts";
import { deviceParamSent, deviceParams } from "../../schema/device.ts";
import { type Demand, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { requireId } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import { booleanOf } from "../core/query.ts";
import { created, type HandlerContext } from "../http/handler.ts";
import type { Resource } from "../resource.ts";
import { type ParamChange, paramGaps } from "../store/params.ts";

const gaps = {
  ...paramGaps,
  downlink: { subject: "Parameter downlink", choice: "kept like any other: the next uplink sends nothing" },
} as const;

type Sent = { readonly [Name in keyof ParamChange]?: ParamChange[Name] | null | undefined };

/** Adds parameters to a device, or changes those with an id. */
export function setParams(
  app: App,
  deviceId: string,
  { assume, body }: Pick<HandlerContext<string, readonly Sent[]>, "assume" | "body">,
): void {
  if (body.some(({ key }) => key === "downlink")) assume(gaps.downlink);
  const changes = body.map(({ id, key, value, sent }) => ({
    ...(typeof id === "string" && { id }),
    ...(typeof key === "string" && { key }),
    ...(typeof value === "string" && { value }),
    ...(typeof sent === "boolean" && { sent }),
  }));
  app.params.set(deviceId, changes);
}

const device = (action: string): Demand => record("device", "deviceID", action);
const own = { rule: "own", tokens: ["device"] } as const;
function serve(app: App): void {
  const devices = app.collection("device");

  const reading = { rule: device("access") };
  app.on(deviceRoutes.paramList, reading, ({ params, profile, query }) =>
    app.params.list(devices.need(params.deviceID, profile).id, booleanOf(query["sent_status"])),
  );

  app.on(deviceRoutes.paramSet, { rule: device("edit"), body: deviceParams }, (context) => {
    setParams(app, devices.need(context.params.deviceID, context.profile).id, context);
    return created("Params Successfully Updated");
  });

  app.on(deviceRoutes.paramRemove, { rule: device("edit") }, ({ params, profile }) => {
    const { id } = devices.need(params.deviceID, profile);
    const paramId = requireId(params.paramID, "Device Param");
    if (!app.params.remove(id, paramId)) throw new PlatformError(404, "Device Param Not Found");
    return "Successfully Removed";
  });

  app.on(currentDeviceRoutes.getParameters, own, ({ principal, query }) =>
    app.params.list(principal.refId, booleanOf(query["sent_status"])),
  );

  const marking = { ...own, body: deviceParamSent };
  app.on(currentDeviceRoutes.setParameterAsRead, marking, ({ body, params, principal }) => {
    app.params.set(principal.refId, [{ id: requireId(params.parameterID, "Device Param"), sent: body.sent }]);
    return "Params Successfully Updated";
  });
}

/** Configuration parameters, for administrators and for the device itself. */
export const deviceParameters: Resource = { gaps, serve };
