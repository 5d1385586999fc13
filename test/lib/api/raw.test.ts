import { describe, expect, it } from "vitest";
import { ApiError, type RawRequest, RequestError, rawRequest } from "../../../src/index.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { failed, lost, manualClock, reply, type Step, scripted, success } from "../../helpers/scripted-transport.ts";

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
const region = { api: "https://api.example", sse: "https://sse.example" };

function raw(request: RawRequest, ...steps: readonly [Step, ...Step[]]) {
  const transport = scripted(...steps);
  const clock = manualClock();
  return { call: rawRequest({ token, region, transport, clock }, request), transport, clock };
}

describe("a raw request", () => {
  it.each<[string, RawRequest, string]>([
    ["a path", { method: "GET", path: "/device" }, "/device"],
    [
      "a query",
      { method: "GET", path: "/device", query: { page: 1, filter: { name: "a b" } } },
      "/device?page=1&filter%5Bname%5D=a%20b",
    ],
    ["a query in the path", { method: "GET", path: "/device?page=1" }, "/device?page=1"],
    ["both", { method: "GET", path: "/device?page=1", query: { amount: 2 } }, "/device?page=1&amount=2"],
    ["an empty query", { method: "GET", path: "/device", query: {} }, "/device"],
    ["encoded parts", { method: "DELETE", path: "/device/a%2Fb" }, "/device/a%2Fb"],
    ["a colon", { method: "GET", path: "/data?start=10:30&x=:id" }, "/data?start=10%3A30&x=%3Aid"],
  ])("with %s is sent as it is", async (_name, request, path) => {
    const { call, transport } = raw(request, success(1));
    await call;
    expect(transport.requests[0]).toMatchObject({ method: request.method, url: `https://api.example${path}` });
    expect(transport.requests[0]?.headers["token"]).toBe(token);
  });

  it("gives result, status and headers, nothing converted", async () => {
    const result = { created_at: "2024-03-05T10:20:30.000Z" };
    const text = JSON.stringify({ status: true, result });
    const { call } = raw(
      { method: "POST", path: "/device", body: { name: "Pump" } },
      reply({ status: 201, text, headers: { "x-total": "7" } }),
    );
    const answer = await call;
    expect(answer).toMatchObject({ status: 201, result });
    expect(answer.header("x-total")).toBe("7");
  });

  it("carries no token where there is none", async () => {
    const transport = scripted(success(1));
    await rawRequest({ region, transport }, { method: "GET", path: "/status" });
    expect(transport.requests[0]?.headers["token"]).toBeUndefined();
  });

  it.each(["device", "", "//evil.example/device", "https://evil.example/device", "?page=1"])(
    "to %j is refused: the path starts with one slash",
    async (path) => {
      const { call, transport } = raw({ method: "GET", path }, success(1));
      expect(await failureOf(call)).toMatchObject({ name: "InputError", field: "path" });
      expect(transport.requests).toHaveLength(0);
    },
  );

  it.each([
    "/device/../account",
    "/device/.",
    "/..",
    "/a/%2e%2E/b",
    "/a/%2e/b",
    "/a/.%2e",
    "/a b",
    "/a\nb",
    "/a#b",
    "/../?x=1",
  ])("to %j is refused: it would reach another address", async (path) => {
    const { call, transport } = raw({ method: "GET", path }, success(1));
    expect(await failureOf(call)).toMatchObject({ name: "InputError", field: "path" });
    expect(transport.requests).toHaveLength(0);
  });

  it("is tried again as any other, and its error keeps every attempt", async () => {
    const { call, clock } = raw(
      { method: "GET", path: "/device/d1?page=1" },
      failed(500),
      lost(),
      failed(404, "Device not found"),
    );
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: "Device not found",
      method: "GET",
      url: "https://api.example/device/d1",
      status: 404,
      attempts: [{ number: 1 }, { number: 2 }, { number: 3, status: 404 }],
    });
    expect(clock.waits).toEqual([1500, 1500]);
  });

  it.each<[string, string]>([
    ["/device/token/5e1c0de0-aaaa-bbbb-cccc-0123456789ab", "/device/token/5e1c...89ab"],
    ["/device/token/shorttoken", "/device/token/..."],
    [
      "/profile/5f5a8f3351d4db99c40dece5/token/a-long-token-of-words",
      "/profile/5f5a8f3351d4db99c40dece5/token/a-lo...ords",
    ],
    ["/account/confirm/5e1c0de0-aaaa-bbbb-cccc-0123456789ab", "/account/confirm/5e1c...89ab"],
    ["/device/token/5f5a8f3351d4db99c40dece5", "/device/token/5f5a8f3351d4db99c40dece5"],
    ["/events?token=5e1c0de0-aaaa-bbbb-cccc-0123456789ab", "/events"],
  ])("to %s shows %s in its errors", async (path, shown) => {
    for (const step of [lost(), failed(400), failed(500), reply({ status: 400 }), reply()]) {
      const { call } = raw({ method: "DELETE", path }, step);
      const error = await failureOf(call);
      expect(error["url"]).toBe(`https://api.example${shown}`);
      expect(`${error.message} ${error.stack}`).not.toMatch(/0123456789ab|shorttoken|token-of/);
      expect(error instanceof ApiError || error instanceof RequestError).toBe(true);
    }
  });
});
