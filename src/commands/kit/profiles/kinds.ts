import { readScript } from "../analyses/script-text.ts";
import { dashboardContent } from "../dashboards/content.ts";
import { createDashboard } from "../dashboards/create.ts";
import { readDashboard } from "../dashboards/read.ts";
import { readLanguage } from "../dictionaries/texts.ts";
import { isObject } from "../files/files.ts";
import { documentText, listOf } from "../folders/documents.ts";
import { resourceRoutes } from "../resource/routes.ts";
import { canonical } from "./canonical.ts";
import { keyIn } from "./key.ts";
import { bodyFor, documentOf, type ListedRow, type ResourceKind, without } from "./kind.ts";

/** A resource that has tags, and may have its key in them. */
function tagged({
  id,
  name,
  tags,
}: {
  readonly id: string;
  readonly name: string;
  readonly tags?: unknown;
}): ListedRow {
  const key = keyIn(tags);
  return { id, name, ...(key === undefined ? {} : { key }) };
}

/** Those of the catalogue belong to everybody. */
const listed = (row: { readonly id: string; readonly name: string }): ListedRow => ({
  id: row.id,
  name: row.name,
  isForeign: "public" in row && row.public === true,
});

const integrationFields = ["id", "name", "public"];

const network: ResourceKind = {
  name: "network",
  plural: "networks",
  route: resourceRoutes.network,
  async list({ integration }, page) {
    type Query = Parameters<typeof integration.networks.list>[0];
    const rows = await integration.networks.list({ ...page, fields: integrationFields } as Query);
    return rows.map(listed);
  },
  async fetch(_, { integration }, id) {
    const fields = [
      "id",
      "name",
      "description",
      "documentation_url",
      "icon_url",
      "logo_url",
      "banner_url",
      "middleware_endpoint",
      "device_parameters",
      "payload_decoder",
      "payload_encoder",
      "require_devices_access",
      "serial_number",
    ];
    return documentOf(await integration.networks.info(id, fields as ("id" | "name")[]));
  },
  clean: (found) => canonical(found, ["public"]),
  create: async ({ integration }, document) => (await integration.networks.create(bodyFor(without(document)))).network,
};

const connector: ResourceKind = {
  name: "connector",
  plural: "connectors",
  route: resourceRoutes.connector,
  async list({ integration }, page) {
    type Query = Parameters<typeof integration.connectors.list>[0];
    const rows = await integration.connectors.list({ ...page, fields: integrationFields } as Query);
    return rows.map(listed);
  },
  fetch: async (_, { integration }, id) => documentOf(await integration.connectors.info(id)),
  clean: (found) => canonical(found, ["public"]),
  create: async ({ integration }, document) =>
    (await integration.connectors.create(bodyFor(without(document)))).connector,
};

const deviceVolatile = ["last_input", "last_output", "inspected_at", "bucket", "data_retention", "rssi"];

