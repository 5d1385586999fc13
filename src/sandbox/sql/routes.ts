import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../lib/core/json.ts";
import { sqlRoutes } from "../../lib/resources/sql.ts";
import { sqlCreate, sqlExecute } from "../../schema/sql.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { creation, type Demand, portal, record, tagsOf, whole } from "../access/demands.ts";
import { actorOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { type BodySchema, created, type HandlerContext } from "../http/handler.ts";
import { refuseProtected, resource } from "../resource.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import { checkDefaults, checkKeys, usesSession } from "./checks.ts";
import type { Session } from "./expressions.ts";
import { sqlGaps } from "./refusals.ts";
import { SqlResults } from "./results.ts";
import { checkStored, runStatement, type SqlResult } from "./run.ts";
import { sqlTables } from "./tables.ts";

/** An earlier statement with its defaults. Stored in the record, newest last. */
interface Version {
  readonly version: number;
  readonly query: string;
  readonly params: readonly object[];
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

/** The record in the format of responses: its versions without their statements and defaults. */
function present(document: EntityDocument): Record<string, unknown> {
  const versions = versionsOf(document).map(({ version, query: _, params: __, ...about }) => [version, about] as const);
  const session_context = usesSession(String(document["query"]));
  return { ...document, session_context, versions: Object.fromEntries(versions) };
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
  tables: {
    subject: "GET /sql/tables",
    choice:
      "device_data_by_tag is the fifth table; columns beyond those of published examples are the sandbox's choice",
  },
} as const;

type Query = ReturnType<typeof sqlCreate.parse>;

/** The record for a body: with a new version when its statement or its defaults have changed. */
function recordOf(app: App, given: Query, { principal, profile }: HandlerContext, before?: EntityDocument) {
  checkStored(given.query, app.limits.planOf(profile));
  checkDefaults(given.query, given.params ?? []);
  if ((given.rate_limit_rpm ?? 0) > MAX_RATE) {
    throw new PlatformError(400, `You have exceeded the maximum limit of SQL Query Rate Limit (${MAX_RATE})`);
  }
  const versions = before === undefined ? [] : versionsOf(before);
  const params = given.params ?? [];
  const next: Version = {
    version: versions.length + 1,
    query: given.query,
    params,
    created_at: new Date(app.clock.now()).toISOString(),
    created_by: actorOf(app, principal),
    version_id: app.ids.uuid(),
  };
  const isSame = before?.["query"] === given.query && isDeepStrictEqual(paramsOf(before), params);
  const all = isSame ? versions : [...versions, next];
  const cacheVersion = before === undefined ? 1 : Number(before["cache_version"]) + 1;
  return {
    ...INITIAL,
    ...given,
    version: all.length,
    cache_version: cacheVersion,
    versions: all,
  };
}

const rule = (...actions: readonly string[]): Demand => record("sql", "sqlID", ...actions);

function serveChanges(app: App, queries: Collection): void {
  const body = stated(sqlCreate);

  app.on(sqlRoutes.create, { body, rule: creation("sql", "create") }, (context) =>
    created(present(queries.insert(context.profile, recordOf(app, context.body, context)))),
  );

  app.on(sqlRoutes.edit, { body, rule: rule("edit") }, (context) => {
    const before = queries.need(context.params.sqlID, context.profile);
    return present(queries.update(before.id, recordOf(app, context.body, context, before)));
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
    const { query, params: defaults = [], ...about } = found;
    return { ...about, query, params: defaults };
  });

  const results = new SqlResults(app.clock);
  const execution = {
    body: sqlExecute,
    rule: portal(rule("execute")),
    counts: "output",
    prepare: (context: HandlerContext) => execute(app, queries, results, context),
  } as const;
  // The statement ran in an earlier step, concurrently with other requests: its result is the body here.
  app.on(sqlRoutes.execute, execution, ({ body }) => body);
}

/** Stands for a tag that a user does not have: it is not null, and no tag equals it. */
const NO_TAG = randomUUID();

/** What session functions return: the owner of the profile is no user. */
function sessionOf(app: App, { kind, refId }: Principal): Session {
  if (kind !== "run_user") return { userId: null, tag: () => null };
  const tags = tagsOf(app.collection("run_user").get(refId)?.["tags"]);
  return { userId: refId, tag: (wanted) => tags.find(({ key }) => key === wanted)?.value ?? NO_TAG };
}

function execute(app: App, queries: Collection, results: SqlResults, context: HandlerContext): Promise<SqlResult> {
  const { assume, params, principal, profile } = context;
  const document = queries.need(String((params as Readonly<Record<string, string>>)["sqlID"]), profile);
  if (document["active"] === false) throw new PlatformError(400, "SQL query is inactive");
  const { params: sent = [], after_device: after, test } = sqlExecute.parse(context.body) ?? {};
  checkKeys(sent);
  const isSession = usesSession(String(document["query"]));
  if (isSession && principal.kind === "analysis") assume(sqlGaps.sessions);
  const values = new Map([...paramsOf(document), ...sent].map(({ key, value }) => [key, value] as const));
  const session = sessionOf(app, principal);
  const key = JSON.stringify([[...values], after, isSession ? session.userId : null]);
  const caller = { profile, plan: app.limits.planOf(profile), session, assume };
  return results.read(document, test === true ? undefined : key, () =>
    runStatement(app, caller, String(document["query"]), { values, after }),
  );
}

const { list, info } = sqlRoutes;

/** Stored queries, with their earlier statements and results. */
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
