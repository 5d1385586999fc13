import { isRecord } from "../../lib/core/json.ts";
import { tagocoreRoutes } from "../../lib/resources/tagocores.ts";
import { tcoreEdit } from "../../schema/tcore.ts";
import { tagsOf } from "../access/demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import type { QueryObject } from "../core/query.ts";
import { booleanOf } from "../core/query.ts";
import type { EntityDocument } from "../store/document.ts";
import { listRecords } from "../store/list-records.ts";
import { crud } from "./crud.ts";

/** Members the list leaves out; the devices have routes of their own. */
function listed(core: EntityDocument): Record<string, unknown> {
  const { devices: _, token: __, computer_usage: ___, os: ____, summary: _____, ...shown } = core;
  return shown;
}

function devicesOf(core: EntityDocument): Record<string, unknown>[] {
  return Array.isArray(core["devices"]) ? core["devices"].filter(isRecord) : [];
}

/** The devices that live on a core instance and the caller may see: `GET /device?tcore=`. */
export function standaloneDevices(app: App, tcore: string, principal: Principal, query: QueryObject) {
  const devices = devicesOf(app.collection("tcore").need(tcore, principal.profile)).filter(({ id, tags }) =>
    app.policy.allows(principal, "device", ["access"], { id: String(id), tags: tagsOf(tags) }),
  );
  return listRecords(devices, query, tagocoreRoutes.standaloneDeviceList.list ?? {});
}

/** One of them: `GET /device/:id?tcore=`. */
export function standaloneDevice(app: App, tcore: string, profile: string, id: string): Record<string, unknown> {
  const device = devicesOf(app.collection("tcore").need(tcore, profile)).find((item) => item["id"] === id);
  if (device === undefined) throw new PlatformError(404, "Device Not Found");
  return device;
}

/** Core instances: those of the seed can be read, edited and deleted. */
export function registerTcoreRoutes(app: App): void {
  const cores = app.collection("tcore");
  crud(app, { edit: tagocoreRoutes.edit, delete: tagocoreRoutes.delete }, "tcore", { edit: tcoreEdit });

  app.handle(tagocoreRoutes.list, ({ profile, query }) => cores.list(profile, query, { present: listed }));
  app.handle(tagocoreRoutes.info, ({ params, profile, query }) => {
    const { devices, summary, ...core } = cores.need(params.tagoCoreID, profile);
    return booleanOf(query["summary"]) === true ? { ...core, summary } : core;
  });
  app.handle(tagocoreRoutes.tokenGenerate, { permission: "write" }, ({ params, profile }) => {
    const core = cores.need(params.tagoCoreID, profile);
    const token = app.ids.uuid();
    cores.update(core.id, { token });
    return { token };
  });
}
