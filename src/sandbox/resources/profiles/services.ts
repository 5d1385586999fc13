import { post, put } from "../../../lib/api/route.ts";
import { profileServices, serviceTest } from "../../../schema/profile.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { OldOptions } from "../../http/old-facts.ts";
import { readSetting, writeSetting } from "../../store/settings.ts";
import { reachProfile } from "./reach.ts";

/** Routes of the profile's own mail and SMS services, which the library has no calls for. */
const serviceRoutes = {
  configure: put("/profile/:profileID/service"),
  test: post("/profile/:profileID/service/test/:serviceType"),
};

const SERVICES = "services";

const owners: OldOptions = { tokens: ["profile"], permission: "full" };

/** Who sends the mail and SMS of a profile: stored, and tried with a message into the outbox. */
export function registerProfileServiceRoutes(app: App): void {
  const { db } = app;

  app.handle(serviceRoutes.configure, { ...owners, body: profileServices }, ({ body, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    writeSetting(db, "profile", id, SERVICES, { ...readSetting(db, "profile", id, SERVICES), ...body });
    return "Successfully Updated";
  });

  app.handle(serviceRoutes.test, { ...owners, body: serviceTest }, ({ body, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    const type = params.serviceType;
    if (type !== "email" && type !== "sms") throw new PlatformError(400, "Invalid service type");
    const service = readSetting(db, "profile", id, SERVICES)?.[type];
    if (service === undefined) throw new PlatformError(400, `The ${type} service is not configured`);
    const message_id = app.ids.uuid();
    app.outbox.add(type, { profile: id, ...body, message_id });
    return { message: "Test message sent", message_id };
  });
}
