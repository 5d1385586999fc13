import { describe, expect, it } from "vitest";
import { Resources } from "../../../src/index.ts";
import {
  Buckets,
  Connectors,
  Dictionaries,
  Entities,
  Files,
  Networks,
  TagoCores,
} from "../../../src/lib/resources/index.ts";
import { collect, frozen, methodsOf, type Operation, testOperations } from "../../helpers/operations.ts";
import { date, listQuery, moment, rowsOf } from "../../helpers/rows.ts";

const times = { created_at: moment, updated_at: moment };
const dates = { created_at: date, updated_at: date };

const bucket = rowsOf<Buckets>();
const names = "resolveBucketName=false&resolveConnectorName=false";
const buckets: Operation<Buckets>[] = [
  bucket(
    "list",
    `GET /device?${listQuery(["id", "name", "tags"], "name,asc")}&${names}`,
    (it, o) => it.list(undefined, o),
    {
      answers: [{ id: "d1", ...times }],
      gives: [{ id: "d1", ...dates }],
    },
  ),
  bucket("info", "GET /device/d1", (it, o) => it.info("d1", o), {
    answers: { id: "d1", last_input: moment },
    gives: { id: "d1", last_input: date },
  }),
  bucket("info", "GET /device/d1", (it, o) => it.devices.info("d1", o), { when: "through its devices" }),
  bucket("amount", "GET /device/d1/data_amount", (it, o) => it.amount("d1", o), { answers: 41 }),
];

const dictionary = rowsOf<Dictionaries>();
const dictionaries: Operation<Dictionaries>[] = [
  dictionary(
    "list",
    `GET /dictionary?${listQuery(["id", "name", "slug", "languages"], "name,asc")}`,
    (it, o) => it.list(undefined, o),
    { answers: [{ id: "w1", ...times }], gives: [{ id: "w1", ...dates }] },
  ),
  dictionary(
    "create",
    "POST /dictionary",
    (it, o) => it.create(frozen({ name: "Texts", slug: "TEXTS", fallback: "en-US" }), o),
    { body: { name: "Texts", slug: "TEXTS", fallback: "en-US" }, answers: { dictionary: "w1" } },
  ),
  dictionary("edit", "PUT /dictionary/w1", (it, o) => it.edit("w1", frozen({ fallback: "pt-BR" }), o), {
    body: { fallback: "pt-BR" },
  }),
  dictionary("delete", "DELETE /dictionary/w1", (it, o) => it.delete("w1", o)),
  dictionary("info", "GET /dictionary/w1", (it, o) => it.info("w1", o), {
    answers: { id: "w1", ...times },
    gives: { id: "w1", ...dates },
  }),
  dictionary(
    "languageEdit",
    "PUT /dictionary/w1/en-US",
    (it, o) => it.languageEdit("w1", "en-US", frozen({ dictionary: { KEY: "Text" }, active: true }), o),
    { body: { dictionary: { KEY: "Text" }, active: true } },
  ),
  dictionary("languageDelete", "DELETE /dictionary/w1/pt-BR", (it, o) => it.languageDelete("w1", "pt-BR", o)),
  dictionary(
    "languageInfo",
    "GET /dictionary/w1/en-US?fallback=false",
    (it, o) => it.languageInfo("w1", "en-US", undefined, o),
    { answers: { KEY: "Text" } },
  ),
  dictionary(
    "languageInfo",
    "GET /dictionary/w1/en-US?fallback=true",
    (it, o) => it.languageInfo("w1", "en-US", frozen({ fallback: true }), o),
    { when: "with the fallback" },
  ),
  dictionary(
    "languageInfoBySlug",
    "GET /dictionary/TEXTS/en-US?fallback=true",
    (it, o) => it.languageInfoBySlug("TEXTS", "en-US", undefined, o),
    { answers: { KEY: "Text" } },
  ),
  dictionary(
    "languageInfoBySlug",
    "GET /dictionary/TEXTS/en-US?fallback=false",
    (it, o) => it.languageInfoBySlug("TEXTS", "en-US", frozen({ fallback: false }), o),
    { when: "without the fallback" },
  ),
];

