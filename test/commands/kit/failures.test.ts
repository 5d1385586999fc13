import { describe, expect, it } from "vitest";
import {
  conflictError,
  inputError,
  notFoundError,
  stoppedError,
  usageError,
} from "../../../src/commands/kit/failures/command-error.ts";
import { renderFailure, toFailure } from "../../../src/commands/kit/failures/failures.ts";
import { onFile } from "../../../src/commands/kit/files/files.ts";
import { maskToken, redact, rememberSecret } from "../../../src/commands/kit/say/redact.ts";

import { ApiError, CancelledError, InputError, RequestError } from "../../../src/lib/core/errors.ts";

const systemError = (code: string, path?: string): Error =>
  Object.assign(new Error(code), { code, ...(path === undefined ? {} : { path }) });

const pipe = { stderrIsTerminal: false, columns: () => 80 };

const badRequest = {
  url: "http://h/x",
  method: "GET",
  status: 400,
  statusText: "Bad Request",
  code: "HTTP_ERROR",
  data: {},
} as const;

it("names the user's file and its folder when a file cannot be written, never the temporary one", () => {
  const temporary = Object.assign(new Error("EACCES"), { code: "EACCES", path: "/x/.old.json.1.ab.tmp" });
  const write = (): never =>
    onFile("/x/old.json", () => {
      throw temporary;
    });
  expect(() => write()).toThrow();
  expect(toFailure(temporary)).toMatchObject({
    code: "file.permission",
    message: "/x/old.json cannot be written.",
    why: "The folder /x is not writable (EACCES).",
  });
});

it("names the folder that cannot be created and the one that does not allow it", () => {
  const refused = Object.assign(new Error("EACCES"), { code: "EACCES", syscall: "mkdir", path: "/home/u/.local" });
  const write = (): never =>
    onFile("/home/u/.local/state/iotdeck/notes", () => {
      throw refused;
    });
  expect(write).toThrow(refused);
  expect(toFailure(refused)).toMatchObject({
    code: "file.permission",
    message: "The folder /home/u/.local cannot be created.",
    why: "The folder /home/u is not writable (EACCES).",
    next: expect.stringContaining("IOT_CONFIG_DIR"),
  });
});

describe("failures", () => {
  it("says what the platform says of each member of a body, cleaned", () => {
    const data = { field_errors: { name: ["Required"], "tags.0.key": ["too\u001b[31m long", "bad"] } };
    const error = new ApiError("Error on Body parameters", { ...badRequest, status: 400, data });
    expect(toFailure(error).why).toMatch(
      /"Error on Body parameters"\. name: Required; tags\.0\.key: too.*long, bad\.$/,
    );
    expect(toFailure(error).why).not.toContain("\u001b");
  });

  it.each([
    [usageError("Wrong."), 2],
    [inputError("Bad."), 3],
    [notFoundError("Gone."), 6],
    [conflictError("There."), 7],
    [stoppedError(), 130],
    [new InputError("Invalid Params", "x"), 2],
    [new CancelledError(), 130],
    [new DOMException("stop", "AbortError"), 130],
    [new RequestError("connect ECONNREFUSED", { url: "http://h/x", method: "GET", code: "NETWORK_ERROR" }), 10],
    [systemError("ENOENT", "/a"), 3],
    [systemError("ENOSPC"), 1],
    [systemError("EACCES", "/a"), 1],
    [new ApiError("Analysis can't be found", badRequest), 6],
    [new TypeError("x is undefined"), 70],
    ["a thrown text", 70],
    [undefined, 70],
  ])("%s has the exit code %i, and no part without words", (error, exit) => {
    const failure = toFailure(error);
    expect(failure.exit).toBe(exit);
    for (const part of [failure.message, failure.why ?? "none", failure.next ?? "none"])
      expect(part.length).toBeGreaterThan(3);
  });

  it("leave out a why and a next that nobody gave", () => {
    const failure = toFailure(usageError("--retries needs a whole number."));
    expect(renderFailure(failure, false, pipe)).toBe("error: --retries needs a whole number.\n");
    expect(failure).toEqual({ code: "usage.invalid", message: "--retries needs a whole number.", exit: 2 });
  });

  it("are three lines for people, whatever the texts hold", () => {
    const failure = toFailure(usageError("One\ntwo \u001b[2J", { why: "a\r\nb", next: "c" }));
    expect(renderFailure(failure, false, pipe)).toBe("error: One⏎two ␛[2J\n  why: a⏎b\n  next: c\n");
  });

  it("are one JSON line for programs", () => {
    const text = renderFailure(toFailure(usageError("One\ntwo", { code: "usage.x" })), true, pipe);
    expect(text.endsWith("}\n")).toBe(true);
    expect(text.trimEnd()).not.toContain("\n");
    expect(Object.keys(JSON.parse(text).error)).toEqual(["code", "message", "exit"]);
  });

  it("keep the platform's wording in why and leave the query out", () => {
    const error = new ApiError("Invalid Device ID", {
      url: "https://api.example.test/device/5f1c?token=secret",
      method: "GET",
      status: 404,
      statusText: "Not Found",
      code: "HTTP_ERROR",
      data: {},
    });
    const failure = toFailure(error, { target: "prod (us-e1)" });
    expect(failure.why).toBe('GET /device/5f1c returned 404: "Invalid Device ID".');
    expect(failure.message).toContain("in prod (us-e1)");
  });

  it("name the certificate when TLS is the reason", () => {
    const cause = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" });
    const failure = toFailure(
      new RequestError("fetch failed", { url: "https://h/x", method: "GET", code: "NETWORK_ERROR", cause }),
    );
    expect(failure).toMatchObject({ code: "network.tls", exit: 10 });
    expect(failure.next).toContain("--ca-file");
  });
});

describe("redaction", () => {
  it.each([
    "p-0123abcd-4567-4cde-89ab-0123456789ab",
    "p-0123abcd-4567-4cde-89ab-0123456789",
    "0123abcd-4567-4cde-89ab-0123456789ab",
    "A-0123ABCD-4567-4CDE-89AB-0123456789AB",
    `at${"0123456789abcdef".repeat(2)}`,
  ])("hides %s anywhere", (token) => {
    for (const text of [
      token,
      `see ${token}.`,
      `{"token":"${token}"}`,
      `/x?token=${token}&y=1`,
      `Authorization: ${token}`,
    ]) {
      expect(redact(text)).not.toContain(token);
    }
  });

  it("hides what is named a secret, and passwords in addresses", () => {
    expect(redact('{"password":"hunter2","pin_code": "123456"}')).not.toMatch(/hunter2|123456/);
    expect(redact("http://user:pass@proxy:8080/")).toBe("http://…@proxy:8080/");
  });

  it("hides a secret it was told of, encoded too", () => {
    rememberSecret("päss wörd/1");
    expect(redact("say päss wörd/1")).not.toContain("wörd");
    expect(redact(`q=${encodeURIComponent("päss wörd/1")}`)).not.toContain("%2F1");
  });

  it("shows the ends of a token, and nothing of a short one", () => {
    expect(maskToken("p-0123abcd-4567-4cde-89ab-0123456789ab")).toBe("0123…89ab");
    expect(maskToken("short")).toBe("…");
  });

  it("leaves ordinary text and ids alone", () => {
    const text = "GET /device/65a1000000000000000d0001 returned 404";
    expect(redact(text)).toBe(text);
  });
});
