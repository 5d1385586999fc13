import { describe, expect, it } from "vitest";
import { ApiError, CancelledError, InputError, RequestError, SdkError } from "../../../src/lib/core/errors.ts";

const place = { url: "https://api.example/device/d1", method: "GET" };
const details = { ...place, status: 400, statusText: "Bad Request", code: "HTTP_ERROR", data: { a: 1 } } as const;

const all: [string, SdkError][] = [
  ["SdkError", new SdkError("What happened")],
  ["ApiError", new ApiError("What happened", details)],
  ["RequestError", new RequestError("What happened", { ...place, code: "TIMEOUT" })],
  ["InputError", new InputError("What happened", "token")],
  ["CancelledError", new CancelledError("What happened")],
];

describe.each(all)("%s", (name, error) => {
  it("is an error with a name, a stack and its message", () => {
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(SdkError);
    expect(error.name).toBe(name);
    expect(error.stack).toContain("errors.test.ts");
    expect(error.message).toBe("What happened");
  });

  it("prints as its message alone", () => {
    expect(String(error)).toBe("What happened");
    expect(`${error}`).toBe("What happened");
  });
});

describe("the properties of errors", () => {
  it("tell where a response came from", () => {
    expect({ ...new ApiError("x", { ...details, retryAfterMs: 2000 }) }).toMatchObject({
      ...details,
      from: "SERVER_RESPONSE",
      attempts: [],
      retryAfterMs: 2000,
    });
    expect(new ApiError("x", details).retryAfterMs).toBeUndefined();
  });

  it("tell why there was no response, with the cause", () => {
    const cause = new Error("socket hang up");
    const error = new RequestError("No answer", { ...place, code: "NETWORK_ERROR", statusText: "ECONNRESET", cause });
    expect({ ...error }).toMatchObject({ ...place, from: "CLIENT_REQUEST", status: -1, code: "NETWORK_ERROR" });
    expect(error.statusText).toBe("fetch failed");
    expect(error.cause).toBe(cause);
    expect(new RequestError("No answer", { ...place, code: "UNKNOWN" }).statusText).toBe("No answer");
  });

  it("tell which argument is invalid", () => {
    expect(new InputError("Invalid Token", "token").field).toBe("token");
    expect(new InputError("Invalid Token").field).toBeUndefined();
  });

  it("keep the reason of a cancel", () => {
    expect(new CancelledError().message).toBe("Cancelled request");
    expect(new CancelledError(undefined, "left the page").cause).toBe("left the page");
  });
});
