import { isRecord } from "../../lib/core/json.ts";
import { sqlRoutes } from "../../lib/resources/sql.ts";
import { sqlCreate, sqlExecute } from "../../schema/sql.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { creation, type Demand, portal, record, whole } from "../access/demands.ts";
import { actorOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { type BodySchema, created, type HandlerContext } from "../http/handler.ts";
import { refuseProtected, resource } from "../resource.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import { sqlGaps } from "./refusals.ts";
import { runStatement, type SqlResult } from "./run.ts";
import { checkDefaults, checkKeys, checkStatement } from "./statement.ts";
import { sqlTables } from "./tables.ts";

/** An earlier statement. Stored in the record, newest last. */
interface Version {
  readonly version: number;
  readonly query: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly version_id: string;
}

/** Highest limit of requests per minute of a query. */
const MAX_RATE = 120;

const INITIAL = {
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

/** The defaults of the parameters. */
const paramsOf = ({ params }: EntityDocument): Query["params"] & object => (Array.isArray(params) ? params : []);

/** The record in the format of responses: its versions without their statements. */
function present(document: EntityDocument): Record<string, unknown> {
  const versions = versionsOf(document).map(({ version, query: _, ...about }) => [version, about] as const);
  return { ...document, versions: Object.fromEntries(versions) };
}

/** The service of queries validates its bodies with another library. */
function stated<Body>(schema: BodySchema<Body>): BodySchema<Body> {
  return {
    schema,
    safeParse: (body) => {
      const missing = ["name", "query"].find((field) => isRecord(body) && body[field] === undefined);
      if (missing !== undefined) throw new PlatformError(400, `Invalid JSON: missing field ${missing}`);
      return schema.safeParse(body);
    },
  };
}

const gaps = {
  ...sqlGaps,
  created: { subject: "POST /sql", choice: "201", general: true },
  settings: { subject: "Cache and rate_limit_rpm of stored queries", choice: "stored, not applied" },
  statement: {
    subject: "Statements of stored queries",
    choice: "checked for their first word, their tables and aliases; names of tables and columns are not checked",
    general: true,
  },
  tables: {
    subject: "GET /sql/tables",
    choice:
      "the three tables whose names are known, of five, and the aggregate functions; columns of the sandbox's choice",
  },
} as const;

type Query = ReturnType<typeof sqlCreate.parse>;

/** The record for a body: with a new version when its statement has changed. */
function recordOf(app: App, given: Query, principal: Principal, versions: readonly Version[]) {
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
  return { ...INITIAL, ...given, version: all.length, cache_version: all.length, versions: all };
}

const isLimited = ({ cache_enabled, rate_limit_rpm }: Query): boolean =>
  cache_enabled === true || typeof rate_limit_rpm === "number";

const rule = (...actions: readonly string[]): Demand => record("sql", "sqlID", ...actions);

function serveChanges(app: App, queries: Collection): void {
  const body = stated(sqlCreate);

  app.on(sqlRoutes.create, { body, rule: creation("sql", "create") }, ({ assume, body, principal, profile }) => {
    if (isLimited(body)) assume(gaps.settings);
    return created(present(queries.insert(profile, recordOf(app, body, principal, []))));
  });

  app.on(sqlRoutes.edit, { body, rule: rule("edit") }, ({ assume, body, params, principal, profile }) => {
    const before = queries.need(params.sqlID, profile);
    if (isLimited(body)) assume(gaps.settings);
    return present(queries.update(before.id, recordOf(app, body, principal, versionsOf(before))));
  });

  app.on(sqlRoutes.delete, { rule: rule("delete") }, ({ params, profile }) => {
    const document = queries.need(params.sqlID, profile);
    refuseProtected(document);
    queries.remove(document.id);
    return { id: document.id };
  });
}

function serveUses(app: App, queries: Collection): void {
  app.on(sqlRoutes.tables, { rule: whole("sql", "access"), gaps: [gaps.tables] }, ({ profile, query }) =>
    sqlTables(app, profile, query),
  );

  app.on(sqlRoutes.getVersion, { rule: rule("access") }, ({ params, profile }) => {
    const versions = versionsOf(queries.need(params.sqlID, profile));
    const found = versions.find(({ version }) => String(version) === params.version);
    if (found === undefined) throw new PlatformError(404, "SQL Version Not Found");
    return found;
  });

  const execute = (context: HandlerContext): Promise<SqlResult> => {
    const { params, profile } = context;
    const document = queries.need(String((params as Readonly<Record<string, string>>)["sqlID"]), profile);
    if (document["active"] === false) throw new PlatformError(400, "SQL query is inactive");
    const sent = sqlExecute.parse(context.body)?.params ?? [];
    checkKeys(sent);
    const values = new Map([...paramsOf(document), ...sent].map(({ key, value }) => [key, value] as const));
    return runStatement(app, profile, String(document["query"]), values);
  };
  const execution = {
    body: sqlExecute,
    rule: portal(rule("execute")),
    counts: "output",
    gaps: [gaps.execution],
    prepare: execute,
  } as const;
  // The statement ran in an earlier step, concurrently with other requests: its result is the body here.
  app.on(sqlRoutes.execute, execution, ({ body }) => body);
}

const { list, info } = sqlRoutes;

/** Stored queries, with their earlier statements; running one checks it and returns no rows. */
export const storedQueries = resource({
  tables: { sqlRoutes },
  kind: "sql",
  thing: "SQL",
  keys: { name: "text", active: "boolean" },
  defaults: sqlRoutes.list.list ?? {},
  fixedFields: ["id", "name", "tags"],
  tagged: true,
  routes: { list, info },
  rule: "sql",
  portal: true,
  access: {
    label: "SQL",
    analysis: onRecords(...ORDINARY_ACTIONS, "execute"),
    runUser: onRecords("access", "execute"),
  },
  listed: present,
  shown: present,
  more: (app, records) => {
    serveChanges(app, records);
    serveUses(app, records);
  },
  gaps,
});
