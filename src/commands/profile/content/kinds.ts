import type { Resources } from "../../../index.ts";
import { isRuntime, runtimeOf } from "../../analysis/runtimes.ts";
import { readScript } from "../../analysis/script-text.ts";
import { contentOf } from "../../dashboard/files/canonical.ts";
import { readDashboard } from "../../dashboard/migrate/scan.ts";
import { readLanguage } from "../../dictionary/texts.ts";
import type { CommandContext } from "../../kit/context.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { listOf, textOf } from "../../kit/folders/documents.ts";
import { canonical } from "./canonical.ts";

/** A resource of a profile, as its file says it. */
export interface Entry {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly document: JsonObject;
  /** Its file in an exported folder: `device/pump--65a1….json`. */
  readonly file?: string;
}

interface Page {
  readonly page: number;
  readonly amount: number;
}

/** A resource in a list. */
export interface ListedRow {
  readonly id: string;
  readonly name: string;
  /** Belongs to the platform's catalogue, or is made by the platform itself. */
  readonly isForeign?: boolean;
}

/** A kind of resource: how it is listed, read and made. */
export interface Kind {
  /** Word for `--include`: the noun of the command line. */
  readonly name: string;
  readonly plural: string;
  /** Route of its resources, for `--dry-run`. */
  readonly route: string;
  list(client: Resources, page: Page): Promise<readonly ListedRow[]>;
  /** The whole document as its file says it. */
  read(ctx: CommandContext, client: Resources, id: string): Promise<JsonObject>;
  /** Makes the resource; resolves to its id. Absent where that cannot be done from a file. */
  create?(client: Resources, document: JsonObject): Promise<string>;
  /** What follows the creation and needs the id. */
  finish?(client: Resources, id: string, document: JsonObject): Promise<void>;
  /** Why an import leaves it out. */
  readonly skipped?: string;
}

/** Members without those that only the file has. */
function without(document: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key !== "id" && !names.includes(key)));
}

/** A body that the platform checks: what a file says has no type before that. */
const bodyFor = <Body>(document: JsonObject): Body => document as unknown as Body;

const documentOf = (value: object): JsonObject => ({ ...value });

/** Those of the catalogue belong to everybody. */
const listed = (row: { readonly id: string; readonly name: string }): ListedRow => ({
  id: row.id,
  name: row.name,
  isForeign: "public" in row && row.public === true,
});

const integrationFields = ["id", "name", "public"];

const network: Kind = {
  name: "network",
  plural: "networks",
  route: "/integration/network",
  async list({ integration }, page) {
    type Query = Parameters<typeof integration.networks.list>[0];
    const rows = await integration.networks.list({ ...page, fields: integrationFields } as Query);
    return rows.map(listed);
  },
  async read(_, { integration }, id) {
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
    const found = await integration.networks.info(id, fields as ("id" | "name")[]);
    return canonical(documentOf(found), ["public"]);
  },
  create: async ({ integration }, document) => (await integration.networks.create(bodyFor(without(document)))).network,
};

const connector: Kind = {
  name: "connector",
  plural: "connectors",
  route: "/integration/connector",
  async list({ integration }, page) {
    type Query = Parameters<typeof integration.connectors.list>[0];
    const rows = await integration.connectors.list({ ...page, fields: integrationFields } as Query);
    return rows.map(listed);
  },
  read: async (_, { integration }, id) => canonical(documentOf(await integration.connectors.info(id)), ["public"]),
  create: async ({ integration }, document) =>
    (await integration.connectors.create(bodyFor(without(document)))).connector,
};

const deviceVolatile = ["last_input", "last_output", "inspected_at", "bucket", "data_retention", "rssi"];