const entity = rowsOf<Entities>();
const row = { id: "1", level: 2, created_at: moment, updated_at: moment };
const rowWithDates = { id: "1", level: 2, created_at: date, updated_at: date };
const entities: Operation<Entities>[] = [
  entity(
    "list",
    `GET /entity?${listQuery(["id", "profile", "name", "tags"], "name,asc")}`,
    (it, o) => it.list(undefined, o),
    { answers: [{ id: "e1", ...times }], gives: [{ id: "e1", ...dates }] },
  ),
  entity(
    "create",
    "POST /entity",
    (it, o) =>
      it.create(
        frozen({ name: "Pumps", schema: { level: { type: "int" } }, index: { by_level: { fields: ["level"] } } }),
        o,
      ),
    {
      body: { name: "Pumps", schema: { level: { type: "int" } }, index: { by_level: { fields: ["level"] } } },
      answers: { id: "e1" },
    },
  ),
  entity("edit", "PUT /entity/e1", (it, o) => it.edit("e1", frozen({ payload_decoder: null }), o), {
    body: { payload_decoder: null },
  }),
  entity("delete", "DELETE /entity/e1", (it, o) => it.delete("e1", o)),
  entity("info", "GET /entity/e1", (it, o) => it.info("e1", o), {
    answers: { id: "e1", ...times },
    gives: { id: "e1", ...dates },
  }),
  entity("amount", "GET /entity/e1/data_amount", (it, o) => it.amount("e1", o), { answers: 5 }),
  entity("getEntityData", "GET /entity/e1/data", (it, o) => it.getEntityData("e1", undefined, o), {
    answers: [row],
    gives: [rowWithDates],
  }),
  entity(
    "getEntityData",
    "GET /entity/e1/data?filter[level]=2&index=by_level",
    (it, o) => it.getEntityData("e1", frozen({ filter: { level: 2 }, index: "by_level" }), o),
    { when: "with a query", answers: [] },
  ),
  entity(
    "getEntityDataStreaming",
    "GET /entity/e1/data?order_by=asc&index=by_level&page=1&amount=100",
    (it, o) =>
      collect(
        it.getEntityDataStreaming("e1", frozen({ index: "by_level" }), {
          poolingRecordQty: 100,
          ...(o?.signal === undefined ? {} : { signal: o.signal }),
        }),
      ),
    { answers: [row], gives: [[rowWithDates]] },
  ),
  entity(
    "editEntityData",
    "PUT /entity/e1/data",
    (it, o) => it.editEntityData("e1", frozen({ id: "1", level: 3 }), o),
    {
      body: { id: "1", level: 3 },
    },
  ),
  entity("sendEntityData", "POST /entity/e1/data", (it, o) => it.sendEntityData("e1", frozen([{ level: 3 }]), o), {
    body: [{ level: 3 }],
  }),
  entity(
    "deleteEntityData",
    "DELETE /entity/e1/data",
    (it, o) => it.deleteEntityData("e1", frozen({ ids: ["1"] }), o),
    { body: { ids: ["1"] } },
  ),
  entity(
    "editSchemaIndex",
    "PUT /entity/e1/schema",
    (it, o) => it.editSchemaIndex("e1", frozen({ schema: { flow: { action: "create", type: "float" } } }), o),
    { body: { schema: { flow: { action: "create", type: "float" } } } },
  ),
  entity("renameField", "PUT /entity/e1/schema", (it, o) => it.renameField("e1", "old", "new", o), {
    body: { schema: { old: { action: "rename", new_name: "new" } } },
  }),
  entity(
    "updateField",
    "PUT /entity/e1/schema",
    (it, o) => it.updateField("e1", "level", frozen({ action: "delete", required: true }) as { required: boolean }, o),
    { when: "with its own action", body: { schema: { level: { action: "delete", required: true } } } },
  ),
  entity("updateField", "PUT /entity/e1/schema", (it, o) => it.updateField("e1", "level", { required: true }, o), {
    body: { schema: { level: { action: "update", required: true } } },
  }),
  entity("deleteField", "PUT /entity/e1/schema", (it, o) => it.deleteField("e1", "__proto__", o), {
    when: "of any name",
    body: JSON.parse('{"schema":{"__proto__":{"action":"delete"}}}'),
  }),
  entity("deleteIndex", "PUT /entity/e1/schema", (it, o) => it.deleteIndex("e1", "by_level", o), {
    body: { index: { by_level: { action: "delete" } } },
  }),
  entity("emptyEntityData", "POST /entity/e1/empty", (it, o) => it.emptyEntityData("e1", o)),
];

