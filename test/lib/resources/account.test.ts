import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Account, Resources } from "../../../src/index.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { answer, type FaultServer, ok, silence, startFaultServer } from "../../helpers/fault-server.ts";
import { frozen } from "../../helpers/operations.ts";

const moment = "2024-03-05T10:20:30.000Z";
const credentials = frozen({
  email: "ana@demo.example",
  password: "pass-1",
  otp_type: "sms",
  pin_code: "123456",
} as const);
const request = frozen({ ...credentials, profile_id: "p1", name: "A", expire_time: "3 months" });
const profiles = [{ id: "p1", name: "Plant", logo_url: null, account: "a1" }];

describe.each(["undici", "fetch"])("Account over %s", (transport) => {
  let server: FaultServer;

  beforeEach(async () => {
    vi.stubEnv("IOT_TRANSPORT", transport);
    server = await startFaultServer(silence);
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await server.close();
  });

  const region = () => ({ api: server.url, sse: "" });

  it("logs in without a token", async () => {
    server.react(ok({ id: "a1", profiles }));
    await expect(Account.login(credentials, region())).resolves.toEqual({ id: "a1", profiles });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ method: "POST", path: "/account/login" });
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual(credentials);
    expect(server.requests[0]?.headers["token"]).toBeUndefined();
  });

  it("creates a token without a token", async () => {
    server.react(ok({ token: "t1", expire_time: moment }));
    await expect(Account.tokenCreate(request, region())).resolves.toEqual({
      token: "t1",
      expire_time: new Date(moment),
    });
    expect(server.requests[0]).toMatchObject({ method: "POST", path: "/account/profile/token" });
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual(request);
    expect(server.requests[0]?.headers["token"]).toBeUndefined();
  });

  it("goes to the environment's address when no region is given", async () => {
    vi.stubEnv("TAGOIO_API", server.url);
    server.react(ok({ token: "t1", expire_time: "never" }));
    await expect(Account.tokenCreate(request)).resolves.toMatchObject({ expire_time: "never" });
    expect(server.requests).toHaveLength(1);
  });

  it("says in the error that a second factor is needed", async () => {
    const message = '{"otp_enabled":true,"otp_autosend":"sms"}';
    server.react(answer({ status: 400, body: JSON.stringify({ status: false, message }) }));
    const error = await failureOf(Account.login(credentials, region()));
    expect(error).toMatchObject({ name: "ApiError", status: 400, message });
    expect(JSON.parse(error.message)).toEqual({ otp_enabled: true, otp_autosend: "sms" });
    expect(JSON.stringify(error)).not.toContain(credentials.password);
  });

  it.each([
    ["login", (options: { signal: AbortSignal }) => Account.login(credentials, region(), options)],
    ["tokenCreate", (options: { signal: AbortSignal }) => Account.tokenCreate(request, region(), options)],
  ])("%s sends nothing after its signal has ended", async (_name, call) => {
    const error = await failureOf(call({ signal: AbortSignal.abort("enough") }));
    expect(error).toMatchObject({ name: "CancelledError", cause: "enough" });
    expect(server.requests).toHaveLength(0);
  });
});

describe("Account", () => {
  it("has the members of Resources, each made once", () => {
    const account = new Account({ token: "t" });
    for (const name of ["devices", "dashboards", "profiles"] as const) {
      expect(account[name]).toBeInstanceOf(new Resources({ token: "t" })[name].constructor);
      expect(account[name]).toBe(account[name]);
    }
  });
});
