import { describe, expect, it } from "vitest";
import { Resources } from "../../../src/index.ts";
import {
  AccessManagement,
  Actions,
  Analyses,
  Secrets,
  ServiceAuthorization,
  SQL,
  Tags,
  Templates,
} from "../../../src/lib/resources/index.ts";
import { frozen, methodsOf, type Operation, testOperations } from "../../helpers/operations.ts";
import { date, listQuery, moment, rowsOf } from "../../helpers/rows.ts";

const times = { created_at: moment, updated_at: moment };
const dates = { created_at: date, updated_at: date };

const action = rowsOf<Actions>();
const script = { type: "script", script: ["n1"] } as const;
const actions: Operation<Actions>[] = [
  action("list", `GET /action?${listQuery(["id", "name"], "name,asc")}`, (it, o) => it.list(undefined, o), {
    answers: [{ id: "a1", ...times, last_triggered: "never" }],
    gives: [{ id: "a1", ...dates, last_triggered: "never" }],
  }),
  action(
    "list",
    "GET /action?page=2&fields[0]=id&fields[1]=last_triggered&filter[name]=*pump*&amount=50&orderBy=last_triggered,desc",
    (it, o) =>
      it.list(
        frozen({
          page: 2,
          amount: 50,
          fields: ["id", "last_triggered"],
          filter: { name: "*pump*" },
          orderBy: ["last_triggered", "desc"],
        }),
        o,
      ),
    {
      when: "with a query",
      answers: [{ id: "a1", last_triggered: moment }],
      gives: [{ id: "a1", last_triggered: date }],
    },
  ),
  action(
    "create",
    "POST /action",
    (it, o) =>
      it.create(
        frozen({
          name: "Alarm",
          type: "interval",
          action: { ...script, script: ["n1"] },
          trigger: [{ interval: "5 minutes" }],
        }),
        o,
      ),
    {
      body: { name: "Alarm", type: "interval", action: script, trigger: [{ interval: "5 minutes" }] },
      answers: { action: "a1" },
    },
  ),
  action("edit", "PUT /action/a1", (it, o) => it.edit("a1", frozen({ active: false }), o), { body: { active: false } }),
  action("delete", "DELETE /action/a1", (it, o) => it.delete("a1", o)),
  action("info", "GET /action/a1", (it, o) => it.info("a1", o), {
    answers: { id: "a1", ...times, last_triggered: moment },
    gives: { id: "a1", ...dates, last_triggered: date },
  }),
];

const access = rowsOf<AccessManagement>();
const permissions = [{ effect: "allow" as const, action: ["access"], resource: ["device", "id", "d1"] }];
const accessRules: Operation<AccessManagement>[] = [
  access("list", `GET /am?${listQuery(["id", "name", "tags"], "name,asc")}`, (it, o) => it.list(undefined, o), {
    answers: [{ id: "r1", ...times }],
    gives: [{ id: "r1", ...dates }],
  }),
  access(
    "create",
    "POST /am",
    (it, o) => it.create(frozen({ name: "Rule", permissions, targets: [["run_user", "tag_match", "site"]] }), o),
    { body: { name: "Rule", permissions, targets: [["run_user", "tag_match", "site"]] }, answers: { am_id: "r1" } },
  ),
  access("edit", "PUT /am/r1", (it, o) => it.edit("r1", frozen({ name: "New" }), o), { body: { name: "New" } }),
  access("delete", "DELETE /am/r1", (it, o) => it.delete("r1", o)),
  access("info", "GET /am/r1", (it, o) => it.info("r1", o), {
    answers: { id: "r1", permissions, ...times },
    gives: { id: "r1", permissions, ...dates },
  }),
];

