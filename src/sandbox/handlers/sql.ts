import { isRecord } from "../../lib/core/json.ts";
import { sqlRoutes } from "../../lib/resources/sql.ts";
import { sqlCreate, sqlEdit, sqlExecute } from "../../schema/sql.ts";
import type { FullApp } from "../app.ts";
import { refuseProtected } from "../crud.ts";
import { matchesWildcard } from "../list-records.ts";
import { numberOf, textOf } from "../query-decode.ts";
import { created, type EntityDocument, PlatformError } from "../types.ts";

const DEFAULT_AMOUNT = 20;
const MAX_AMOUNT = 10_000;

/** A statement as it was. Kept in the record, newest last, and never shown with it. */
interface Version {
  readonly version: number;
  readonly query: string;
  readonly created_at: string;
}

function versionsOf(document: EntityDocument): readonly Version[] {
  return Array.isArray(document["versions"]) ? document["versions"] : [];
}

function present({ versions: _, ...shown }: EntityDocument): Record<string, unknown> {
  return shown;
}

/** A table as listed: an entity with its columns. */
function tableOf(entity: EntityDocument): Record<string, unknown> {
  const schema = isRecord(entity["schema"]) ? entity["schema"] : {};
  const columns = Object.entries(schema).map(([name, field]) => ({
    name,
    type: isRecord(field) ? field["type"] : null,
  }));
  return { id: entity.id, name: entity["name"], type: "entity", columns };
}

/** Stored queries. They are kept with their earlier statements; running one checks it and gives no rows. */
export function registerSqlRoutes(app: FullApp): void {
  const queries = app.collection("sql");
  const nowText = (): string => new Date(app.clock.now()).toISOString();
  const tell = (event: "create" | "edit" | "delete", document: EntityDocument): void => {
    app.signals.emit("resourceChanged", { profile: document.profile, kind: "sql", event, document });
  };

  app.handle(sqlRoutes.list, ({ profile, query }) => queries.list(profile, query, { present }));

  app.handle(sqlRoutes.create, { body: sqlCreate }, ({ body, profile }) => {
    const versions: Version[] = [{ version: 1, query: body.query, created_at: nowText() }];
    const document = queries.insert(profile, {
      active: true,
      tags: [],
      cache_ttl_seconds: 0,
      ...body,
      version: 1,
      versions,
    });
    tell("create", document);
    return created(present(document));
  });

  app.handle(sqlRoutes.tables, ({ profile, query }) => {
    const name = textOf(query["filter"]);
    const entityId = textOf(query["entity_id"]);
    const amount = Math.max(1, Math.min(MAX_AMOUNT, Math.trunc(numberOf(query["amount"]) ?? DEFAULT_AMOUNT)));
    const from = (Math.max(1, Math.trunc(numberOf(query["page"]) ?? 1)) - 1) * amount;
    return app
      .collection("entity")
      .all(profile)
      .filter((entity) => entityId === undefined || entity.id === entityId)
      .filter((entity) => name === undefined || matchesWildcard(String(entity["name"]), `*${name}*`))
      .slice(from, from + amount)
      .map(tableOf);
  });

  app.handle(sqlRoutes.info, ({ params, profile }) => present(queries.need(params.sqlID, profile)));

  app.handle(sqlRoutes.edit, { body: sqlEdit }, ({ body, params, profile }) => {
    const before = queries.need(params.sqlID, profile);
    const versions = versionsOf(before);
    const version = versions.length + 1;
    const isNew = body.query !== undefined && body.query !== before["query"];
    const next = isNew ? [...versions, { version, query: body.query, created_at: nowText() }] : versions;
    const document = queries.update(before.id, { ...body, versions: next, version: next.length });
    tell("edit", document);
    return present(document);
  });

  app.handle(sqlRoutes.delete, ({ params, profile }) => {
    const document = queries.need(params.sqlID, profile);
    refuseProtected(document);
    queries.remove(document.id);
    tell("delete", document);
    return { id: document.id };
  });

  app.handle(sqlRoutes.getVersion, ({ params, profile }) => {
    const versions = versionsOf(queries.need(params.sqlID, profile));
    const found = versions.find(({ version }) => String(version) === params.version);
    if (found === undefined) throw new PlatformError(404, "SQL Version Not Found");
    return found;
  });

  app.handle(sqlRoutes.execute, { body: sqlExecute }, ({ params, profile }) => {
    const document = queries.need(params.sqlID, profile);
    if (document["active"] === false) throw new PlatformError(400, "SQL is deactivated");
    return { columns: [], rows: [], row_count: 0 };
  });
}
