import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { billingRoutes } from "../../src/lib/resources/billing.ts";
import { planRoutes } from "../../src/lib/resources/plan.ts";
import { createApp } from "../../src/sandbox/app.ts";
import { manualClock } from "../../src/sandbox/core/clock.ts";
import { IdSource } from "../../src/sandbox/core/ids.ts";
import { FaultInjector } from "../../src/sandbox/http/faults.ts";
import { RequestLog } from "../../src/sandbox/http/request-log.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { migrations } from "../../src/sandbox/migrations.ts";
import { kinds, resources } from "../../src/sandbox/resources.ts";
import { openEphemeral } from "../../src/sandbox/store/open.ts";
import { SEED_ACCOUNTS } from "../helpers/seed.ts";
import { call } from "./client.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
});
afterAll(() => sandbox.close());

const { email, password } = SEED_ACCOUNTS.demo;

/** The assumptions a response names. */
async function assumed(method: string, path: string, body?: unknown): Promise<string> {
  const { headers } = await call(sandbox, method, path, {
    token: sandbox.tokens.profile,
    ...(body !== undefined && { body }),
  });
  return String(headers["x-sandbox-gap"] ?? "");
}

describe("responses about accounts that rest on an assumption", () => {
  it.each([...Object.values(billingRoutes), planRoutes.getActivePlan, planRoutes.setPlanParameters])(
    "name it: $method $path",
    async ({ method, path }) => {
      const body = method === "GET" ? undefined : {};
      expect(await assumed(method, path.replace(":code", "DEMO20"), body)).not.toBe("");
    },
  );

  it("name it where only some requests need it", async () => {
    expect(await assumed("POST", "/profile/current/token", { name: "t" })).toBe("Profile token without expire_time");
    expect(await assumed("GET", "/profile/current/auditlog?find=x")).toBe("Audit log messages");
    expect(await assumed("GET", "/profile/current/auditlog/unknown")).toBe("Audit log");
    expect(await assumed("GET", "/profile/current/statistics")).toBe("Usage statistics");
    expect(await assumed("POST", "/account/login", { email, password: "wrong" })).toBe("Wrong login");
    expect(await assumed("GET", "/account/passwordreset/nobody@example.test")).toBe("");
    const rule = { name: "Long", permissions: [], targets: [["run_user", "a", "b", "c", "d", "e"]], tags: [] };
    const { body } = await call(sandbox, "POST", "/am", { token: sandbox.tokens.profile, body: rule });
    const { am_id } = body.result as { am_id: string };
    expect(await assumed("GET", `/am/${am_id}`)).toBe("Tuples of rules longer than five");
  });

  it.each([
    ["GET", "/account"],
    ["GET", "/profile"],
    ["GET", "/profile/current"],
    ["GET", "/profile/current/summary"],
    ["GET", "/profile/current/auditlog"],
    ["GET", "/profile/current/statistics?start_date=3 days&periodicity=day"],
    ["GET", "/profile/current/token"],
    ["GET", "/profile/current/team"],
    ["GET", "/profile/current/backup"],
    ["PUT", "/profile/current", { name: "Plant" }],
    ["POST", "/profile/current/token", { name: "t", expire_time: "1 day" }],
    ["POST", "/account/login", { email, password }],
    ["GET", "/am"],
  ])("do not count ordinary use of a route: %s %s", async (method, path, body?: unknown) => {
    expect(await assumed(method, path, body)).toBe("");
  });
});

describe("a strict sandbox", () => {
  it("refuses prices, but not the ordinary routes", async () => {
    const clock = manualClock(Date.parse("2026-05-14T10:00:00Z"));
    const storage = openEphemeral(migrations, clock.now());
    const app = createApp({
      storage,
      clock,
      ids: new IdSource(clock, 1),
      kinds,
      faults: new FaultInjector(),
      requestLog: new RequestLog(),
      host: "127.0.0.1",
      log: () => {},
      strict: { isOn: true },
    });
    for (const { serve } of resources) serve(app);
    const url = `http://127.0.0.1:${await app.server.listen(0)}`;
    const account = app.accounts.create({ name: "A", email: "a@example.test", password: "p" }).id;
    const profile = app.accounts.createProfile({ account, name: "P" });
    const { token } = app.tokens.create({ kind: "profile", profile, refId: profile, name: "t", createdBy: account });
    await app.db.committed();
    const prices = await call({ url }, "GET", "/pricing");
    expect(prices.status).toBe(501);
    expect(prices.body.message).toContain("Prices, invoices, cards");
    expect((await call({ url }, "GET", "/account", { token })).status).toBe(200);
    expect((await call({ url }, "GET", "/profile", { token })).status).toBe(200);
    await app.server.close();
    storage.close();
  });
});