const analysis = rowsOf<Analyses>();
const analyses: Operation<Analyses>[] = [
  analysis("list", `GET /analysis/?${listQuery(["id", "name"], "name,asc")}`, (it, o) => it.list(undefined, o), {
    answers: [{ id: "n1", ...times, last_run: null }],
    gives: [{ id: "n1", ...dates, last_run: null }],
  }),
  analysis(
    "create",
    "POST /analysis",
    (it, o) => it.create(frozen({ name: "Job", run_on: "external", variables: [{ key: "a", value: 1 }] }), o),
    {
      body: { name: "Job", run_on: "external", variables: [{ key: "a", value: 1 }] },
      answers: { id: "n1", token: "a-1" },
    },
  ),
  analysis("edit", "PUT /analysis/n1", (it, o) => it.edit("n1", frozen({ interval: "never" }), o), {
    body: { interval: "never" },
  }),
  analysis("delete", "DELETE /analysis/n1", (it, o) => it.delete("n1", o)),
  analysis("info", "GET /analysis/n1", (it, o) => it.info("n1", o), {
    answers: { id: "n1", ...times, last_run: moment },
    gives: { id: "n1", ...dates, last_run: date },
  }),
  analysis("run", "POST /analysis/n1/run", (it, o) => it.run("n1", frozen([{ variable: "level" }]), o), {
    body: { scope: [{ variable: "level" }] },
    answers: { analysis_token: "a-1" },
  }),
  analysis("run", "POST /analysis/n1/run", (it, o) => it.run("n1", undefined, o), {
    when: "without a scope",
    body: {},
  }),
  analysis("tokenGenerate", "GET /analysis/n1/token", (it, o) => it.tokenGenerate("n1", o)),
  analysis(
    "uploadScript",
    "POST /analysis/n1/upload",
    (it, o) => it.uploadScript("n1", frozen({ name: "main.ts", content: "YQ==", language: "deno-rt2025" }), o),
    { body: { file: "YQ==", file_name: "main.ts", language: "deno-rt2025" } },
  ),
  analysis("downloadScript", "GET /analysis/n1/download", (it, o) => it.downloadScript("n1", o), {
    answers: { url: "https://x", expire_at: moment },
    gives: { url: "https://x", expire_at: date },
  }),
  analysis(
    "downloadScript",
    "GET /analysis/n1/download?version=3",
    (it, o) => it.downloadScript("n1", { ...o, version: 3 }),
    {
      when: "of a version",
    },
  ),
];

const secret = rowsOf<Secrets>();
const secrets: Operation<Secrets>[] = [
  secret("list", `GET /secrets?${listQuery(["id", "key"], "key,asc")}`, (it, o) => it.list(undefined, o), {
    answers: [{ id: "s1", ...times }],
  }),
  secret("create", "POST /secrets", (it, o) => it.create(frozen({ key: "KEY", value: "hidden", tags: [] }), o), {
    body: { key: "KEY", value: "hidden", tags: [] },
    answers: { id: "s1" },
  }),
  secret("edit", "PUT /secrets/s1", (it, o) => it.edit("s1", frozen({ value: "new" }), o), { body: { value: "new" } }),
  secret("delete", "DELETE /secrets/s1", (it, o) => it.delete("s1", o)),
  secret("info", "GET /secrets/s1", (it, o) => it.info("s1", o), {
    answers: { id: "s1", ...times },
    gives: { id: "s1", ...dates },
  }),
];

const authorization = rowsOf<ServiceAuthorization>();
const tokens = listQuery(["name", "token", "permission"], "created_at,desc");
const authorizations: Operation<ServiceAuthorization>[] = [
  authorization("tokenList", `GET /serviceauth?${tokens}`, (it, o) => it.tokenList(undefined, o), {
    answers: [{ token: "at1", created_at: moment, expire_time: "never", last_authorization: moment }],
    gives: [{ token: "at1", created_at: date, expire_time: "never", last_authorization: date }],
  }),
  authorization(
    "tokenCreate",
    "POST /serviceauth",
    (it, o) => it.tokenCreate(frozen({ name: "Gateway", verification_code: "code" }), o),
    { body: { name: "Gateway", verification_code: "code" }, answers: { token: "at1" } },
  ),
  authorization("tokenDelete", "DELETE /serviceauth/at1", (it, o) => it.tokenDelete("at1", o)),
  authorization("tokenEdit", "PUT /serviceauth/at1", (it, o) => it.tokenEdit("at1", "code", o), {
    body: { verification_code: "code" },
  }),
  authorization("tokenEdit", "PUT /serviceauth/at1", (it, o) => it.tokenEdit("at1", undefined, o), {
    when: "without a code",
    body: {},
  }),
];

