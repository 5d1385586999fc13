import { describe, expect, it } from "vitest";
import { Resources } from "../../../src/index.ts";
import { Profiles } from "../../../src/lib/resources/index.ts";
import { frozen, methodsOf, type Operation, testOperations } from "../../helpers/operations.ts";

const moment = "2024-03-05T10:20:30.000Z";
const date = new Date(moment);

const operations: Operation<Profiles>[] = [
  {
    method: "list",
    call: (profiles, options) => profiles.list(options),
    sends: "GET /profile",
    answers: [{ id: "p1", name: "Plant", logo_url: null, account: "a1" }],
  },
  {
    method: "info",
    call: (profiles, options) => profiles.info("current", options),
    sends: "GET /profile/current",
    answers: { info: { id: "p1", created_at: moment, updated_at: "never" }, created_at: moment },
    gives: { info: { id: "p1", created_at: date, updated_at: "never" }, created_at: moment },
  },
  {
    method: "summary",
    call: (profiles, options) => profiles.summary("p1", options),
    sends: "GET /profile/p1/summary",
    answers: { amount: { device: 2 } },
  },
  {
    method: "summary",
    when: "of amounts only",
    call: (profiles, options) => profiles.summary("p1", { ...options, onlyAmount: true }),
    sends: "GET /profile/p1/summary?onlyAmount=true",
  },
  {
    method: "summary",
    when: "of more than amounts",
    call: (profiles, options) => profiles.summary("p1", { ...options, onlyAmount: false }),
    sends: "GET /profile/p1/summary",
  },
  {
    method: "tokenList",
    call: (profiles, options) => profiles.tokenList("p1", undefined, options),
    sends:
      "GET /profile/p1/token?page=1&fields[0]=name&fields[1]=token&fields[2]=permission&amount=20&orderBy=created_at,desc",
    answers: [{ created_at: moment, expire_time: "never", last_authorization: moment, name: moment }],
    gives: [{ created_at: date, expire_time: "never", last_authorization: date, name: moment }],
  },
  {
    method: "tokenList",
    when: "with a query",
    call: (profiles, options) =>
      profiles.tokenList("p1", frozen({ fields: ["name"], amount: 1, orderBy: ["name", "asc"] }), options),
    sends: "GET /profile/p1/token?page=1&fields[0]=name&amount=1&orderBy=name,asc",
    answers: [],
  },
  {
    method: "tokenCreate",
    call: (profiles, options) => profiles.tokenCreate("p1", frozen({ name: "A", expire_time: "1 day" }), options),
    sends: "POST /profile/p1/token",
    body: { name: "A", expire_time: "1 day" },
    answers: { token: "t1", expire_date: moment, permission: "full" },
    gives: { token: "t1", expire_date: date, permission: "full" },
  },
  {
    method: "tokenDelete",
    call: (profiles, options) => profiles.tokenDelete("p1", "t1", options),
    sends: "DELETE /profile/p1/token/t1",
  },
  {
    method: "create",
    call: (profiles, options) => profiles.create(frozen({ name: "Plant" }), options),
    sends: "POST /profile/",
    body: { name: "Plant" },
    answers: { id: "p2" },
  },
  {
    method: "create",
    when: "with what is left over",
    call: (profiles, options) =>
      profiles.create(frozen({ name: "Plant" }), { ...options, allocate_free_resources: true }),
    sends: "POST /profile/?allocate_free_resources=true",
    body: { name: "Plant" },
    answers: { id: "p2" },
  },
  {
    method: "edit",
    call: (profiles, options) => profiles.edit("p1", frozen({ name: "New" }), options),
    sends: "PUT /profile/p1",
    body: { name: "New" },
  },
  {
    method: "delete",
    call: (profiles, options) => profiles.delete("p1", frozen({ email: "a@b.example", password: "pass-1" }), options),
    sends: "DELETE /profile/p1",
    body: { email: "a@b.example", password: "pass-1" },
  },
  {
    method: "usageStatisticList",
    call: (profiles, options) => profiles.usageStatisticList("p1", undefined, options),
    sends: "GET /profile/p1/statistics",
    answers: [{ time: moment, input: 5 }],
    gives: [{ time: date, input: 5 }],
  },
  {
    method: "auditLog",
    call: (profiles, options) => profiles.auditLog("p1", undefined, options),
    sends: "GET /profile/p1/auditlog",
    answers: { events: [{ date: moment, who: "a" }], queryId: "q1" },
    gives: { events: [{ date, who: "a" }], queryId: "q1" },
  },
  {
    method: "auditLogQuery",
    call: (profiles, options) => profiles.auditLogQuery("p1", "q1", options),
    sends: "GET /profile/p1/auditlog/q1",
    answers: { events: [{ date: moment }] },
    gives: { events: [{ date }] },
  },
  {
    method: "addonList",
    call: (profiles, options) => profiles.addonList("p1", options),
    sends: "GET /profile/p1/addons",
    answers: [{ id: "x" }],
  },
  {
    method: "addonEdit",
    call: (profiles, options) => profiles.addonEdit("p1", frozen({ mobile: true }), options),
    sends: "POST /profile/p1/addons",
    body: { mobile: true },
  },
  {
    method: "serviceEdit",
    call: (profiles, options) => profiles.serviceEdit("p1", frozen({ input: { limit: 5 } }), options),
    sends: "POST /profile/p1/services",
    body: { input: { limit: 5 } },
  },
  {
    method: "transferTokenToAnotherProfile",
    call: (profiles, options) => profiles.transferTokenToAnotherProfile("p2", options),
    sends: "PUT /profile/switch/p2",
  },
  {
    method: "removeAddOn",
    call: (profiles, options) => profiles.removeAddOn("p1", "mobile", options),
    sends: "DELETE /profile/p1/mobile",
  },
  {
    method: "addTeamMember",
    call: (profiles, options) => profiles.addTeamMember("p1", "a@b.example", options),
    sends: "POST /profile/p1/team",
    body: { email: "a@b.example" },
  },
  {
    method: "teamList",
    call: (profiles, options) => profiles.teamList("p1", options),
    sends: "GET /profile/p1/team",
    answers: [{ id: "a2", name: "Ana" }],
  },
  {
    method: "deleteTeamMember",
    call: (profiles, options) => profiles.deleteTeamMember("p1", "a2", options),
    sends: "DELETE /profile/p1/team/a2",
  },
];

describe("Profiles", () => {
  testOperations((params) => new Resources(params).profiles, operations);

  it("has no method that is not in the table", () => {
    expect([...new Set(operations.map(({ method }) => method))].sort()).toEqual(methodsOf(Profiles).sort());
  });
});
