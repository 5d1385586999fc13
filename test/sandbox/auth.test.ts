import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import { SEED_ACCOUNTS, SEED_PROFILES, SEED_TOKENS } from "../helpers/seed.ts";
import { call, newDevice, ok } from "./client.ts";

const clock = manualClock(Date.parse("2026-03-31T12:00:00Z"));
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", clock });
});
afterAll(() => sandbox.close());

const DENIED = [401, "Authorization Denied"];

async function verdict(method: string, path: string, token?: string, body?: unknown): Promise<unknown[]> {
  const answer = await call(sandbox, method, path, { ...(token !== undefined && { token }), body });
  return [answer.status, answer.body.message ?? "ok"];
}

describe("finding the token", () => {
  const HEADERS = [
    "token",
    "authorization",
    "authentication",
    "account-token",
    "profile-token",
    "device-token",
    "analysis-token",
    "network-token",
    "middleware-token",
    "public-token",
  ];

  it("accepts every header name the platform knows", async () => {
    for (const name of HEADERS) {
      const answer = await call(sandbox, "GET", "/info", { headers: { [name]: sandbox.tokens.profile } });
      expect(answer.status, name).toBe(200);
    }
  });

  it("accepts Bearer, query parameters, and tokens without their prefix", async () => {
    const { profile } = sandbox.tokens;
    const bearer = await call(sandbox, "GET", "/info", { headers: { authorization: `Bearer ${profile}` } });
    expect(bearer.status).toBe(200);
    for (const name of ["token", "authorization", "account_token", "device_token", "public_token"]) {
      expect((await call(sandbox, "GET", `/info?${name}=${profile}`)).status, name).toBe(200);
    }
    expect(await verdict("GET", "/info", profile.slice(2))).toEqual([200, "ok"]);
  });

  it("takes the first one found, and the text null for none", async () => {
    const headers = { token: "null", authorization: sandbox.tokens.profile };
    expect((await call(sandbox, "GET", "/info", { headers })).status).toBe(200);
    const wrongFirst = { token: "wrong", authorization: sandbox.tokens.profile };
    expect((await call(sandbox, "GET", "/info", { headers: wrongFirst })).status).toBe(401);
  });

  it("refuses none, unknown, expired, hostile and overlong ones alike", async () => {
    for (const token of [undefined, "null", "p-0", sandbox.tokens.expired, "' OR 1=1", "x".repeat(5_000)]) {
      expect(await verdict("GET", "/info", token), token?.slice(0, 20)).toEqual(DENIED);
    }
    expect((await call(sandbox, "GET", "/info?token=a%00b")).status).toBe(401);
  });
});

