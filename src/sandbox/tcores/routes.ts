import { isRecord } from "../../lib/core/json.ts";
import { tagocoreRoutes } from "../../lib/resources/tagocores.ts";
import { tcoreEdit } from "../../schema/tcore.ts";
import { type Demand, tagsOf, whole } from "../access/demands.ts";
import type { App } from "../app.ts";
import { isId } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import { booleanOf } from "../core/query.ts";
import type { HandlerContext } from "../http/handler.ts";
import { clientMembers, type Resource, refuseProtected } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import type { RecordKind } from "../store/kinds.ts";
import { listRecords } from "../store/list-records.ts";

const gaps = {
  unknown: { subject: "Unknown TCore", choice: "404 TCore Not Found" },
  devices: { subject: "Devices of a TCore", choice: "through tcore= only" },
} as const;

const kind: RecordKind = {
  kind: "tcore",
  thing: "TCore",
  keys: {
    name: "text",
    active: "boolean",
    connected: "boolean",
    machine_id: "text",
    tcore_version: "text",
    last_connection: "date",
    system_start_time: "date",
    tcore_start_time: "date",
  },
  defaults: tagocoreRoutes.list.list ?? {},
  // Its own route returns it, listeners do not get it.
  hidden: ["token"],
  tagged: true,
  amounts: ["tcore"],
};

/** Fields the list omits; the devices have their own routes. */
function listed(core: EntityDocument): Record<string, unknown> {
  const { devices: _, token: __, computer_usage: ___, os: ____, summary: _____, ...shown } = core;
  return shown;
}

function needCore(app: App, id: string, profile: string): EntityDocument {
  const cores = app.collection("tcore");
  if (isId(id) && cores.get(id)?.profile !== profile)
    throw new PlatformError(404, "TCore Not Found").assumed(gaps.unknown);
  return cores.need(id, profile);
}

type Context = Pick<HandlerContext, "assume" | "principal" | "profile" | "query">;

function devicesOf(app: App, tcore: string, { assume, profile }: Context): Record<string, unknown>[] {
  assume(gaps.devices);
  const { devices } = needCore(app, tcore, profile);
  return Array.isArray(devices) ? devices.filter(isRecord) : [];
}

/** The devices of a core instance that the caller can see: `GET /device?tcore=`. */
export function standaloneDevices(app: App, tcore: string, context: Context) {
  const devices = devicesOf(app, tcore, context).filter(({ id, tags }) =>
    app.policy.allows(context.principal, "device", ["access"], { id: String(id), tags: tagsOf(tags) }),
  );
  return listRecords(devices, context.query, tagocoreRoutes.standaloneDeviceList.list ?? {});
}

/** One of them: `GET /device/:id?tcore=`. */
export function standaloneDevice(app: App, tcore: string, id: string, context: Context): Record<string, unknown> {
  const device = devicesOf(app, tcore, context).find((item) => item["id"] === id);
  if (device === undefined) throw new PlatformError(404, "Device Not Found");
  return device;
}

const ruled = (action: string): Demand => whole("tcore", action);
function serve(app: App): void {
  const cores = app.collection("tcore");

  app.on(tagocoreRoutes.list, { rule: ruled("access") }, ({ profile, query }) =>
    cores.list(profile, query, { present: listed }),
  );

  app.on(tagocoreRoutes.info, { rule: ruled("access") }, ({ params, profile, query }) => {
    const { devices, summary, ...core } = needCore(app, params.tagoCoreID, profile);
    return booleanOf(query["summary"]) === true ? { ...core, summary } : core;
  });

  app.on(tagocoreRoutes.edit, { rule: ruled("edit"), body: tcoreEdit }, ({ body, params, profile }) => {
    cores.update(needCore(app, params.tagoCoreID, profile).id, clientMembers(body));
    return "Successfully Updated";
  });

  app.on(tagocoreRoutes.delete, { rule: ruled("delete") }, ({ params, profile }) => {
    const core = needCore(app, params.tagoCoreID, profile);
    refuseProtected(core);
    cores.remove(core.id);
    return "Successfully Removed";
  });

  const generation = { rule: ruled("token_access"), permission: "write" } as const;
  app.on(tagocoreRoutes.tokenGenerate, generation, ({ params, profile }) => {
    const core = needCore(app, params.tagoCoreID, profile);
    const token = app.ids.uuid();
    app.signals.quietly(() => cores.update(core.id, { token }));
    return { token };
  });
}

/** Core instances: those of the seed can be read, edited and deleted. Rules apply to all of them together. */
export const tcores: Resource = {
  tables: { tagocoreRoutes },
  records: [kind],
  gaps,
  serve,
};
