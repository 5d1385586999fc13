import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import { SEED_ACCOUNTS, SEED_PROFILES } from "../helpers/seed.ts";
import { call, newDevice, ok } from "./client.ts";

const clock = manualClock(Date.parse("2026-05-14T10:00:00Z"));
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", clock });
});
afterAll(() => sandbox.close());

const admin = <T = unknown>(method: string, path: string, body?: unknown): Promise<T> =>
  ok<T>(sandbox, method, path, { token: sandbox.tokens.profile, ...(body !== undefined && { body }) });

const statusOf = async (token: string, method: string, path: string, body?: unknown): Promise<number> =>
  (await call(sandbox, method, path, { token, ...(body !== undefined && { body }) })).status;

const sent = (member: string): string => String(sandbox.outbox().at(-1)?.[member]);

/** A new profile of the demo account, with a token of its own. */
async function newProfile(name: string): Promise<{ id: string; token: string }> {
  const { id } = await admin<{ id: string }>("POST", "/profile", { name });
  const { token } = await admin<{ token: string }>("POST", `/profile/${id}/token`, { name: "t", permission: "full" });
  return { id, token };
}

describe("a profile", () => {
  it("is made, renamed, and shows what it may use", async () => {
    const { id, token } = await newProfile("Second");
    expect(await admin("PUT", `/profile/${id}`, { name: "Renamed", banner_url: "https://example.test/b.png" })).toBe(
      "Successfully Updated",
    );
    const shown = await ok<Record<string, unknown>>(sandbox, "GET", "/profile/current", { token });
    expect(shown).toMatchObject({
      info: { id, name: "Renamed", account: SEED_ACCOUNTS.demo.id, banner_url: "https://example.test/b.png" },
      allocation: { input: 50_000_000 },
      addons: { mobile: false },
      account_plan: "scale",
    });
    await admin("POST", `/profile/${id}/services`, { input: 10, sms: { limit: 20 } });
    await admin("POST", `/profile/${id}/addons`, { mobile: true });
    expect(await admin("GET", `/profile/${id}`)).toMatchObject({
      allocation: { input: 10, sms: 20, output: 100_000_000 },
      addons: { mobile: true, custom_dns: false },
    });
    expect(await admin("GET", `/profile/${id}/addons`)).toEqual([{ id, name: "mobile", logo_url: null }]);
    expect(await admin("DELETE", `/profile/${id}/mobile`)).toBe("Successfully Removed");
    expect(await admin("GET", `/profile/${id}/addons`)).toEqual([]);
    expect(await statusOf(sandbox.tokens.profile, "DELETE", `/profile/${id}/team-colours`)).toBe(404);
  });

  it("goes only with the password, and with everything in it", async () => {
    const { id, token } = await newProfile("Doomed");
    const device = await ok<{ device_id: string; token: string }>(sandbox, "POST", "/device", {
      token,
      body: { name: "Gone", configuration_params: [{ key: "k", value: "v" }] },
    });
    await ok(sandbox, "POST", "/data", { token: device.token, body: [{ variable: "v", value: 1 }] });
    const file = Buffer.from("text").toString("base64");
    await ok(sandbox, "POST", "/files", { token, body: [{ filename: "a.txt", file, public: true }] });
    const user = { name: "U", email: "u@example.test", password: "secret", timezone: "UTC", active: true };
    await ok(sandbox, "POST", "/run/users", { token, body: user });
    expect((await call(sandbox, "GET", `/file/${id}/a.txt`)).status).toBe(200);
    const schema = { n: { action: "create", type: "text", required: false } };
    const entity = await ok<{ id: string }>(sandbox, "POST", "/entity", { token, body: { name: "E", schema } });
    await ok(sandbox, "POST", `/entity/${entity.id}/data`, { token, body: [{ n: "row" }] });
    const source = { file: Buffer.from("1").toString("base64"), file_name: "a.js", language: "node-rt2025" };
    const analysis = await ok<{ id: string; token: string }>(sandbox, "POST", "/analysis", {
      token,
      body: { name: "A", run_on: "external" },
    });
    await ok(sandbox, "POST", `/analysis/${analysis.id}/upload`, { token, body: source });

    expect(await statusOf(sandbox.tokens.profile, "DELETE", `/profile/${id}`, {})).toBe(400);
    expect(await statusOf(sandbox.tokens.profile, "DELETE", `/profile/${id}`, { password: "wrong" })).toBe(401);
    const { password } = SEED_ACCOUNTS.demo;
    expect(await admin("DELETE", `/profile/${id}`, { password })).toBe("Successfully Removed");
    for (const dead of [token, device.token, analysis.token]) expect(await statusOf(dead, "GET", "/info")).toBe(401);
    expect(await statusOf(sandbox.tokens.profile, "GET", `/profile/${id}`)).toBe(404);
    expect((await call(sandbox, "GET", `/file/${id}/a.txt`)).status).toBe(404);
    const login = await call(sandbox, "POST", `/run/${id}.tago.run/login`, { body: user });
    expect(login.status).toBe(404);
    const listed = await admin<{ id: string }[]>("GET", "/profile");
    expect(listed.map((profile) => profile.id)).not.toContain(id);
    expect(await statusOf(sandbox.tokens.profile, "DELETE", `/profile/${SEED_PROFILES.otp}`, { password })).toBe(404);
  });

  it("takes a token over from another one of the same account", async () => {
    const { id } = await newProfile("Target");
    const { token } = await admin<{ token: string }>("POST", "/profile/current/token", { name: "moving" });
    expect(await ok(sandbox, "PUT", `/profile/switch/${id}`, { token })).toBe("Token Successfully Transferred");
    expect(await ok(sandbox, "GET", "/profile/current", { token })).toMatchObject({ info: { id } });
    expect(await statusOf(token, "PUT", `/profile/switch/${SEED_PROFILES.otp}`)).toBe(404);
  });
});

