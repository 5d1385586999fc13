import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticatorCode } from "../../src/sandbox/core/one-time-code.ts";
import { createSandbox, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import { SEED_ACCOUNTS, SEED_PROFILES } from "../helpers/seed.ts";
import { type Answer, call, ok } from "./client.ts";

const MINUTE_MS = 60_000;
const clock = manualClock(Date.parse("2026-05-14T10:00:00Z"));

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", clock });
});
afterAll(() => sandbox.close());

const post = (path: string, body: unknown, token?: string): Promise<Answer> =>
  call(sandbox, "POST", path, { body, ...(token !== undefined && { token }) });

const refusal = ({ status, body }: Answer): readonly unknown[] => [status, body.message];

/** A member of the newest message in the outbox. */
const sent = (member: string): string => String(sandbox.outbox().at(-1)?.[member]);

interface Newcomer {
  readonly email: string;
  readonly password: string;
}

/** Signs up and confirms. */
async function signUp(name: string): Promise<Newcomer> {
  const who = { email: `${name}@example.test`, password: "first-password" };
  await ok(sandbox, "POST", "/account", { body: { ...who, name, timezone: "UTC" } });
  await ok(sandbox, "GET", `/account/confirm/${sent("token")}`);
  return who;
}

async function tokenOf(who: Newcomer, more: object = {}): Promise<{ token: string; profile: string; id: string }> {
  const { id, profiles } = await ok<{ id: string; profiles: { id: string }[] }>(sandbox, "POST", "/account/login", {
    body: { ...who, ...more },
  });
  const profile = profiles[0]?.id ?? "";
  const { token } = await ok<{ token: string }>(sandbox, "POST", "/account/profile/token", {
    body: { ...who, ...more, profile_id: profile, name: "test" },
  });
  return { token, profile, id };
}