const device: ResourceKind = {
  name: "device",
  plural: "devices",
  route: resourceRoutes.device,
  isTagged: true,
  async list({ devices }, page) {
    return (await devices.list({ ...page, fields: ["id", "name", "tags"] })).map(tagged);
  },
  async fetch(_, { devices }, id) {
    const [found, params] = await Promise.all([devices.info(id), devices.paramList(id)]);
    return { ...found, params };
  },
  clean(found) {
    const params = listOf(found["params"])
      .map((param) => ({ key: documentText(param, "key"), value: param["value"] }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return canonical({ ...found, params }, deviceVolatile);
  },
  create: async ({ devices }, document) => (await devices.create(bodyFor(without(document, "params")))).device_id,
};

/** Fields and indexes every entity has. */
const ownFields = ["id", "created_at", "updated_at"];
const ownIndexes = ["id_idx", "id_created_at_idx", "id_updated_at_idx"];

const entity: ResourceKind = {
  name: "entity",
  plural: "entities",
  route: resourceRoutes.entity,
  isTagged: true,
  async list({ entities }, page) {
    return (await entities.list({ ...page, fields: ["id", "name", "tags"] })).map(tagged);
  },
  fetch: async (_, { entities }, id) => documentOf(await entities.info(id)),
  clean(found) {
    const [schema, index] = [found["schema"], found["index"]];
    const own = {
      ...(isObject(schema) ? { schema: without(schema, ...ownFields) } : {}),
      ...(isObject(index) ? { index: without(index, ...ownIndexes) } : {}),
    };
    return canonical({ ...found, ...own }, []);
  },
  create: async ({ entities }, document) => (await entities.create(bodyFor(without(document)))).id,
};

const dictionary: ResourceKind = {
  name: "dictionary",
  plural: "dictionaries",
  route: resourceRoutes.dictionary,
  async list({ dictionaries }, page) {
    const rows = await dictionaries.list({ ...page, fields: ["id", "name", "slug"] });
    return rows.map(({ id, name, slug }) => ({ id, name, key: slug }));
  },
  async fetch(_, client, id) {
    const found = await client.dictionaries.info(id);
    const texts: Record<string, unknown> = {};
    for (const { code } of found.languages) texts[code] = await readLanguage(client, found, code);
    return { ...found, texts };
  },
  // The texts are for people: one of them may well be called PASSWORD.
  clean: (found) => canonical(found, [], false),
  create: async ({ dictionaries }, document) =>
    (await dictionaries.create(bodyFor(without(document, "texts")))).dictionary,
};

const secret: ResourceKind = {
  name: "secret",
  plural: "secrets",
  route: resourceRoutes.secret,
  async list({ secrets }, page) {
    return (await secrets.list({ ...page, fields: ["id", "key"] })).map(({ id, key }) => ({ id, name: key }));
  },
  fetch: async (_, { secrets }, id) => documentOf(await secrets.info(id)),
  // What a secret is called is no secret.
  clean: (found) => canonical(found, ["value_length"], false),
  skipped: "the files do not contain its value; use iot secret create",
};

const analysisVolatile = ["last_run", "console", "version", "versions", "locked_at", "secrets", "timeout"];

const analysis: ResourceKind = {
  name: "analysis",
  plural: "analyses",
  route: resourceRoutes.analysis,
  isTagged: true,
  async list(client, page) {
    return (await client.analysis.list({ ...page, fields: ["id", "name", "tags"] })).map(tagged);
  },
  async fetch(ctx, client, id) {
    const found = await client.analysis.info(id);
    // Variables are where people store credentials, so only their names are written.
    const variables = (found.variables ?? [])
      .map(({ key }) => ({ key: String(key) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const script = found.file_name ? (await readScript(ctx, id)).toString("utf8") : undefined;
    return { ...found, variables, ...(script === undefined ? {} : { script }) };
  },
  clean({ script, ...found }) {
    const document = canonical(found, analysisVolatile);
    return script === undefined ? document : { ...document, script };
  },
  async create(client, document) {
    const variables = listOf(document["variables"]).map((variable) => ({
      key: documentText(variable, "key"),
      value: "",
    }));
    const body = { ...without(document, "script", "file_name"), variables };
    return (await client.analysis.create(bodyFor(body))).id;
  },
};

const dashboard: ResourceKind = {
  name: "dashboard",
  plural: "dashboards",
  route: resourceRoutes.dashboard,
  isTagged: true,
  async list({ dashboards }, page) {
    const rows = await dashboards.list({ ...page, fields: ["id", "label", "tags"] });
    return rows.map(({ id, label, tags }) => tagged({ id, name: label, tags }));
  },
  async fetch(_, client, id) {
    // Several dashboards are read at a time, too.
    const { dashboard, widgets } = dashboardContent(await readDashboard(client, id, 4));
    return { ...dashboard, widgets };
  },
  clean({ widgets, ...found }) {
    return { ...canonical(found, []), widgets: listOf(widgets).map((widget) => canonical(widget, ["dashboard"])) };
  },
  create: (client, document) => createDashboard(client, without(document, "widgets", "arrangement")),
};

const runUserVolatile = ["last_login", "otp", "custom_preferences", "agreements"];

const runUser: ResourceKind = {
  name: "run-user",
  plural: "portal users",
  route: resourceRoutes.user,
  isTagged: true,
  async list({ run }, page) {
    const rows = await run.listUsers({ ...page, fields: ["id", "name", "email", "tags"] });
    return rows.map(({ id, email, tags }) => ({
      ...tagged({ id, name: email, tags }),
      // The anonymous user is made with the portal.
      isForeign: /^anonymous@[0-9a-f]{24}\.invalid$/.test(email),
    }));
  },
  fetch: async (_, { run }, id) => documentOf(await run.userInfo(id)),
  clean: (found) => canonical(found, runUserVolatile),
  async create({ run }, document) {
    // Nobody knows it: the user asks the portal for a new one.
    const { randomBytes } = await import("node:crypto");
    const password = `${randomBytes(24).toString("base64url")}-aA1!`;
    return (await run.userCreate(bodyFor({ ...without(document), password }))).user;
  },
};

const action: ResourceKind = {
  name: "action",
  plural: "actions",
  route: resourceRoutes.action,
  isTagged: true,
  async list({ actions }, page) {
    return (await actions.list({ ...page, fields: ["id", "name", "tags"] })).map(tagged);
  },
  fetch: async (_, { actions }, id) => documentOf(await actions.info(id)),
  clean: (found) => canonical(found, ["last_triggered"]),
  create: async ({ actions }, document) => (await actions.create(bodyFor(without(document)))).action,
};

const access: ResourceKind = {
  name: "access",
  plural: "access rules",
  route: resourceRoutes.access,
  isTagged: true,
  async list({ accessManagement }, page) {
    return (await accessManagement.list({ ...page, fields: ["id", "name", "tags"] })).map(tagged);
  },
  fetch: async (_, { accessManagement }, id) => documentOf(await accessManagement.info(id)),
  clean: (found) => canonical(found, []),
  create: async ({ accessManagement }, document) => (await accessManagement.create(bodyFor(without(document)))).am_id,
};

const query: ResourceKind = {
  name: "query",
  plural: "stored queries",
  route: resourceRoutes.sql,
  isTagged: true,
  async list({ sql }, page) {
    return (await sql.list({ ...page, fields: ["id", "name", "tags"] })).map(tagged);
  },
  fetch: async (_, { sql }, id) => documentOf(await sql.info(id)),
  clean: (found) => canonical(found, ["version", "versions", "cache_version", "session_context"]),
  create: async ({ sql }, document) => (await sql.create(bodyFor(without(document)))).id,
};

/** What of a core instance belongs into files. */
const coreKept = ["id", "name", "active", "tags"];

const core: ResourceKind = {
  name: "core",
  plural: "core instances",
  route: "/tcore",
  list: ({ tagocores }, page) => tagocores.list({ ...page, fields: ["id", "name"] }),
  fetch: async (_, { tagocores }, id) => documentOf(await tagocores.info(id)),
  clean: (found) => canonical(Object.fromEntries(Object.entries(found).filter(([key]) => coreKept.includes(key))), []),
  skipped: "instances cannot be created from files",
};

const portal: ResourceKind = {
  name: "portal",
  plural: "portals",
  route: "/run",
  async list({ run }, { page }) {
    const { profile, name } = await run.info();
    return page === 1 ? [{ id: profile, name }] : [];
  },
  fetch: async (_, { run }, id) => ({ ...(await run.info()), id }),
  clean: (found) => canonical(found, ["url", "anonymous_token"]),
  skipped: "every profile already has one; use iot run update --input",
};

/** Kinds in the order they are made in: each after those it refers to. */
export const kinds: readonly ResourceKind[] = [
  network,
  connector,
  device,
  entity,
  dictionary,
  secret,
  query,
  analysis,
  dashboard,
  runUser,
  action,
  access,
  core,
  portal,
];
