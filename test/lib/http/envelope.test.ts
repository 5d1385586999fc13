import { describe, expect, it } from "vitest";
import { ApiError } from "../../../src/lib/core/errors.ts";
import { refusal, unwrap } from "../../../src/lib/http/envelope.ts";
import { type ReplyParts, reply } from "../../helpers/scripted-transport.ts";

const place = { url: "https://api.example/device/d1", method: "GET" };
const refuse = (parts: ReplyParts) => refusal(reply(parts), place, []);
const json = (body: unknown, status = 200) => ({ status, text: JSON.stringify(body) });

describe("a success", () => {
  it.each<[string, unknown]>([
    ["an object", { id: "d1" }],
    ["a list", [1, 2]],
    ["an empty list", []],
    ["text", "Successfully Updated"],
    ["a number", 0],
    ["false", false],
    ["null", null],
    ["an object with the single member error", { error: "in the data" }],
    ["an object that looks refused", { status: false, message: "stored text" }],
  ])("gives its result: %s", (_name, result) => {
    expect(unwrap(reply(json({ status: true, result })))).toMatchObject({ result });
  });

  it("may have no result", () => {
    expect(unwrap(reply(json({ status: true })))?.result).toBeUndefined();
  });

  it.each([200, 201, 202, 206, 299])("has a status such as %i", (status) => {
    expect(unwrap(reply(json({ status: true, result: 1 }, status)))?.result).toBe(1);
  });

  it("is judged by its text, not by its type", () => {
    expect(
      unwrap(reply({ ...json({ status: true, result: 1 }), headers: { "content-type": "text/html" } }))?.result,
    ).toBe(1);
  });
});

describe("no success", () => {
  it.each<[string, ReplyParts]>([
    ["status false", json({ status: false, result: 1 })],
    ["no status", json({ result: 1 })],
    ["status as text", json({ status: "true", result: 1 })],
    ["status 1", json({ status: 1, result: 1 })],
    ["a list", json([{ status: true }])],
    ["null", json(null)],
    ["a number", json(5)],
    ["a text", json("status")],
    ["nothing", {}],
    ["blanks", { text: "  " }],
    ["HTML", { text: "<html></html>" }],
    ["half of it", { text: '{"status":true,"result":{"id":"5f' }],
    ["two of them", { text: '{"status":true}{"status":true}' }],
    ["a success with 400", json({ status: true, result: 1 }, 400)],
    ["a success with 304", json({ status: true, result: 1 }, 304)],
    ["a success with 500", json({ status: true, result: 1 }, 500)],
    ["a success with 199", json({ status: true, result: 1 }, 199)],
  ])("is %s", (_name, parts) => {
    expect(unwrap(reply(parts))).toBeUndefined();
    const error = refuse(parts);
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).not.toBe("");
    expect(error).toMatchObject({ from: "SERVER_RESPONSE", ...place, status: parts.status ?? 200 });
  });
});

