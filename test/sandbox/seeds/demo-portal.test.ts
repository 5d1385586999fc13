import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { demoSandbox } from "../../helpers/demo-sandbox.ts";
import {
  SEED_ACCOUNTS,
  SEED_DASHBOARDS,
  SEED_DEVICES,
  SEED_PROFILES,
  SEED_RUN_TOKENS,
  SEED_RUN_USERS,
} from "../../helpers/seed.ts";
import { call, ok } from "../client.ts";

const HOST = `${SEED_PROFILES.demoPlant}.tago.run`;
const DAY_MS = 86_400_000;

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await demoSandbox();
});
afterAll(() => sandbox.close());

const admin = <T = unknown>(path: string): Promise<T> => ok<T>(sandbox, "GET", path, { token: sandbox.tokens.profile });

async function seen(token: string, kind: "device" | "dashboard"): Promise<unknown[]> {
  const rows = await ok<{ id: string }[]>(sandbox, "GET", `/${kind}?amount=100`, { token });
  return rows.map(({ id }) => id);
}

describe("the portal of the demo account", () => {
  it("lets its active users in, and nobody else", async () => {
    for (const name of ["operator", "driver", "manager"] as const) {
      const { email, password, id } = SEED_RUN_USERS[name];
      const login = await ok(sandbox, "POST", `/run/${HOST}/login`, { body: { email, password } });
      expect(login).toMatchObject({ run_user: id });
      expect(await ok(sandbox, "GET", `/run/${HOST}/info`, { token: SEED_RUN_TOKENS[name] })).toMatchObject({
        id,
        email,
      });
    }
    const { email, password } = SEED_RUN_USERS.inactive;
    expect((await call(sandbox, "POST", `/run/${HOST}/login`, { body: { email, password } })).status).toBe(401);
  });

  it("shows each of them what the rules say: by id, by tag, by a tag of both, but never the settings", async () => {
    const { operator, driver, manager, anonymous } = SEED_RUN_TOKENS;
    expect(await seen(operator, "dashboard")).toEqual([SEED_DASHBOARDS.current]);
    expect(await seen(driver, "dashboard")).toEqual([]);
    expect(await seen(driver, "device")).toEqual([SEED_DEVICES.truck]);
    expect(await seen(manager, "dashboard")).toHaveLength(3);
    expect(await seen(manager, "device")).toHaveLength(11);
    expect(await seen(operator, "device")).not.toContain(SEED_DEVICES.settings);
    expect(await seen(anonymous, "dashboard")).toEqual([SEED_DASHBOARDS.blueprint]);
    expect(await admin("/run")).toMatchObject({ anonymous_token: anonymous });
  });

  it("has notifications and a kept value", async () => {
    const token = SEED_RUN_TOKENS.operator;
    expect(await ok<unknown[]>(sandbox, "GET", `/run/${HOST}/notification`, { token })).toHaveLength(2);
    expect(await ok(sandbox, "GET", `/run/${HOST}/sdb/theme`, { token })).toBe("dark");
  });
});

describe("the ledger of the demo account", () => {
  it("has payments in pages, a card and an address", async () => {
    const first = await admin<{ stripe_id: string; total: number }[]>("/account/payment_history");
    expect(first).toHaveLength(10);
    const rest = await admin<{ stripe_id: string }[]>(`/account/payment_history?last_id=${first.at(-1)?.stripe_id}`);
    expect(rest.length).toBeGreaterThan(0);
    expect(new Set([...first, ...rest].map(({ stripe_id }) => stripe_id)).size).toBe(first.length + rest.length);
    expect(await admin("/account/billing")).toMatchObject({
      company: "Demo Plant Ltd",
      payment_method: { card: { last4: "4242" } },
    });
  });

  it("has changes of the last days and use of the last three months", async () => {
    const { queryId } = await admin<{ queryId: string }>("/profile/current/auditlog");
    const { events } = await admin<{ events: { who: string; date: string }[] }>(`/profile/current/auditlog/${queryId}`);
    expect(events.length).toBeGreaterThan(8);
    expect(events.some(({ who }) => who === SEED_ACCOUNTS.demo.id)).toBe(true);
    const dates = events.map(({ date }) => Date.parse(date));
    expect(dates).toEqual([...dates].sort((a, b) => b - a));

    const start = new Date(Date.now() - 90 * DAY_MS).toISOString();
    const days = await admin<Record<string, number>[]>(`/profile/current/statistics?start_date=${start}`);
    expect(days).toHaveLength(91);
    for (const day of days.slice(0, -1))
      expect(Object.keys(day)).toEqual(expect.arrayContaining(["time", "input", "output", "data_records"]));
  });
});
