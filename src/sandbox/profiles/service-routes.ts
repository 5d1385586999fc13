import { post, put } from "../../lib/api/route.ts";
import { profileServices, serviceTest } from "../../schema/profile.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Resource } from "../resource.ts";
import { readSetting, writeSetting } from "../store/settings.ts";
import { reachProfile } from "./accessible-profiles.ts";

/** Routes of the profile's own email and SMS services, which the library has no methods for. */
const serviceRoutes = {
  configure: put("/profile/:profileID/service"),
  test: post("/profile/:profileID/service/test/:serviceType"),
};

const SERVICES = "services";

const gaps = {
  services: {
    subject: "PUT /profile/{id}/service",
    choice: "stored, secrets are not checked; a test goes to the outbox; no service: 400",
  },
} as const;

const writes = { rule: "owner", permission: "full", gaps: [gaps.services] } as const;

function serve(app: App): void {
  const { db } = app;

  app.on(serviceRoutes.configure, { ...writes, body: profileServices }, ({ body, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    writeSetting(db, "profile", id, SERVICES, { ...readSetting(db, "profile", id, SERVICES), ...body });
    return "Successfully Updated";
  });

  app.on(serviceRoutes.test, { ...writes, body: serviceTest }, ({ body, params, principal }) => {
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

/** Email and SMS services of the profile: stored, and tested with a message to the outbox. */
export const profileServiceProviders: Resource = { gaps, serve };