describe("the message of a refusal", () => {
  it.each<[string, unknown, string]>([
    ["the message", { status: false, message: "Device not found", result: "other" }, "Device not found"],
    ["else the result", { status: false, message: "", result: "Quota used up" }, "Quota used up"],
    ["else the result, for null", { status: false, message: null, result: "Quota used up" }, "Quota used up"],
    ["else all of it", { status: false, code: 7 }, '{"status":false,"code":7}'],
    ["all of it without envelope", { error: "Bad Gateway" }, '{"error":"Bad Gateway"}'],
    [
      "the JSON of a message that is no text",
      { status: false, message: { otp_enabled: true } },
      '{"otp_enabled":true}',
    ],
    ["the JSON of a list", { status: false, message: ["name is required", "type"] }, '["name is required","type"]'],
    ["the number of a result", { status: false, result: 0 }, "0"],
    ["a text that is JSON already", { status: false, message: '{"otp_enabled":true}' }, '{"otp_enabled":true}'],
    ["a bare text", "Rate limited", "Rate limited"],
  ])("is %s", (_name, body, message) => {
    for (const status of [200, 400, 500]) {
      const error = refuse(json(body, status));
      expect(error.message).toBe(message);
      expect(String(error)).toBe(message);
      expect(error.data).toEqual(body);
    }
  });

  it("is the status text, or says what is missing, when nothing came", () => {
    expect(refuse({ status: 502, statusText: "Bad Gateway" }).message).toBe("Bad Gateway");
    expect(refuse({ status: 400 }).message).toBe("Empty reply with status 400 from GET https://api.example/device/d1");
    expect(refuse({ status: 200, statusText: "OK" }).message).toBe(
      "Empty reply with status 200 OK from GET https://api.example/device/d1",
    );
  });

  it("is bounded, while the data keep all", () => {
    const page = `<html>${"x".repeat(1_000_000)}</html>`;
    const error = refuse({ status: 502, text: page });
    expect(error.message).toHaveLength(4_001);
    expect(error.message).toBe(`${page.slice(0, 4_000)}…`);
    expect(error.data).toBe(page);
    const body = { status: false, message: "y".repeat(5_000) };
    const refused = refuse(json(body, 400));
    expect(refused.message).toHaveLength(4_001);
    expect(refused.data).toEqual(body);
    expect(refuse(json({ status: false, message: "z".repeat(4_000) })).message).toBe("z".repeat(4_000));
  });
});

describe("the kind of a refusal", () => {
  it.each<[string, ReplyParts, string]>([
    ["another status", json({ status: false, message: "x" }, 400), "HTTP_ERROR"],
    ["another status without a body", { status: 404 }, "HTTP_ERROR"],
    ["another status with HTML", { status: 502, text: "<html>" }, "HTTP_ERROR"],
    ["a redirect nobody followed", { status: 304 }, "HTTP_ERROR"],
    ["an envelope that says no", json({ status: false, message: "x" }), "REFUSED"],
    ["JSON that is no envelope", json({ hello: "world" }), "INVALID_REPLY"],
    ["no JSON", { text: "<html>" }, "INVALID_REPLY"],
    ["nothing", {}, "INVALID_REPLY"],
  ])("of %s", (_name, parts, code) => {
    expect(refuse(parts).code).toBe(code);
  });
});

describe("a refusal that is an object", () => {
  it("gives its members to the error", () => {
    const error = refuse(json({ status: false, message: { otp_enabled: true, otp_autosend: "sms" } }, 400));
    expect(error).toMatchObject({ otp_enabled: true, otp_autosend: "sms", status: 400 });
  });

  it("replaces nothing the error says itself", () => {
    const hostile = {
      name: "Fake",
      message: "fake",
      stack: "fake",
      cause: "fake",
      from: "fake",
      url: "fake",
      method: "fake",
      status: 1,
      statusText: "fake",
      attempts: "fake",
      data: "fake",
      retryAfterMs: 1,
      constructor: "fake",
      toString: "fake",
    };
    const text = `{"status":false,"message":{"__proto__":{"admin":true},${JSON.stringify(hostile).slice(1)}}`;
    const error = refuse({ status: 400, text });
    expect(error).toBeInstanceOf(ApiError);
    expect(error.name).toBe("ApiError");
    expect(error).toMatchObject({ from: "SERVER_RESPONSE", ...place, status: 400, attempts: [] });
    expect(error.stack).toContain("envelope.test.ts");
    expect(error.cause).toBeUndefined();
    expect(error.retryAfterMs).toBeUndefined();
    expect(String(error)).toBe(error.message);
    expect(Object.hasOwn(error, "__proto__")).toBe(false);
    expect((error as unknown as Record<string, unknown>)["admin"]).toBeUndefined();
  });

  it("of another prototype gives nothing away to other objects", () => {
    refuse({
      status: 400,
      text: '{"status":false,"message":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