const file = rowsOf<Files>();
const address = "https://api.eu-w1.tago.io/file/p1/dir/a%20b:c.txt?x=1#y";
const files: Operation<Files>[] = [
  file("list", "GET /files?path=/&qty=300", (it, o) => it.list(undefined, o), {
    answers: { files: [{ filename: "a", last_modified: moment }], folders: [] },
    gives: { files: [{ filename: "a", last_modified: date }], folders: [] },
  }),
  file(
    "list",
    "GET /files?path=/my/&pagination_token=p1&qty=10",
    (it, o) => it.list(frozen({ path: "/my/", paginationToken: "p1", quantity: 10 }), o),
    { when: "with a query" },
  ),
  file("list", "GET /files?path=/&qty=300", (it, o) => it.list({ quantity: 0 }, o), { when: "with quantity 0" }),
  file(
    "uploadBase64",
    "POST /files",
    (it, o) => it.uploadBase64(frozen([{ filename: "/a", file: "YQ==", public: false }]), o),
    {
      body: [{ filename: "/a", file: "YQ==", public: false }],
    },
  ),
  file("move", "PUT /files", (it, o) => it.move(frozen([{ from: "/a", to: "/b" }]), o), {
    body: [{ from: "/a", to: "/b" }],
  }),
  file("copy", "PUT /files/copy", (it, o) => it.copy(frozen([{ from: "/a", to: "/b" }]), o), {
    body: [{ from: "/a", to: "/b" }],
  }),
  file("delete", "DELETE /files", (it, o) => it.delete(frozen(["/a", "/b"]), o), { body: ["/a", "/b"] }),
  file("checkPermission", "GET /files/permission?file=/a.txt", (it, o) => it.checkPermission("/a.txt", o), {
    answers: { public: true },
  }),
  file(
    "changePermission",
    "PUT /files/permission",
    (it, o) => it.changePermission(frozen([{ file: "/a", public: false }]), o),
    { body: [{ file: "/a", public: false }] },
  ),
  file("getFileURLSigned", "GET /file/p1/dir/a b:c.txt?noRedirect=true", (it, o) => it.getFileURLSigned(address, o)),
  file("getFileMD5", "GET /file/p1/dir/a b:c.txt?md5=true&noRedirect=true", (it, o) => it.getFileMD5(address, o)),
];

const connector = rowsOf<Connectors>();
const connectors: Operation<Connectors>[] = [
  connector(
    "list",
    `GET /integration/connector/?${listQuery(["id", "name"], "name,asc")}`,
    (it, o) => it.list(undefined, o),
    { answers: [{ id: "c1", ...times }], gives: [{ id: "c1", ...dates }] },
  ),
  connector("info", "GET /integration/connector/c1", (it, o) => it.info("c1", undefined, o), {
    answers: { id: "c1", ...times },
    gives: { id: "c1", ...dates },
  }),
  connector(
    "info",
    "GET /integration/connector/c1?fields[0]=id&fields[1]=networks",
    (it, o) => it.info("c1", frozen(["id", "networks"] as const), o),
    { when: "with fields" },
  ),
  connector(
    "create",
    "POST /integration/connector/",
    (it, o) => it.create(frozen({ name: "C", networks: ["k1"] }), o),
    {
      body: { name: "C", networks: ["k1"] },
      answers: { connector: "c1" },
    },
  ),
  connector("edit", "PUT /integration/connector/c1", (it, o) => it.edit("c1", frozen({ name: "D" }), o), {
    body: { name: "D" },
  }),
  connector("delete", "DELETE /integration/connector/c1", (it, o) => it.delete("c1", o)),
];