describe("an account", () => {
  it("is there once the mail of its sign-up is answered, with a profile of its own", async () => {
    const who = { email: "New@Example.test", password: "pass-1" };
    const body = { ...who, name: "New", timezone: "UTC", cpassword: "pass-1" };
    expect(refusal(await post("/account", { ...body, cpassword: "other" }))).toEqual([400, "Error on Body parameters"]);
    expect((await post("/account", body)).body).toEqual({ status: true, result: "Successfully Created" });
    expect((await post("/account", body)).body.field_errors).toEqual({ email: ["This e-mail is already in use"] });
    expect(refusal(await post("/account/login", who))).toEqual([401, "The account is not confirmed yet"]);

    const first = sent("token");
    await ok(sandbox, "GET", "/account/resend_confirmation/new@example.test");
    expect(sandbox.outbox().at(-1)).toMatchObject({ kind: "email", to: "New@Example.test" });
    expect((await call(sandbox, "GET", `/account/confirm/${first}`)).status).toBe(404);
    const second = sent("token");
    await ok(sandbox, "GET", `/account/confirm/${second}`);
    expect((await call(sandbox, "GET", `/account/confirm/${second}`)).status).toBe(404);

    const { token, profile } = await tokenOf(who);
    const info = await ok<Record<string, unknown>>(sandbox, "GET", "/account", { token });
    expect(info).toMatchObject({ name: "New", email: "New@Example.test", plan: "free", active: true, otp: {} });
    expect(JSON.stringify(info)).not.toContain("pass-1");
    expect(await ok(sandbox, "GET", `/profile/${profile}`, { token })).toMatchObject({ account_plan: "free" });
  });

  it("is changed by its own token, member by member, and its options are merged", async () => {
    const { token } = await tokenOf(await signUp("edit"));
    const body = { company: "Acme", options: { time_format: "12" }, plan: "scale", id: "x", active: false };
    expect(await ok(sandbox, "PUT", "/account", { token, body })).toBe("Account Successfully Updated");
    expect(await ok(sandbox, "GET", "/account", { token })).toMatchObject({
      company: "Acme",
      name: "edit",
      plan: "free",
      active: true,
      options: { time_format: "12", decimal_separator: "." },
    });
    const taken = { email: SEED_ACCOUNTS.demo.email };
    expect((await call(sandbox, "PUT", "/account", { token, body: taken })).status).toBe(400);
  });

  it("sets a new password with a mail that works once and for an hour, or with its own token", async () => {
    const who = await signUp("forgetful");
    const recover = (email: string) => ok(sandbox, "GET", `/account/passwordreset/${email}`);
    expect(await recover("nobody@example.test")).toBe("E-mail sent to nobody@example.test");
    const before = sandbox.outbox().length;
    await recover("nobody@example.test");
    expect(sandbox.outbox()).toHaveLength(before);

    await recover(who.email);
    const link = sent("token");
    expect((await post("/account/passwordreset", { password: "second" }, link)).status).toBe(200);
    expect((await post("/account/passwordreset", { password: "third" }, link)).status).toBe(401);
    expect(refusal(await post("/account/login", who))).toEqual([401, "Invalid credentials"]);
    const { token } = await tokenOf({ ...who, password: "second" });

    await recover(who.email);
    const late = sent("token");
    expect((await call(sandbox, "GET", "/device", { token: late })).status).toBe(401);
    clock.advance(60 * MINUTE_MS);
    expect((await post("/account/passwordreset", { password: "third" }, late)).status).toBe(401);

    expect((await post("/account/passwordreset", { password: "fourth" }, token)).status).toBe(200);
    await tokenOf({ ...who, password: "fourth" });
  });

  it("is shut for a while after ten wrong passwords", async () => {
    const who = await signUp("guessed");
    for (let i = 0; i < 10; i += 1) {
      expect((await post("/account/login", { ...who, password: `guess ${i}` })).status).toBe(401);
    }
    const shut = await post("/account/login", who);
    expect([shut.status, shut.body.message]).toEqual([429, "Too many requests (Retry-After: 600)"]);
    expect(shut.headers["retry-after"]).toBe("600");
    clock.advance(10 * MINUTE_MS);
    expect((await post("/account/login", who)).status).toBe(200);
  });

  it("goes with all its profiles, tokens and what they hold", async () => {
    const who = await signUp("leaving");
    const { token, profile } = await tokenOf(who);
    const { device_id: device, token: deviceToken } = await ok<{ device_id: string; token: string }>(
      sandbox,
      "POST",
      "/device",
      { token, body: { name: "Mine" } },
    );
    await ok(sandbox, "POST", "/data", { token: deviceToken, body: [{ variable: "v", value: 1 }] });
    expect(await ok(sandbox, "DELETE", "/account", { token })).toBe("Account Successfully Removed");
    for (const dead of [token, deviceToken])
      expect((await call(sandbox, "GET", "/info", { token: dead })).status).toBe(401);
    expect(refusal(await post("/account/login", who))).toEqual([401, "Invalid credentials"]);
    const admin = sandbox.tokens.profile;
    expect((await call(sandbox, "GET", `/profile/${profile}`, { token: admin })).status).toBe(404);
    expect((await call(sandbox, "GET", `/device/${device}`, { token: admin })).status).toBe(404);
  });
});

