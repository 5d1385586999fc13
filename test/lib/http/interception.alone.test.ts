import nock from "nock";
import { type Dispatcher, getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClientOptions, Resources } from "../../../src/index.ts";
import { failureOf, recordingClock, token } from "../../helpers/fault-client.ts";
import { ok, startFaultServer } from "../../helpers/fault-server.ts";

describe("programs that test with nock", () => {
  beforeEach(() => {
    nock.disableNetConnect();
  });

  afterEach(() => {
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
    nock.activate();
  });

  describe.each<[string, Pick<ClientOptions, "fetch">]>([
    ["the default transport", {}],
    ["the fetch transport", { fetch: (url, init) => fetch(url, init) }],
  ])("of %s", (_name, way) => {
    const devices = () => new Resources({ token, region: "us-e1", clock: recordingClock(), ...way }).devices;

    it("see the requests and answer them", async () => {
      nock("https://api.tago.io", { reqheaders: { token } })
        .get("/device/d1")
        .reply(200, { status: true, result: { id: "d1", created_at: "2026-01-01T00:00:00.000Z" } });
      await expect(devices().info("d1")).resolves.toEqual({
        id: "d1",
        created_at: new Date("2026-01-01T00:00:00.000Z"),
      });
      expect(nock.isDone()).toBe(true);
    });

    it("see the body, and can refuse and fail", async () => {
      nock("https://api.tago.io")
        .put("/device/d1", { name: "Pump" })
        .reply(500, { status: false, message: "Try later" })
        .put("/device/d1", { name: "Pump" })
        .replyWithError("gone")
        .put("/device/d1", { name: "Pump" })
        .reply(400, { status: false, message: "Invalid name" });
      expect(await failureOf(devices().edit("d1", { name: "Pump" }))).toMatchObject({
        message: "Invalid name",
        status: 400,
      });
      expect(nock.isDone()).toBe(true);
    });
  });
});

describe("programs that test with undici's MockAgent", () => {
  let before: Dispatcher;
  let agent: MockAgent;

  beforeEach(() => {
    before = getGlobalDispatcher();
    agent = new MockAgent();
    agent.disableNetConnect();
    setGlobalDispatcher(agent);
  });

  afterEach(async () => {
    setGlobalDispatcher(before);
    await agent.close();
  });

  const devices = () => new Resources({ token, region: "eu-w1", clock: recordingClock(), transport: "undici" }).devices;

  it("see the requests of the undici transport and answer them", async () => {
    agent
      .get("https://api.eu-w1.tago.io")
      .intercept({ path: "/device/d1", method: "GET", headers: { token } })
      .reply(200, { status: true, result: { id: "d1" } });
    await expect(devices().info("d1")).resolves.toEqual({ id: "d1" });
    agent.assertNoPendingInterceptors();
  });

  it("can refuse, fail and delay", async () => {
    const pool = agent.get("https://api.eu-w1.tago.io");
    pool.intercept({ path: "/device/d1", method: "GET" }).replyWithError(new Error("gone"));
    pool.intercept({ path: "/device/d1", method: "GET" }).reply(200, { status: false, message: "Not now" }).delay(20);
    expect(await failureOf(devices().info("d1"))).toMatchObject({ message: "Not now" });
    agent.assertNoPendingInterceptors();
  });
});

describe("a dispatcher of the program", () => {
  it("given as option gets the requests", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent
      .get("https://api.eu-w1.tago.io")
      .intercept({ path: "/device/d1", method: "GET", headers: { token } })
      .reply(200, { status: true, result: { id: "d1" } });
    const { devices } = new Resources({ token, region: "eu-w1", attempts: 1, dispatcher: agent });
    await expect(devices.info("d1")).resolves.toEqual({ id: "d1" });
    agent.assertNoPendingInterceptors();
    await agent.close();
  });

  it("set for the whole process is not used by the default transport", async () => {
    const before = getGlobalDispatcher();
    const agent = new MockAgent();
    agent.disableNetConnect();
    setGlobalDispatcher(agent);
    const server = await startFaultServer(ok({ id: "d1" }));
    try {
      const { devices } = new Resources({ token, region: { api: server.url, sse: server.url }, attempts: 1 });
      await expect(devices.info("d1")).resolves.toEqual({ id: "d1" });
    } finally {
      setGlobalDispatcher(before);
      await agent.close();
      await server.close();
    }
  });
});
