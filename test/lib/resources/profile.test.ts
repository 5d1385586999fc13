import { describe, expect, it } from "vitest";
import { Profiles, Resources } from "../../../src/index.ts";
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
];

describe("Profiles", () => {
  testOperations((params) => new Resources(params).profiles, operations);

  it("has no method that is not in the table", () => {
    expect([...new Set(operations.map(({ method }) => method))].sort()).toEqual(methodsOf(Profiles).sort());
  });
});