describe("a second factor", () => {
  it("by mail is enabled with the password, confirmed with a code, asked for at login, and disabled", async () => {
    const who = await signUp("mailed");
    const { token } = await tokenOf(who);
    const otp = (step: string, body: unknown): Promise<Answer> => post(`/account/otp/email/${step}`, body, token);
    expect(refusal(await otp("enable", { ...who, password: "wrong" }))).toEqual([401, "Invalid credentials"]);
    expect((await otp("enable", who)).body.result).toBe("PIN code sent");
    expect((await post("/account/login", who)).status).toBe(200);
    expect(refusal(await otp("confirm", { pin_code: "000000x" }))).toEqual([401, "Invalid pin code"]);
    expect((await otp("confirm", { pin_code: sent("pin_code") })).status).toBe(200);
    expect(await ok(sandbox, "GET", "/account", { token })).toMatchObject({ otp: { email: true } });

    // Asking without a code sends one.
    expect(refusal(await post("/account/login", who))).toEqual([401, '{"otp_enabled":true,"otp_autosend":"email"}']);
    const code = { pin_code: sent("pin_code"), otp_type: "email" };
    expect(sandbox.outbox().at(-1)).toMatchObject({ kind: "email", to: who.email });
    await tokenOf(who, code);
    expect(refusal(await post("/account/login", { ...who, ...code }))).toEqual([401, "Invalid pin code"]);

    expect((await post("/account/login/otp", { ...who, otp_type: "email" })).body.result).toBe("PIN code sent");
    const late = { pin_code: sent("pin_code"), otp_type: "email" };
    clock.advance(10 * MINUTE_MS);
    expect(refusal(await post("/account/login", { ...who, ...late }))).toEqual([401, "Invalid pin code"]);

    expect((await otp("disable", who)).status).toBe(200);
    expect((await post("/account/login", who)).status).toBe(200);
  });

  it("by text message needs a phone number to send to", async () => {
    const who = await signUp("texted");
    const { token } = await tokenOf(who);
    expect((await post("/account/otp/sms/enable", who, token)).body.field_errors).toHaveProperty("phone");
    await ok(sandbox, "PUT", "/account", { token, body: { phone: "+100" } });
    await ok(sandbox, "POST", "/account/otp/sms/enable", { token, body: who });
    expect(sandbox.outbox().at(-1)).toMatchObject({ kind: "sms", to: "+100" });
    await ok(sandbox, "POST", "/account/otp/sms/confirm", { token, body: { pin_code: sent("pin_code") } });
    expect(refusal(await post("/account/login", who))).toEqual([401, '{"otp_enabled":true,"otp_autosend":"sms"}']);
    await tokenOf(who, { pin_code: sent("pin_code"), otp_type: "sms" });
  });

  it("by an authenticator takes the code of its link, each once", async () => {
    const who = await signUp("authentic");
    const { token } = await tokenOf(who);
    const link = await ok<string>(sandbox, "POST", "/account/otp/authenticator/enable", { token, body: who });
    expect(link).toMatch(/^otpauth:\/\/totp\//);
    const secret = new URL(link).searchParams.get("secret") ?? "";
    const now = (): string => authenticatorCode(secret, clock.now());
    await ok(sandbox, "POST", "/account/otp/authenticator/confirm", { token, body: { pin_code: now() } });
    expect(refusal(await post("/account/login", who))).toEqual([
      401,
      '{"otp_enabled":true,"otp_autosend":"authenticator"}',
    ]);
    await tokenOf(who, { pin_code: now(), otp_type: "authenticator" });
    expect(refusal(await post("/account/login", { ...who, pin_code: now() }))).toEqual([401, "Invalid pin code"]);
    clock.advance(MINUTE_MS);
    await tokenOf(who, { pin_code: now() });
  });

  it("takes no code any more after five wrong ones, until a new one is sent", async () => {
    const who = await signUp("brute");
    const { token } = await tokenOf(who);
    await ok(sandbox, "POST", "/account/otp/email/enable", { token, body: who });
    await ok(sandbox, "POST", "/account/otp/email/confirm", { token, body: { pin_code: sent("pin_code") } });
    await ok(sandbox, "POST", "/account/login/otp", { body: { ...who, otp_type: "email" } });
    const right = sent("pin_code");
    for (let i = 0; i < 5; i += 1)
      expect((await post("/account/login", { ...who, pin_code: `x${i}` })).status).toBe(401);
    expect(refusal(await post("/account/login", { ...who, pin_code: right }))).toEqual([401, "Invalid pin code"]);
    await ok(sandbox, "POST", "/account/login/otp", { body: { ...who, otp_type: "email" } });
    expect((await post("/account/login", { ...who, pin_code: sent("pin_code") })).status).toBe(200);
  });

  it("of the seed account is the authenticator the documents name", async () => {
    const { email, password, authenticator } = SEED_ACCOUNTS.otp;
    const who = { email, password, pin_code: authenticatorCode(authenticator, clock.now()) };
    expect((await post("/account/login", who)).body.result).toMatchObject({ profiles: [{ id: SEED_PROFILES.otp }] });
  });
});