const device: Kind = {
  name: "device",
  plural: "devices",
  route: "/device",
  list: ({ devices }, page) => devices.list({ ...page, fields: ["id", "name"] }),
  async read(_, { devices }, id) {
    const [found, params] = await Promise.all([devices.info(id), devices.paramList(id)]);
    const shown = params
      .map(({ key, value }) => ({ key, value }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return canonical({ ...found, ...(shown.length === 0 ? {} : { params: shown }) }, deviceVolatile);
  },
  create: async ({ devices }, document) => (await devices.create(bodyFor(without(document, "params")))).device_id,
  async finish({ devices }, id, document) {
    // A parameter whose value was a secret is left to whoever knows it.
    const known = listOf(document["params"]).filter(({ value }) => typeof value === "string");
    if (known.length === 0) return;
    // Keys are not unique to the platform: sent a second time they would be there twice.
    const there = new Set((await devices.paramList(id)).map(({ key }) => key));
    const missing = known.filter((param) => !there.has(textOf(param, "key")));
    const params = missing.map((param) => ({ key: textOf(param, "key"), value: textOf(param, "value"), sent: false }));
    if (params.length > 0) await devices.paramSet(id, params);
  },
};

/** Fields and indexes every entity has. */
const ownFields = ["id", "created_at", "updated_at"];
const ownIndexes = ["id_idx", "id_created_at_idx", "id_updated_at_idx"];

const entity: Kind = {
  name: "entity",
  plural: "entities",
  route: "/entity",
  list: ({ entities }, page) => entities.list({ ...page, fields: ["id", "name"] }),
  async read(_, { entities }, id) {
    const found = documentOf(await entities.info(id));
    const [schema, index] = [found["schema"], found["index"]];
    const own = {
      ...(isObject(schema) ? { schema: without(schema, ...ownFields) } : {}),
      ...(isObject(index) ? { index: without(index, ...ownIndexes) } : {}),
    };
    return canonical({ ...found, ...own }, []);
  },
  create: async ({ entities }, document) => (await entities.create(bodyFor(without(document)))).id,
};

const dictionary: Kind = {
  name: "dictionary",
  plural: "dictionaries",
  route: "/dictionary",
  list: ({ dictionaries }, page) => dictionaries.list({ ...page, fields: ["id", "name"] }),
  async read(_, client, id) {
    const found = await client.dictionaries.info(id);
    const texts: Record<string, unknown> = {};
    for (const { code } of found.languages) texts[code] = await readLanguage(client, found, code);
    // The texts are for people: one of them may well be called PASSWORD.
    return canonical({ ...found, texts }, [], false);
  },
  create: async ({ dictionaries }, document) =>
    (await dictionaries.create(bodyFor(without(document, "texts")))).dictionary,
  async finish({ dictionaries }, id, document) {
    const languages = listOf(document["languages"]);
    const texts = document["texts"];
    for (const [locale, found] of Object.entries(isObject(texts) ? texts : {})) {
      const active = languages.find(({ code }) => code === locale)?.["active"] !== false;
      await dictionaries.languageEdit(id, locale, bodyFor({ dictionary: found, active }));
    }
  },
};

const secret: Kind = {
  name: "secret",
  plural: "secrets",
  route: "/secrets",
  async list({ secrets }, page) {
    return (await secrets.list({ ...page, fields: ["id", "key"] })).map(({ id, key }) => ({ id, name: key }));
  },
  // What a secret is called is no secret.
  read: async (_, { secrets }, id) => canonical(documentOf(await secrets.info(id)), ["value_length"], false),
  skipped: "the files do not contain its value; use iot secret create",
};

const analysisVolatile = ["last_run", "console", "version", "versions", "locked_at", "secrets", "timeout"];

const analysis: Kind = {
  name: "analysis",
  plural: "analyses",
  route: "/analysis",
  list: (client, page) => client.analysis.list({ ...page, fields: ["id", "name"] }),
  async read(ctx, client, id) {
    const found = await client.analysis.info(id);
    // Values of variables are where credentials are kept, so only their names are written down.
    const variables = (found.variables ?? [])
      .map(({ key }) => ({ key: String(key) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const script = found.file_name ? (await readScript(ctx, id)).toString("utf8") : undefined;
    const document = canonical({ ...found, variables }, analysisVolatile);
    return { ...document, ...(script === undefined ? {} : { script }) };
  },
  async create(client, document) {
    const variables = listOf(document["variables"]).map((variable) => ({ key: textOf(variable, "key"), value: "" }));
    const body = { ...without(document, "script", "file_name"), variables };
    return (await client.analysis.create(bodyFor(body))).id;
  },
  async finish(client, id, document) {
    const script = document["script"];
    if (typeof script !== "string") return;
    const name = textOf(document, "file_name") || "script.js";
    const { runtime } = document;
    // The runtime follows the upload.
    const language = isRuntime(runtime) ? runtime : runtimeOf(name);
    const content = Buffer.from(script, "utf8").toString("base64");
    await client.analysis.uploadScript(id, { name, content, language });
  },
};

const dashboard: Kind = {
  name: "dashboard",
  plural: "dashboards",
  route: "/dashboard",
  async list({ dashboards }, page) {
    const rows = await dashboards.list({ ...page, fields: ["id", "label"] });
    return rows.map(({ id, label }) => ({ id, name: label }));
  },
  async read(_, client, id) {
    // Several dashboards are read at a time, too.
    const content = contentOf(await readDashboard(client, id, 4));
    return {
      ...canonical(content.dashboard, []),
      widgets: content.widgets.map((widget) => canonical(widget, ["dashboard"])),
    };
  },
  create: async ({ dashboards }, document) =>
    (await dashboards.create(bodyFor(without(document, "widgets", "arrangement")))).dashboard,
};

const runUserVolatile = ["last_login", "otp", "custom_preferences", "agreements"];

const runUser: Kind = {
  name: "run-user",
  plural: "portal users",
  route: "/run/users",
  async list({ run }, page) {
    const rows = await run.listUsers({ ...page, fields: ["id", "name", "email"] });
    return rows.map(({ id, email }) => ({
      id,
      name: email,
      // The anonymous user is made with the portal.
      isForeign: /^anonymous@[0-9a-f]{24}\.invalid$/.test(email),
    }));
  },
  read: async (_, { run }, id) => canonical(documentOf(await run.userInfo(id)), runUserVolatile),
  async create({ run }, document) {
    // Nobody knows it: the user asks the portal for a new one.
    const { randomBytes } = await import("node:crypto");
    const password = `${randomBytes(24).toString("base64url")}-aA1!`;
    return (await run.userCreate(bodyFor({ ...without(document), password }))).user;
  },
};

const action: Kind = {
  name: "action",
  plural: "actions",
  route: "/action",
  list: ({ actions }, page) => actions.list({ ...page, fields: ["id", "name"] }),
  read: async (_, { actions }, id) => canonical(documentOf(await actions.info(id)), ["last_triggered"]),
  create: async ({ actions }, document) => (await actions.create(bodyFor(without(document)))).action,
};

const access: Kind = {
  name: "access",
  plural: "access rules",
  route: "/am",
  list: ({ accessManagement }, page) => accessManagement.list({ ...page, fields: ["id", "name"] }),
  read: async (_, { accessManagement }, id) => canonical(documentOf(await accessManagement.info(id)), []),
  create: async ({ accessManagement }, document) => (await accessManagement.create(bodyFor(without(document)))).am_id,
};

const query: Kind = {
  name: "query",
  plural: "stored queries",
  route: "/sql",
  list: ({ sql }, page) => sql.list({ ...page, fields: ["id", "name"] }),
  read: async (_, { sql }, id) => canonical(documentOf(await sql.info(id)), ["version", "versions", "cache_version"]),
  create: async ({ sql }, document) => (await sql.create(bodyFor(without(document)))).id,
};

const coreKept = ["id", "name", "active", "tags"];

const core: Kind = {
  name: "core",
  plural: "core instances",
  route: "/tcore",
  list: ({ tagocores }, page) => tagocores.list({ ...page, fields: ["id", "name"] }),
  async read(_, { tagocores }, id) {
    const found = Object.entries(await tagocores.info(id)).filter(([key]) => coreKept.includes(key));
    return canonical(Object.fromEntries(found), []);
  },
  skipped: "instances cannot be created from files",
};

const portal: Kind = {
  name: "portal",
  plural: "portals",
  route: "/run",
  async list({ run }, { page }) {
    const { profile, name } = await run.info();
    return page === 1 ? [{ id: profile, name }] : [];
  },
  async read(_, { run }, id) {
    const { anonymous_token: _token, ...found } = await run.info();
    return { ...canonical(documentOf(found), ["url"]), id };
  },
  skipped: "every profile already has one; use iot run update --input",
};

/** Kinds in the order they are made in: each after those it refers to. */
export const kinds: readonly Kind[] = [
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

export const kindNames: readonly string[] = kinds.map(({ name }) => name);