describe("a team", () => {
  it("grows by a mail that is accepted, and shrinks with the tokens of who leaves", async () => {
    const { id } = await newProfile("Shared");
    const { email, password } = SEED_ACCOUNTS.otp;
    const team = (): Promise<{ id: string; email: string; active: boolean }[]> => admin("GET", `/profile/${id}/team`);
    expect(await admin("POST", `/profile/${id}/team`, { email })).toBe("User invited");
    expect(sandbox.outbox().at(-1)).toMatchObject({ kind: "email", to: email });
    expect(await team()).toMatchObject([{ email, active: false }]);
    const declined = sent("token");
    expect((await call(sandbox, "GET", `/profile/team/decline/${declined}`)).status).toBe(200);
    expect(await team()).toEqual([]);
    expect((await call(sandbox, "GET", `/profile/team/accept/${declined}`)).status).toBe(404);

    const { email: member, password: secret } = SEED_ACCOUNTS.shared;
    await admin("POST", `/profile/${id}/team`, { email: member });
    const link = sent("token");
    expect((await call(sandbox, "GET", `/profile/team/accept/${link}`)).status).toBe(200);
    expect((await call(sandbox, "GET", `/profile/team/accept/${link}`)).status).toBe(404);
    expect(await team()).toMatchObject([
      { id: SEED_ACCOUNTS.shared.id, email: member, name: "Sam Shared", active: true },
    ]);
    expect(await statusOf(sandbox.tokens.profile, "POST", `/profile/${id}/team`, { email: member })).toBe(400);

    const body = { email: member, password: secret, profile_id: id, name: "guest" };
    const { token } = await ok<{ token: string }>(sandbox, "POST", "/account/profile/token", { body });
    expect(await ok(sandbox, "GET", "/account", { token })).toMatchObject({ email: member });
    expect(await statusOf(token, "DELETE", `/profile/${id}`, { password: secret })).toBe(401);
    // Only the account that owns the profile invites, and reads its log.
    expect(await statusOf(token, "POST", `/profile/${id}/team`, { email })).toBe(401);
    expect(await statusOf(token, "GET", `/profile/${id}/auditlog`)).toBe(401);
    expect(await admin("DELETE", `/profile/${id}/team/${SEED_ACCOUNTS.shared.id}`)).toBe(
      "Account Successfully Removed",
    );
    expect(await statusOf(token, "GET", "/info")).toBe(401);
    expect(await team()).toEqual([]);
    expect(password).not.toBe("");
  });

  it("waits with an invitation until the address has an account", async () => {
    const { id } = await newProfile("Early");
    await admin("POST", `/profile/${id}/team`, { email: "nobody-yet@example.test" });
    const link = sent("token");
    expect((await call(sandbox, "GET", `/profile/team/accept/${link}`)).status).toBe(400);
    const body = { name: "N", email: "nobody-yet@example.test", password: "p", timezone: "UTC" };
    await ok(sandbox, "POST", "/account", { body });
    expect((await call(sandbox, "GET", `/profile/team/accept/${link}`)).status).toBe(200);
  });
});