const network = rowsOf<Networks>();
const networks: Operation<Networks>[] = [
  network(
    "list",
    `GET /integration/network/?${listQuery(["id", "name"], "name,asc")}`,
    (it, o) => it.list(undefined, o),
    { answers: [{ id: "k1", ...times }] },
  ),
  network("info", "GET /integration/network/k1?fields[0]=id&fields[1]=name", (it, o) => it.info("k1", undefined, o)),
  network(
    "info",
    "GET /integration/network/k1?fields[0]=middleware_endpoint",
    (it, o) => it.info("k1", frozen(["middleware_endpoint"] as const), o),
    { when: "with fields" },
  ),
  network("create", "POST /integration/network/", (it, o) => it.create(frozen({ name: "N" }), o), {
    body: { name: "N" },
    answers: { network: "k1" },
  }),
  network("edit", "PUT /integration/network/k1", (it, o) => it.edit("k1", frozen({ name: "M" }), o), {
    body: { name: "M" },
  }),
  network("delete", "DELETE /integration/network/k1", (it, o) => it.delete("k1", o)),
  network(
    "tokenList",
    `GET /integration/network/token/k1?${listQuery(["name", "token", "permission"], "created_at,desc")}`,
    (it, o) => it.tokenList("k1", undefined, o),
    { answers: [{ token: "n-1", created_at: moment }] },
  ),
  network(
    "tokenCreate",
    "POST /integration/network/token",
    (it, o) => it.tokenCreate("k1", frozen({ name: "T", network: "other" }), o),
    { when: "whatever the params name", body: { name: "T", network: "k1" }, answers: { token: "n-1" } },
  ),
  network("tokenDelete", "DELETE /integration/network/token/n-1", (it, o) => it.tokenDelete("n-1", o)),
];

const core = rowsOf<TagoCores>();
const cores: Operation<TagoCores>[] = [
  core("list", `GET /tcore/instance?${listQuery(["id", "name"], "name,asc")}`, (it, o) => it.list(undefined, o), {
    answers: [{ id: "i1", ...times, system_start_time: moment, tcore_start_time: moment, last_connection: moment }],
    gives: [{ id: "i1", ...dates, system_start_time: date, tcore_start_time: date, last_connection: moment }],
  }),
  core("info", "GET /tcore/instance/i1", (it, o) => it.info("i1", undefined, o), { answers: { id: "i1", ...times } }),
  core("info", "GET /tcore/instance/i1?summary=true", (it, o) => it.info("i1", true, o), { when: "with the summary" }),
  core("edit", "PUT /tcore/instance/i1", (it, o) => it.edit("i1", frozen({ name: "Core" }), o), {
    body: { name: "Core" },
  }),
  core("tokenGenerate", "GET /tcore/instance/i1/token", (it, o) => it.tokenGenerate("i1", o), {
    answers: { token: "t" },
    gives: "t",
  }),
  core("delete", "DELETE /tcore/instance/i1", (it, o) => it.delete("i1", o)),
  core("standaloneDeviceInfo", "GET /device/d1?tcore=i1", (it, o) => it.standaloneDeviceInfo("i1", "d1", o), {
    answers: { id: "d1", ...times, last_input: moment },
    gives: { id: "d1", ...dates, last_input: date },
  }),
  core(
    "standaloneDeviceList",
    `GET /device?${listQuery(["id", "name"], "name,asc")}&resolveBucketName=false&tcore=i1`,
    (it, o) => it.standaloneDeviceList("i1", undefined, o),
    { answers: [{ id: "d1", last_input: null }] },
  ),
  core(
    "standaloneDeviceList",
    `GET /device?${listQuery(["id", "name"], "name,asc")}&resolveBucketName=true&tcore=i1`,
    (it, o) => it.standaloneDeviceList("i1", frozen({ resolveBucketName: true }), o),
    { when: "with names of buckets", answers: [] },
  ),
];

describe("Buckets", () => testOperations((params) => new Resources(params).buckets, buckets));
describe("Dictionaries", () => testOperations((params) => new Resources(params).dictionaries, dictionaries));
describe("Entities", () => testOperations((params) => new Resources(params).entities, entities));
describe("Files", () => testOperations((params) => new Resources(params).files, files));
describe("Connectors", () => testOperations((params) => new Resources(params).integration.connectors, connectors));
describe("Networks", () => testOperations((params) => new Resources(params).integration.networks, networks));
describe("TagoCores", () => testOperations((params) => new Resources(params).tagocores, cores));

describe("the tables", () => {
  it.each([
    ["Buckets", Buckets, buckets, []],
    ["Dictionaries", Dictionaries, dictionaries, []],
    ["Entities", Entities, entities, []],
    // The uploader makes many requests; it has tests of its own.
    ["Files", Files, files, methodsOf(Files).filter((name) => name === "uploadFile")],
    ["Connectors", Connectors, connectors, []],
    ["Networks", Networks, networks, []],
    ["TagoCores", TagoCores, cores, []],
  ] as const)("name every method of %s", (_name, type, operations, elsewhere) => {
    const named = new Set([...operations.map(({ method }) => method), ...elsewhere]);
    expect([...named].sort()).toEqual(methodsOf(type).sort());
  });
});
