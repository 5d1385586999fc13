import { isRecord } from "../../lib/core/json.ts";
import { sqlRoutes } from "../../lib/resources/sql.ts";
import { sqlCreate, sqlExecute } from "../../schema/sql.ts";
import { actorOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { type BodySchema, created } from "../http/handler.ts";
import { checkDefaults, checkKeys, checkStatement } from "../sql/statement.ts";
import { sqlTables } from "../sql/tables.ts";
import type { EntityDocument } from "../store/document.ts";
import { refuseProtected } from "./kit.ts";

/** A statement as it was. Kept in the record, newest last. */
interface Version {
  readonly version: number;
  readonly query: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly version_id: string;
}

/** Most requests a minute that a query may be given. */
const MAX_RATE = 120;

const DEFAULTS = {
  description: "",
  params: [],
  cache_enabled: false,
  cache_ttl_seconds: 0,
  rate_limit_rpm: null,
  active: true,
  tags: [],
} as const;

function versionsOf(document: EntityDocument): readonly Version[] {
  return Array.isArray(document["versions"]) ? document["versions"] : [];
}

/** The record as it is answered: its versions without their statements. */
function present(document: EntityDocument): Record<string, unknown> {
  const versions = versionsOf(document).map(({ version, query: _, ...about }) => [version, about] as const);
  return { ...document, versions: Object.fromEntries(versions) };
}

/** The service of queries reads its bodies with a validator of its own. */
function stated<Body>(schema: BodySchema<Body>): BodySchema<Body> {
  return {
    safeParse: (body) => {
      const missing = ["name", "query"].find((field) => isRecord(body) && body[field] === undefined);
      if (missing !== undefined) throw new PlatformError(400, `Invalid JSON: missing field ${missing}`);
      return schema.safeParse(body);
    },
  };
}

/** Stored queries. They are kept with their earlier statements; running one checks it and gives no rows. */
export function registerSqlRoutes(app: App): void {
  const queries = app.collection("sql");
  const tell = (event: "create" | "edit" | "delete", document: EntityDocument): void => {
    app.signals.emit("resourceChanged", { profile: document.profile, kind: "sql", event, document });
  };
  const body = stated(sqlCreate);

  /** The record of a body: a version more when its statement is another than the last one. */
  const recordOf = (given: ReturnType<typeof sqlCreate.parse>, principal: Principal, versions: readonly Version[]) => {
    checkStatement(given.query);
    checkDefaults(given.query, given.params ?? []);
    if ((given.rate_limit_rpm ?? 0) > MAX_RATE) {
      throw new PlatformError(400, `You have exceeded the maximum limit of SQL Query Rate Limit (${MAX_RATE})`);
    }
    const last = versions.at(-1);
    const next: Version = {
      version: versions.length + 1,
      query: given.query,
      created_at: new Date(app.clock.now()).toISOString(),
      created_by: actorOf(app, principal),
      version_id: app.ids.uuid(),
    };
    const all = last?.query === given.query ? versions : [...versions, next];
    return { ...DEFAULTS, ...given, version: all.length, cache_version: all.length, versions: all };
  };

  app.handle(sqlRoutes.list, ({ profile, query }) => queries.list(profile, query, { present }));

  app.handle(sqlRoutes.create, { body }, ({ body, principal, profile }) => {
    const document = queries.insert(profile, recordOf(body, principal, []));
    tell("create", document);
    return created(present(document));
  });

  app.handle(sqlRoutes.tables, ({ profile, query }) => sqlTables(app, profile, query));

  app.handle(sqlRoutes.info, ({ params, profile }) => present(queries.need(params.sqlID, profile)));

  app.handle(sqlRoutes.edit, { body }, ({ body, params, principal, profile }) => {
    const before = queries.need(params.sqlID, profile);
    const document = queries.update(before.id, recordOf(body, principal, versionsOf(before)));
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

  app.handle(sqlRoutes.execute, { body: sqlExecute }, ({ body, params, profile }) => {
    const document = queries.need(params.sqlID, profile);
    if (document["active"] === false) throw new PlatformError(400, "SQL query is inactive");
    checkKeys(body?.params ?? []);
    return { columns: [], rows: [], row_count: 0, execution_ms: 0, served_from_cache: false };
  });
}