interface Log {
  readonly queryId: string;
  readonly status: string;
  readonly events?: readonly { resourceName: string; resourceID: string; message: string; who: string; date: string }[];
}

describe("the log of changes", () => {
  const search = async (query = ""): Promise<Log> => {
    const begun = await admin<Log>("GET", `/profile/current/auditlog${query}`);
    expect(begun).toEqual({ queryId: begun.queryId, status: "Running", events: [] });
    return admin<Log>("GET", `/profile/current/auditlog/${begun.queryId}`);
  };

  it("holds who changed what and who logged in, newest first, and is searched in two steps", async () => {
    const { device_id: id } = await newDevice(sandbox, { name: "Audited" });
    clock.advance(1_000);
    await admin("PUT", `/device/${id}`, { name: "Audited twice" });
    clock.advance(1_000);
    await admin("DELETE", `/device/${id}`);
    const found = await search(`?resourceID=${id}`);
    expect(found).toMatchObject({ status: "Complete", statistics: { recordsMatched: 3 } });
    expect(found.events?.map(({ message }) => message)).toEqual([
      "Device Audited twice was deleted",
      "Device Audited twice was updated",
      "Device Audited was created",
    ]);
    expect(found.events?.[0]).toMatchObject({
      resourceName: "device",
      resourceID: id,
      who: SEED_ACCOUNTS.demo.id,
      date: new Date(clock.now()).toISOString(),
    });
    const { email, password } = SEED_ACCOUNTS.demo;
    await ok(sandbox, "POST", "/account/login", { body: { email, password } });
    expect((await search("?find=LOGGED&resourceName=profile&limit=1")).events).toMatchObject([
      { message: `${email} logged in`, who: SEED_ACCOUNTS.demo.id },
    ]);
    expect((await search("?resourceName=dictionary")).events).toEqual([]);
  });

  it("names each chunk that was deleted", async () => {
    const device = { name: "Chunked", type: "immutable", chunk_period: "day", chunk_retention: 2 };
    const { device_id: id, token } = await newDevice(sandbox, device);
    await ok(sandbox, "POST", "/data", { token, body: { variable: "a", value: 1 } });
    const [chunk] = await admin<{ id: string }[]>("GET", `/device/${id}/chunk`);
    await admin("DELETE", `/device/${id}/chunk/${chunk?.id}`);
    expect((await search(`?resourceID=${id}&find=chunk%20`)).events).toMatchObject([
      { resourceName: "device", message: `Chunk ${chunk?.id} of device Chunked was deleted` },
    ]);
  });

  it("covers seven days at a time, the last ones without dates", async () => {
    const { device_id: id } = await newDevice(sandbox, { name: "Old one" });
    const then = new Date(clock.now()).toISOString();
    clock.advance(8 * DAY_MS);
    expect((await search(`?resourceID=${id}`)).events).toEqual([]);
    const start = new Date(Date.parse(then) - HOUR_MS).toISOString();
    expect((await search(`?resourceID=${id}&start_date=${start}`)).events).toHaveLength(1);
    const now = new Date(clock.now()).toISOString();
    expect(
      await statusOf(sandbox.tokens.profile, "GET", `/profile/current/auditlog?start_date=${start}&end_date=${now}`),
    ).toBe(400);
    expect(await statusOf(sandbox.tokens.profile, "GET", "/profile/current/auditlog?start_date=soon")).toBe(400);
    expect(await statusOf(sandbox.tokens.profile, "GET", "/profile/current/auditlog/unknown")).toBe(404);
  });
});

