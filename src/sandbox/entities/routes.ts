import { post } from "../../lib/api/route.ts";
import { entityRoutes } from "../../lib/resources/entities.ts";
import {
  entityBackup,
  entityCreate,
  entityEdit,
  entityRowIds,
  entityRows,
  entitySchemaEdit,
} from "../../schema/entity.ts";
import { DATA_ACTIONS, ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { type Demand, portal, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import type { Gap } from "../core/gap.ts";
import { perPlan } from "../core/plans.ts";
import { PlatformError } from "../core/platform-error.ts";
import { listOf } from "../core/query.ts";
import { checkBody } from "../http/check-body.ts";
import type { HandlerContext } from "../http/handler.ts";
import { parserOf, runParsers } from "../ingest/decode.ts";
import { resource } from "../resource.ts";
import type { ResourceEvent } from "../signals.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import { applyChanges, newSchema } from "./changes.ts";
import { csvOf } from "./csv.ts";
import { entityGaps } from "./gaps.ts";
import { isDiscarded, type ShownRow } from "./rows.ts";

const entityBackupRoute = post("/entity/:entityID/data/backup");

/** Most rows in one request that deletes some. */
const MAX_DELETED = 10;
/** Above the default: a hundred rows of up to a megabyte each would be rejected. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

const UPDATED = { message: "Entity Successfully Updated" } as const;

const LIST_FIELDS = ["id", "profile", "name", "created_at", "updated_at"] as const;

const rule = (...actions: readonly string[]): Demand => record("entity", "entityID", ...actions);
const canRead = portal(rule("get_data", "access"));

type Assume = (gap: Gap) => void;

function assumeTypes(assume: Assume, fields: Readonly<Record<string, object>> = {}): void {
  const types = Object.values(fields).map((field) => ("type" in field ? field.type : undefined));
  if (types.includes("boolean") || types.includes("uuid")) assume(entityGaps.types);
}

function serveEdits(app: App, entities: Collection): void {
  app.on(entityRoutes.edit, { body: entityEdit, rule: rule("edit") }, ({ body, params, profile }) => {
    entities.update(entities.need(params.entityID, profile).id, body);
    return UPDATED;
  });

  const schema = { body: entitySchemaEdit, rule: rule("edit") };
  app.on(entityRoutes.editSchemaIndex, schema, ({ assume, body, params, profile }) => {
    const entity = entities.need(params.entityID, profile);
    assumeTypes(assume, body.schema);
    entities.update(entity.id, { ...applyChanges(entity, body, app.entityRows) });
    return UPDATED;
  });
}

function serveReads(app: App, entities: Collection): void {
  const { entityRows: rows, files } = app;
  app.on(entityRoutes.amount, { rule: canRead }, ({ params, profile }) =>
    rows.amount(entities.need(params.entityID, profile).id),
  );
  app.on(entityRoutes.getEntityData, { rule: canRead }, ({ params, profile, query }) =>
    rows.list(entities.need(params.entityID, profile), query),
  );

  const backup = { body: entityBackup, rule: rule("get_data", "access") };
  app.on(entityBackupRoute, backup, ({ body: order, params, profile }) => {
    const entity = entities.need(params.entityID, profile);
    const address = order.file_address.toLowerCase().endsWith(".csv")
      ? order.file_address
      : `${order.file_address}.csv`;
    const content = Buffer.from(csvOf(entity, rows.all(entity), order.headers === true));
    const { path } = files.put(profile, address, { content, contentType: "text/csv; charset=utf-8" });
    return { file_address: path };
  });
}

function serveWrites(app: App, entities: Collection): void {
  const rows = app.entityRows;

  const publish = (entity: EntityDocument, event: ResourceEvent, records: readonly ShownRow[]): void => {
    if (records.length === 0) return;
    app.signals.emit("entityDataChanged", { profile: entity.profile, entity, event, records });
  };

  const parsersOf = (entity: EntityDocument) => parserOf("entity", entity["payload_decoder"]);

  /** The rows after the entity's parser. */
  const parsed = ({ body, params, profile }: HandlerContext<"/entity/:entityID/data">): unknown => {
    const parsers = parsersOf(entities.need(params.entityID, profile));
    if (parsers.length === 0) return undefined;
    const left = runParsers(app, { profile, parsers, body, inspect: () => {} });
    return left.then((rows) => checkBody(entityRows, rows ?? []));
  };

  const body = { body: entityRows, maxBodyBytes: MAX_BODY_BYTES };
  const sending = { ...body, rule: rule("send_data", "edit"), prepare: parsed };
  app.on(entityRoutes.sendEntityData, sending, ({ assume, body: given, params, profile }) => {
    const entity = entities.need(params.entityID, profile);
    if (given.some(isDiscarded)) assume(entityGaps.ownDates);
    const stored = rows.add(entity, given);
    publish(entity, "create", stored);
    return `${stored.length} Data Added`;
  });

  const editing = { ...body, rule: rule("edit_data", "edit") };
  app.on(entityRoutes.editEntityData, editing, ({ assume, body: given, params, profile }) => {
    const entity = entities.need(params.entityID, profile);
    if (parsersOf(entity).length > 0) assume(entityGaps.parsers);
    const changed = rows.edit(entity, given);
    publish(entity, "edit", changed);
    return `${changed.length} item(s) updated`;
  });

  const canDelete = rule("delete_data", "edit");
  const deleting = { body: entityRowIds, rule: canDelete };
  app.on(entityRoutes.deleteEntityData, deleting, ({ body: { ids }, params, profile }) => {
    const entity = entities.need(params.entityID, profile);
    if (ids.length > MAX_DELETED) {
      throw new PlatformError(400, `You have exceeded the maximum number of ${MAX_DELETED} items in a single request`);
    }
    const gone = rows.remove(entity, ids);
    publish(entity, "delete", gone);
    return `${gone.length} item(s) deleted`;
  });
  app.on(entityRoutes.emptyEntityData, { rule: canDelete }, ({ params, profile }) => {
    rows.empty(entities.need(params.entityID, profile).id);
    return "Data Successfully Removed";
  });
}

const { edit: _edit, ...ordinary } = entityRoutes;

/** Entities, their schema and their rows. */
export const entities = resource({
  tables: { entityRoutes },
  kind: "entity",
  thing: "Entity",
  keys: { name: "text" },
  defaults: { ...entityRoutes.list.list, fields: LIST_FIELDS },
  most: perPlan(5, 50, 80),
  tagged: true,
  routes: ordinary,
  rule: "entity",
  portal: true,
  access: {
    label: "Entity",
    analysis: onRecords(...ORDINARY_ACTIONS, ...DATA_ACTIONS),
    runUser: onRecords("access"),
  },
  create: { body: entityCreate, status: 200 },
  removed: "Entity Successfully Removed",
  initial: { payload_decoder: null },
  prepare: (_, body, { assume }) => {
    assumeTypes(assume, body.schema);
    return { ...body, ...newSchema(body.schema ?? {}, body.index ?? {}) };
  },
  listed: (entity, { assume, query }) => {
    const known: readonly string[] = [...LIST_FIELDS, "tags"];
    if (listOf(query["fields"]).some((field) => !known.includes(field))) assume(entityGaps.listFields);
    return entity;
  },
  more: (app, records) => {
    serveEdits(app, records);
    serveReads(app, records);
    serveWrites(app, records);
  },
  gaps: entityGaps,
});