describe("kinds of token", () => {
  it("open only what is theirs", async () => {
    const device = await newDevice(sandbox);
    expect(await verdict("GET", "/device", device.token)).toEqual(DENIED);
    expect(await verdict("GET", "/data", sandbox.tokens.profile)).toEqual(DENIED);
    expect(await verdict("GET", "/device/params", sandbox.tokens.profile)).toEqual(DENIED);
    expect(await verdict("POST", `/device/${device.device_id}/data`, sandbox.tokens.profile, [])).toEqual(DENIED);
    expect(await verdict("GET", "/device", SEED_TOKENS.network)).toEqual(DENIED);
  });

  it("of an analysis may do everything in their profile", async () => {
    const { analysis } = sandbox.tokens;
    const created = await call(sandbox, "POST", "/device", { token: analysis, body: { name: "By analysis" } });
    expect(created.status).toBe(201);
    const { device_id } = created.body.result as { device_id: string };
    const row = [{ variable: "a", value: 1 }];
    expect(await verdict("POST", `/device/${device_id}/data`, analysis, row)).toEqual([200, "ok"]);
    expect(await verdict("DELETE", `/device/${device_id}`, analysis)).toEqual([200, "ok"]);
  });

  it("of a device stop working while it is inactive", async () => {
    const device = await newDevice(sandbox, { active: false });
    expect(await verdict("GET", "/info", device.token)).toEqual([400, "Device is deactivated"]);
    await ok(sandbox, "PUT", `/device/${device.device_id}`, { token: sandbox.tokens.profile, body: { active: true } });
    expect(await verdict("GET", "/info", device.token)).toEqual([200, "ok"]);
  });

  it("see nothing of another profile", async () => {
    const device = await newDevice(sandbox);
    const foreign = SEED_TOKENS.empty;
    expect(await ok(sandbox, "GET", "/device", { token: foreign })).toEqual([]);
    const notFound = [404, "Device Not Found"];
    const path = `/device/${device.device_id}`;
    expect(await verdict("GET", path, foreign)).toEqual(notFound);
    expect(await verdict("PUT", path, foreign, { name: "Mine now" })).toEqual(notFound);
    expect(await verdict("DELETE", path, foreign)).toEqual(notFound);
    expect(await verdict("GET", `/device/token/${device.device_id}`, foreign)).toEqual(notFound);
    expect(await verdict("DELETE", `/device/token/${device.token}`, foreign)).toEqual([404, "Token Not Found"]);
    expect(await verdict("POST", "/device/token", foreign, { device: device.device_id, name: "x" })).toEqual(notFound);
  });
});

describe("permissions", () => {
  it("decide by method: read reads, write creates and updates, full deletes", async () => {
    const device = await newDevice(sandbox);
    const path = `/device/${device.device_id}`;
    const { read, write, profile } = sandbox.tokens;
    const body = { name: "Changed" };
    expect(await verdict("GET", path, read)).toEqual([200, "ok"]);
    expect(await verdict("PUT", path, read, body)).toEqual(DENIED);
    expect(await verdict("POST", "/device", read, body)).toEqual(DENIED);
    expect(await verdict("DELETE", path, read)).toEqual(DENIED);
    expect(await verdict("GET", path, write)).toEqual(DENIED);
    expect(await verdict("PUT", path, write, body)).toEqual([200, "ok"]);
    expect(await verdict("DELETE", path, write)).toEqual(DENIED);
    expect(await verdict("DELETE", path, profile)).toEqual([200, "ok"]);
  });
});

describe("the length of a token", () => {
  it("is 36 with its prefix", () => {
    expect([sandbox.tokens.profile, sandbox.tokens.analysis].map((token) => token.length)).toEqual([36, 36]);
  });
});

describe("expiry", () => {
  async function expiryOf(expire_time: string | undefined): Promise<unknown> {
    const device = await newDevice(sandbox);
    const body = { device: device.device_id, name: "t", ...(expire_time !== undefined && { expire_time }) };
    const created = await ok<Record<string, unknown>>(sandbox, "POST", "/device/token", {
      token: sandbox.tokens.profile,
      body,
    });
    expect(created["expire_time"]).toBe(created["expire_date"]);
    return created["expire_time"];
  }

  it("is never, a date or a duration by the calendar; never when none is named", async () => {
    expect(await expiryOf("never")).toBe("never");
    expect(await expiryOf("2030-01-01T00:00:00Z")).toBe("2030-01-01T00:00:00.000Z");
    expect(await expiryOf("3 hours")).toBe("2026-03-31T15:00:00.000Z");
    expect(await expiryOf("1 month")).toBe("2026-04-30T12:00:00.000Z");
    expect(await expiryOf(undefined)).toBe("never");
    expect(await expiryOf("")).toBe("never");
  });

  it("that cannot be read is refused with the field named", async () => {
    const device = await newDevice(sandbox);
    const body = { device: device.device_id, name: "t", expire_time: "soon" };
    const answer = await call(sandbox, "POST", "/device/token", { token: sandbox.tokens.profile, body });
    expect(answer.status).toBe(400);
    expect(answer.body.field_errors).toHaveProperty("expire_time");
  });

  it("ends a token at its moment", async () => {
    const device = await newDevice(sandbox);
    const body = { device: device.device_id, name: "t", expire_time: "1 hour" };
    const { token } = await ok<{ token: string }>(sandbox, "POST", "/device/token", {
      token: sandbox.tokens.profile,
      body,
    });
    expect(await verdict("GET", "/info", token)).toEqual([200, "ok"]);
    clock.advance(3_600_000);
    expect(await verdict("GET", "/info", token)).toEqual(DENIED);
    expect(await verdict("GET", "/info", device.token)).toEqual([200, "ok"]);
  });
});