describe("statistics", () => {
  it("count what really came in, went out and was sent", async () => {
    const { id, token } = await newProfile("Counted");
    const device = await ok<{ device_id: string; token: string }>(sandbox, "POST", "/device", {
      token,
      body: { name: "Busy" },
    });
    const rows = (count: number) => Array.from({ length: count }, (_, value) => ({ variable: "v", value }));
    await ok(sandbox, "POST", "/data", { token: device.token, body: rows(7) });
    await ok(sandbox, "GET", "/data?qty=5", { token: device.token });
    await ok(sandbox, "GET", `/device/${device.device_id}/data?qty=3`, { token });
    await ok(sandbox, "POST", "/run/email_test", { token, body: { subject: "s", body: "b" } });
    // A refused write counts for nothing.
    expect(await statusOf(device.token, "POST", "/data", [{ value: 1 }])).toBe(400);
    const list = (query = ""): Promise<{ time: string }[]> =>
      ok(sandbox, "GET", `/profile/current/statistics${query}`, { token });
    const used = { input: 7, output: 8, email: 1, data_records: 7 };
    expect((await list()).at(-1)).toEqual({ time: expect.any(String), ...used });
    const summary = await admin<Record<string, unknown>>("GET", `/profile/${id}/summary`);
    expect(summary).toMatchObject({
      limit_used: { ...used, sms: 0 },
      amount: { device: 1 },
      tago_run: `${id}.tago.run`,
    });

    clock.advance(HOUR_MS);
    await ok(sandbox, "POST", "/data", { token: device.token, body: rows(1) });
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const byHour = await list(`?date=${day}`);
    expect(byHour.slice(-2)).toMatchObject([{ input: 7 }, { input: 8 }]);

    // Counters begin again with a month; what is there stays.
    clock.advance(40 * DAY_MS);
    expect((await list()).at(-1)).toEqual({ time: expect.any(String), data_records: 8 });
    const months = await list("?start_date=60 days&periodicity=month");
    expect(months.map((entry) => "input" in entry && entry.input)).toContain(8);
    const years = await list("?start_date=60 days&periodicity=year");
    expect(years.at(-1)?.time).toBe(`${new Date(clock.now()).getUTCFullYear()}-01-01T00:00:00.000Z`);
    expect(years.at(-1)).toMatchObject({ input: 8 });
    expect(await statusOf(token, "GET", "/profile/current/statistics?periodicity=week")).toBe(400);
  });
});