const query = rowsOf<SQL>();
const queries: Operation<SQL>[] = [
  query("list", `GET /sql?${listQuery(["id", "name", "tags"], "created_at,desc")}`, (it, o) => it.list(undefined, o), {
    answers: [{ id: "q1", ...times }],
    gives: [{ id: "q1", ...dates }],
  }),
  query("create", "POST /sql", (it, o) => it.create(frozen({ name: "All", query: "SELECT 1" }), o), {
    body: { name: "All", query: "SELECT 1" },
    answers: { id: "q1", ...times },
    gives: { id: "q1", ...dates },
  }),
  query("info", "GET /sql/q1", (it, o) => it.info("q1", o), {
    answers: { id: "q1", ...times },
    gives: { id: "q1", ...dates },
  }),
  query("edit", "PUT /sql/q1", (it, o) => it.edit("q1", frozen({ query: "SELECT 2" }), o), {
    body: { query: "SELECT 2" },
    answers: { id: "q1", ...times },
    gives: { id: "q1", ...dates },
  }),
  query("delete", "DELETE /sql/q1", (it, o) => it.delete("q1", o), { answers: { id: "q1" } }),
  query("getVersion", "GET /sql/q1/version/3", (it, o) => it.getVersion("q1", 3, o), {
    answers: { version: 3, created_at: moment },
    gives: { version: 3, created_at: date },
  }),
  query(
    "execute",
    "POST /sql/q1/execute",
    (it, o) => it.execute("q1", frozen({ params: [{ key: "a", value: 1 }] }), o),
    {
      body: { params: [{ key: "a", value: 1 }] },
      answers: { columns: [], rows: [], row_count: 0 },
    },
  ),
  query("execute", "POST /sql/q1/execute", (it, o) => it.execute("q1", undefined, o), {
    when: "with nothing",
    body: {},
  }),
  query("tables", "GET /sql/tables", (it, o) => it.tables(undefined, o)),
  query(
    "tables",
    "GET /sql/tables?filter=dev&amount=5",
    (it, o) => it.tables(frozen({ filter: "dev", amount: 5 }), o),
    {
      when: "with a query",
    },
  ),
];

const tag = rowsOf<Tags>();
const tags: Operation<Tags>[] = [
  tag("getTagKeys", "GET /tags/keys/device", (it, o) => it.getTagKeys("device", o), { answers: ["site"] }),
];

const template = rowsOf<Templates>();
const templates: Operation<Templates>[] = [
  template(
    "generateTemplate",
    "POST /template",
    (it, o) => it.generateTemplate(frozen({ name: "T", dashboard: "b1" }), o),
    {
      body: { name: "T", dashboard: "b1" },
    },
  ),
  template("installTemplate", "POST /template/t1", (it, o) => it.installTemplate("t1", frozen({ device: "d1" }), o), {
    body: { device: "d1" },
    answers: { dashboard: "b1" },
  }),
  template("installTemplate", "POST /template/t1", (it, o) => it.installTemplate("t1", undefined, o), {
    when: "without params",
  }),
  template("getTemplate", "GET /template/t1", (it, o) => it.getTemplate("t1", o), {
    answers: { name: "T", ...times },
    gives: { name: "T", ...dates },
  }),
];

describe("Actions", () => testOperations((params) => new Resources(params).actions, actions));
describe("AccessManagement", () => testOperations((params) => new Resources(params).accessManagement, accessRules));
describe("Analyses", () => testOperations((params) => new Resources(params).analysis, analyses));
describe("Secrets", () => testOperations((params) => new Resources(params).secrets, secrets));
describe("ServiceAuthorization", () =>
  testOperations((params) => new Resources(params).serviceAuthorization, authorizations));
describe("SQL", () => testOperations((params) => new Resources(params).sql, queries));
describe("Tags", () => testOperations((params) => new Resources(params).tags, tags));
describe("Templates", () => testOperations((params) => new Resources(params).template, templates));

describe("the tables", () => {
  it.each([
    ["Actions", Actions, actions, []],
    ["AccessManagement", AccessManagement, accessRules, []],
    // Snippets come from another host; they have tests of their own.
    ["Analyses", Analyses, analyses, ["getSnippetFile", "listSnippets"]],
    ["Secrets", Secrets, secrets, []],
    ["ServiceAuthorization", ServiceAuthorization, authorizations, []],
    ["SQL", SQL, queries, []],
    ["Tags", Tags, tags, []],
    ["Templates", Templates, templates, []],
  ] as const)("name every method of %s", (_name, type, operations, elsewhere) => {
    const named = new Set([...operations.map(({ method }) => method), ...elsewhere]);
    expect([...named].sort()).toEqual(methodsOf(type).sort());
  });
});