describe("login", () => {
  const { demo, shared, otp } = SEED_ACCOUNTS;
  const login = (email: string, password: string, more: object = {}) =>
    call(sandbox, "POST", "/account/login", { body: { email, password, ...more } });

  it("answers who it is and the profiles, without a token", async () => {
    const answer = await login(demo.email.toUpperCase(), demo.password);
    expect(answer.status).toBe(200);
    expect(answer.body.result).toMatchObject({
      type: "user",
      id: demo.id,
      email: demo.email,
      profiles: [{ id: SEED_PROFILES.demoPlant }, { id: SEED_PROFILES.empty }],
    });
    expect(answer.text).not.toMatch(/token|password/);
  });

  it("shows a shared profile as such", async () => {
    const answer = await login(shared.email, shared.password);
    expect(answer.body.result).toMatchObject({ profiles: [{ id: SEED_PROFILES.demoPlant, from_share: true }] });
  });

  it("refuses a wrong password and an unknown account alike", async () => {
    const wrong = await login(demo.email, "wrong");
    const unknown = await login("nobody@example.test", "wrong");
    expect([wrong.status, wrong.body.message]).toEqual([401, "Invalid credentials"]);
    expect([unknown.status, unknown.body.message]).toEqual([401, "Invalid credentials"]);
    expect((await login("", "")).status).toBe(400);
  });

  it("makes a profile token from the credentials", async () => {
    const body = { email: demo.email, password: demo.password, profile_id: SEED_PROFILES.demoPlant, name: "cli" };
    const created = await ok<Record<string, string>>(sandbox, "POST", "/account/profile/token", {
      body: { ...body, expire_time: "3 month" },
    });
    expect(created).toMatchObject({ profile: SEED_PROFILES.demoPlant, permission: "full", created_by: demo.id });
    expect(created["token"]).toMatch(/^p-[0-9a-f-]{34}$/);
    expect(await verdict("GET", "/profile/current", created["token"])).toEqual([200, "ok"]);
    const foreign = { ...body, profile_id: SEED_PROFILES.otp };
    expect(await verdict("POST", "/account/profile/token", undefined, foreign)).toEqual([404, "Profile Not Found"]);
  });

  it("asks for a second factor, and takes the authenticator's code", async () => {
    const { authenticatorCode } = await import("../../src/sandbox/core/one-time-code.ts");
    const missing = await login(otp.email, otp.password);
    expect(missing.status).toBe(401);
    expect(JSON.parse(missing.body.message ?? "")).toEqual({ otp_enabled: true, otp_autosend: "authenticator" });
    const wrong = await login(otp.email, otp.password, { pin_code: "000000", otp_type: "authenticator" });
    expect([wrong.status, wrong.body.message]).toEqual([401, "Invalid pin code"]);
    const pin_code = authenticatorCode(otp.authenticator, clock.now());
    expect((await login(otp.email, otp.password, { pin_code, otp_type: "authenticator" })).status).toBe(200);
  });
});

describe("an address of the platform's own documents", () => {
  it("may say that it is without TLS, and has no device data under /data", async () => {
    const { profile } = sandbox.tokens;
    expect(await verdict("GET", "/info?_ssl=false", profile)).toEqual([200, "ok"]);
    expect(await verdict("GET", `/data/${"0".repeat(24)}`, profile)).toEqual([404, "Route not found"]);
  });
});
