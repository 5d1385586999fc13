import { entityRoutes } from "../../lib/resources/entities.ts";
import {
  entityBackup,
  entityCreate,
  entityEdit,
  entityRowIds,
  entityRows,
  entitySchemaEdit,
} from "../../schema/entity.ts";
import { entityBackupRoute } from "../access/resource-demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { applyChanges, newSchema } from "../entities/changes.ts";
import { csvOf } from "../entities/csv.ts";
import type { ShownRow } from "../entities/rows.ts";
import { checkBody } from "../http/check-body.ts";
import type { HandlerContext } from "../http/handler.ts";
import { parserOf, runParsers } from "../ingest/decode.ts";
import type { ResourceEvent } from "../signals.ts";
import type { EntityDocument } from "../store/document.ts";
import { crud } from "./crud.ts";

/** Rows of one request that deletes some. */
const MAX_DELETED = 10;
/** A hundred rows of up to a megabyte each would not be JSON of ours. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

const UPDATED = "Entity Successfully Updated";

/** Entities, their schema and their rows. */
export function registerEntityRoutes(app: App): void {
  const entities = app.collection("entity");
  const rows = app.entityRows;

  const { list, info, create, delete: remove } = entityRoutes;
  crud(app, { list, info, create, delete: remove }, "entity", {
    create: entityCreate,
    createdStatus: 200,
    defaults: { payload_decoder: null },
    removed: "Entity Successfully Removed",
    prepare: (body) => ({ ...body, ...newSchema(body.schema ?? {}, body.index ?? {}) }),
  });

  app.handle(entityRoutes.edit, { body: entityEdit }, ({ body, params, principal, profile }) => {
    const document = entities.update(entities.need(params.entityID, profile).id, body);
    app.signals.emit("resourceChanged", { profile, kind: "entity", event: "edit", document, principal });
    return { message: UPDATED };
  });

  app.handle(entityRoutes.editSchemaIndex, { body: entitySchemaEdit }, ({ body, params, principal, profile }) => {
    const entity = entities.need(params.entityID, profile);
    const document = entities.update(entity.id, { ...applyChanges(entity, body, rows) });
    app.signals.emit("resourceChanged", { profile, kind: "entity", event: "edit", document, principal });
    return { message: UPDATED };
  });

  const tell = (entity: EntityDocument, event: ResourceEvent, records: readonly ShownRow[]): void => {
    if (records.length === 0) return;
    app.signals.emit("entityDataChanged", { profile: entity.profile, entity, event, records });
  };

  app.handle(entityRoutes.amount, ({ params, profile }) => rows.amount(entities.need(params.entityID, profile).id));
  app.handle(entityRoutes.getEntityData, ({ params, profile, query }) =>
    rows.list(entities.need(params.entityID, profile), query),
  );

  /** The rows as the entity's parser leaves them. */
  const parsed = ({ body, params, profile }: HandlerContext<"/entity/:entityID/data">): unknown => {
    const parsers = parserOf("entity", entities.need(params.entityID, profile)["payload_decoder"]);
    if (parsers.length === 0) return undefined;
    const left = runParsers(app, { profile, parsers, body, inspect: () => {} });
    return left.then((rows) => checkBody(entityRows, rows ?? []));
  };

  const body = { body: entityRows, maxBodyBytes: MAX_BODY_BYTES };
  app.handle(entityRoutes.sendEntityData, { ...body, prepare: parsed }, ({ body: given, params, profile }) => {
    const entity = entities.need(params.entityID, profile);
    const stored = rows.add(entity, given);
    tell(entity, "create", stored);
    return `${stored.length} Data Added`;
  });
  app.handle(entityRoutes.editEntityData, body, ({ body: given, params, profile }) => {
    const entity = entities.need(params.entityID, profile);
    const changed = rows.edit(entity, given);
    tell(entity, "edit", changed);
    return `${changed.length} item(s) updated`;
  });
  app.handle(entityRoutes.deleteEntityData, { body: entityRowIds }, ({ body: { ids }, params, profile }) => {
    const entity = entities.need(params.entityID, profile);
    if (ids.length > MAX_DELETED) {
      throw new PlatformError(400, `You have exceeded the maximum number of ${MAX_DELETED} items in a single request`);
    }
    const gone = rows.remove(entity, ids);
    tell(entity, "delete", gone);
    return `${gone.length} item(s) deleted`;
  });
  app.handle(entityRoutes.emptyEntityData, ({ params, profile }) => {
    rows.empty(entities.need(params.entityID, profile).id);
    return "Data Successfully Removed";
  });

  app.handle(entityBackupRoute, { body: entityBackup }, ({ body: order, params, profile }) => {
    const entity = entities.need(params.entityID, profile);
    const address = order.file_address.toLowerCase().endsWith(".csv")
      ? order.file_address
      : `${order.file_address}.csv`;
    const content = Buffer.from(csvOf(entity, rows.all(entity), order.headers === true));
    const { path } = app.files.put(profile, address, { content, contentType: "text/csv; charset=utf-8" });
    return { file_address: path };
  });
}