describe("billing", () => {
  const subscription = (): Promise<Record<string, unknown>> => admin("GET", "/account/subscription");

  it("stores a larger plan at once, and schedules a smaller one", async () => {
    const before = await subscription();
    expect(before).toMatchObject({ account: SEED_ACCOUNTS.demo.id, plan: "scale", processing: false, trial_end: null });
    const { end } = before["current_cycle"] as { end: string };
    await admin("POST", "/account/subscription", { plan: "starter" });
    expect(await subscription()).toMatchObject({ plan: "scale" });
    expect(await admin("GET", "/account/subscription/schedule")).toMatchObject({
      release_at: end,
      subscription: { plan: "starter" },
    });
    expect(await admin("GET", "/account/subscription/summary")).toMatchObject({ schedule: true, processing: false });
    await admin("DELETE", "/account/subscription/schedule");
    expect(await admin("GET", "/account/subscription/schedule")).toEqual({
      account: SEED_ACCOUNTS.demo.id,
      release_at: null,
    });

    const bought = { sms: { limit: 1_000_000 } };
    await admin("POST", "/account/subscription", { services: bought, coupon: "DEMO20" });
    expect(await subscription()).toMatchObject({ plan: "scale", services: bought, processing: false });
    await admin("POST", "/account/subscription", { services: { sms: { limit: 1 } } });
    expect(await subscription()).toMatchObject({ services: bought });
    for (const path of ["cancel", "retry"])
      expect(await admin("POST", `/account/subscription/pending/${path}`)).toBe("Successfully Updated");
  });

  it("refuses what makes no sense", async () => {
    const refused = (path: string, body: unknown): Promise<number> =>
      statusOf(sandbox.tokens.profile, "POST", path, body);
    expect(await refused("/account/subscription", {})).toBe(400);
    expect(await refused("/account/subscription", { plan: "scale", services: {} })).toBe(400);
    expect(await refused("/account/subscription", { plan: "huge" })).toBe(400);
    expect(await refused("/account/subscription", { plan: "scale", coupon: "FREE" })).toBe(404);
    expect(await refused("/account/allocation", [{ profile: SEED_PROFILES.otp, input: 1 }])).toBe(404);
    expect(await statusOf(sandbox.tokens.profile, "GET", "/account/subscription/coupon/FREE")).toBe(404);
    expect(await statusOf(sandbox.tokens.read, "POST", "/account/subscription", { plan: "free" })).toBe(401);
  });

  it("keeps the card, the address, the shares of profiles and the older plan", async () => {
    await admin("POST", "/account/payment_method", { token: "tok_1", brand: "Master" });
    expect(await admin("GET", "/account/payment_method")).toMatchObject({ card: { brand: "Master", last4: "4242" } });
    await admin("PUT", "/account/billing", { company: "Acme", country: "PT" });
    expect(await admin("GET", "/account/billing")).toMatchObject({
      account: SEED_ACCOUNTS.demo.id,
      company: "Acme",
      country: "PT",
      city: null,
      payment_method: { card: { brand: "Master" } },
    });
    await admin("DELETE", "/account/payment_method");
    expect(await admin("GET", "/account/payment_method")).toMatchObject({ card: null });

    const shares = [{ profile: sandbox.profileId, input: 123 }];
    expect(await admin("POST", "/account/allocation", shares)).toBe("Profile resource allocation Successfully Updated");
    const listed = await admin<Record<string, unknown>[]>("GET", "/account/allocation");
    expect(listed.find(({ profile }) => profile === sandbox.profileId)).toMatchObject({ input: 123 });
    expect(await admin("GET", "/profile/current")).toMatchObject({ allocation: { input: 123 } });

    expect(await admin("GET", "/account/plan")).toMatchObject({ plan: "scale", price: 199 });
    await admin("POST", "/account/plan", { sms: 7 });
    expect(await admin("GET", "/account/plan")).toMatchObject({ sms: 7 });
  });

  it("tells its prices to anybody, and the rest of a month for less", async () => {
    const prices = await ok<Record<string, { amount: number; price: number }[]>>(sandbox, "GET", "/pricing");
    expect(Object.keys(prices)).toEqual(expect.arrayContaining(["plans", "addons", "input", "file_storage"]));
    const rest = await admin<typeof prices>("GET", "/pricing/prorated");
    expect(rest["input"]?.[0]?.price).toBeLessThanOrEqual(prices["input"]?.[0]?.price ?? 0);
  });
});
