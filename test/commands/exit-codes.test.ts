import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SeenRequest, type SmallServer, sendJson, smallServer } from "../helpers/small-server.ts";

const token = "p-0123abcd-4567-4cde-89ab-0123456789ab";
let server: SmallServer;
let answer: (request: SeenRequest, response: ServerResponse) => void;

beforeAll(async () => {
  server = await smallServer((request, response) => answer(request, response));
});
afterEach(() => {
  server.seen.length = 0;
});
afterAll(() => server.close());

const call = (...args: string[]) =>
  runHere(["api", "GET", "/thing", ...args], { env: { IOT_API_URL: server.url, IOT_TOKEN: token } });

const refuse = (status: number, message: string) => (request: SeenRequest, response: ServerResponse) => {
  if (request.url === "/info" && status === 401 && message === "Authorization Denied")
    sendJson(response, 200, { status: true, result: {} });
  else sendJson(response, status, { status: false, message });
};

describe("the exit code of a refusal", () => {
  it.each([
    [400, "Error on Body parameters", 1, "platform.refused"],
    [400, "Invalid Device ID", 6, "not_found"],
    [401, "Invalid token", 4, "auth.refused"],
    [401, "Authorization Denied", 5, "auth.permission"],
    [402, "You have exceeded the maximum limit of Device (5). Please upgrade", 9, "limit.plan"],
    [400, "You have exceeded the maximum limit of File Storage (200 MB)", 9, "limit.plan"],
    [402, "Payment required", 9, "limit.plan"],
    [400, "Too many requests", 9, "limit.reached"],
    [403, "Not in your plan", 5, "auth.permission"],
    [404, "Device Not Found", 6, "not_found"],
    [409, "Exists already", 7, "conflict"],
    [500, "Oh no", 1, "platform.failed"],
  ])("%i %s is %i", async (status, message, exit, code) => {
    answer = refuse(status, message);
    const result = await call();
    expect(result.stdout).toBe("");
    expect(result.stderr).toMatch(/^error: .+\n {2}why: .+\n {2}next: .+\n$/);
    expect(result.stderr).toContain(message);
    expect(result.code).toBe(exit);
    const asJson = await call("-o", "json");
    expect(asJson.code).toBe(exit);
    expect(asJson.stderr.trimEnd()).not.toContain("\n");
    expect(JSON.parse(asJson.stderr)).toMatchObject({
      error: {
        code,
        exit,
        why: expect.stringContaining(message),
        next: expect.any(String),
        http: { method: "GET", path: "/thing", status },
      },
    });
  });

  it("is 4 when the platform does not know the token although it only says that it denies", async () => {
    answer = (_, response) => sendJson(response, 401, { status: false, message: "Authorization Denied" });
    expect((await call()).code).toBe(4);
  });

  it("tells a limit of the plan from one that passes", async () => {
    answer = refuse(402, "You have exceeded the maximum limit of Device (5). Please upgrade");
    const { stderr } = await call();
    expect(stderr).toContain("error: The plan allows at most 5 (Device) in IOT_API_URL");
    expect(stderr).toContain("iot profile limits");
    expect(stderr).not.toContain("minute");
  });

  it("is 9 when the limit per minute is still reached at the last attempt", async () => {
    answer = (_, response) => {
      response.writeHead(429, { "retry-after": "0", "content-type": "application/json" });
      response.end(JSON.stringify({ status: false, message: "Too many requests" }));
    };
    expect((await call("--retries", "1")).code).toBe(9);
    expect(server.seen).toHaveLength(2);
  });
});

describe("answers that are none", () => {
  it("an HTML error page ends with 1 and shows no control characters", async () => {
    answer = (_, response) => {
      response.writeHead(502, { "content-type": "text/html" });
      response.end("<html>\u001b[2J<h1>Bad gateway</h1>\n</html>");
    };
    const result = await call();
    expect(result.code).toBe(1);
    expect(result.stderr).not.toContain("\u001b");
    expect(result.stderr).toContain("502");
  });

  it("HTML with status 200 ends with 1", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>Welcome to the hotel network</html>");
    };
    const result = await call();
    expect(result.code).toBe(1);
    expect(result.stdout).toBe("");
  });

  it("a truncated answer ends with 10", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"status":true,"resu');
      setImmediate(() => response.destroy());
    };
    const result = await call();
    expect(result.code).toBe(10);
    expect(result.stdout).toBe("");
  });

  it("JSON that stops half-way ends without a result", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"status":true,"result":[{"id":');
    };
    const result = await call();
    expect(result.code).toBe(1);
    expect(result.stdout).toBe("");
  });

  it("a server that is down ends with 10 and says so", async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const address = free.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await new Promise((resolve) => free.close(resolve));
    const api = `http://127.0.0.1:${port}`;
    const result = await runHere(["api", "GET", "/thing"], {
      env: { IOT_API_URL: api, IOT_TOKEN: token, TAGOIO_REQUEST_ATTEMPTS: "5" },
      clock: quickClock(),
    });
    expect(result.code).toBe(10);
    // Two attempts, whatever the library would make; and the reason once.
    expect(result.stderr.split("\n")).toEqual([
      expect.stringMatching(/^info: Retrying in 1\.5 s \(1 of 1\): connection refused, GET \/thing\.$/),
      `error: No response from IOT_API_URL (${api}).`,
      `  why: GET /thing: connect ECONNREFUSED 127.0.0.1:${port}, 2 attempts.`,
      expect.stringMatching(/^ {2}next: No server is listening/),
      "",
    ]);
  });

  it("a server that never answers ends with 10 after the timeout", async () => {
    answer = () => undefined;
    const result = await call("--timeout", "50ms");
    expect(result.code).toBe(10);
    expect(result.stderr).toContain("network");
    const asJson = await call("--timeout", "50ms", "--json");
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: "network.timeout", exit: 10 } });
  });
});

describe("--retries", () => {
  const slow = (_: SeenRequest, response: ServerResponse): void => {
    response.writeHead(429, { "retry-after": "0", "content-type": "application/json" });
    response.end(JSON.stringify({ status: false, message: "Too many requests" }));
  };

  it.each([
    [["--retries", "0"], {}, 1],
    [["--retries", "3"], {}, 4],
    [[], { IOT_RETRIES: "2" }, 3],
    [[], { TAGOIO_REQUEST_ATTEMPTS: "2" }, 2],
  ])("%j with %j sends the request %i times: it counts repetitions", async (flags, env, times) => {
    answer = slow;
    const result = await runHere(["api", "GET", "/thing", ...flags], {
      env: { IOT_API_URL: server.url, IOT_TOKEN: token, ...env },
    });
    expect(result.code).toBe(9);
    expect(server.seen).toHaveLength(times);
  });
});

describe("secrets", () => {
  it("are in no message, debug line or stack, whoever repeats them", async () => {
    answer = (_, response) => sendJson(response, 400, { status: false, message: `The token ${token} is not liked` });
    const result = await call("--debug");
    expect(result.stderr).not.toContain(token);
    expect(result.stderr).toContain("0123…89ab");
    expect(result.stderr).toContain("debug: GET ");
  });

  it("stand for themselves nowhere in the arguments of a login", async () => {
    const result = await runHere(["auth", "login", "--password", "x"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('no flag "--password"');
  });
});

describe("wrong usage", () => {
  it.each([
    [["frobnicate"], "usage.unknown_command"],
    [["statsu"], "usage.unknown_command"],
    [["env", "--quiet"], "usage.missing_command"],
    [["env", "lst"], "usage.unknown_command"],
    [["env", "list", "--outptu", "json"], "usage.unknown_flag"],
    [["env", "list", "-o", "xml"], "usage.invalid_value"],
    [["env", "list", "--timeout", "soon"], "usage.invalid"],
    [["api", "GET"], "usage.missing_argument"],
    [["api", "PATCH", "/x"], "usage.invalid_value"],
    [["api", "GET", "https://example.test/x"], "usage.invalid_value"],
    [["api", "GET", "/x", "--field", "a=1"], "usage.invalid"],
    [["--env"], "usage.missing_value"],
    [["-o", "template", "env", "list"], "usage.template"],
    [["env", "list", "--template", "{{x"], "usage.template"],
    [["env", "current", "--env", "nowhere"], "env.unknown"],
    [["help", "outptu"], "usage.unknown_topic"],
  ])("%j ends with 2 and the code %s, before anything is sent", async (args, code) => {
    const result = await runHere(args, { env: { IOT_OUTPUT: "json", IOT_TOKEN: token, IOT_API_URL: server.url } });
    expect(result.code).toBe(2);
    expect(result.stdout).toBe("");
    // A format that was asked for and does not exist cannot be json.
    if (args.includes("-o")) expect(result.stderr).toMatch(/^error: .+\n( {2}why: .+\n)?( {2}next: .+\n)?$/);
    else expect(JSON.parse(result.stderr)).toMatchObject({ error: { exit: 2, code } });
    expect(server.seen).toEqual([]);
  });
});

describe("mistakes in variables and flags of the connection", () => {
  it.each([
    [{ IOT_API_URL: "foo" }, [], 2, "IOT_API_URL"],
    [{ IOT_API_URL: "http://user:hunter2@127.0.0.1:1" }, [], 2, "IOT_API_URL"],
    [{ IOT_REGION: "mars" }, [], 2, "IOT_REGION"],
    [{ IOT_TOKEN: "two words" }, [], 4, "IOT_TOKEN"],
    [{}, ["--proxy", "foo"], 2, "proxy"],
    [{}, ["--proxy", "http://127.0.0.1:9", "--retries", "0"], 10, "proxy"],
    [{}, ["--ca-file", "/nowhere/ca.pem"], 3, "--ca-file"],
  ] as const)("%j %j end with %i", async (variables, flags, exit, mention) => {
    const base = "IOT_REGION" in variables ? {} : { IOT_API_URL: server.url };
    const result = await runHere(["api", "GET", "/info", ...flags], {
      env: { ...base, IOT_TOKEN: token, ...variables },
    });
    expect(result.code).toBe(exit);
    expect(result.stderr).toContain(mention);
    expect(result.stderr).not.toContain("hunter2");
    expect(server.seen).toEqual([]);
  });

  it("a folder for settings that cannot be made ends in time, with nothing written", { tags: ["posix"] }, async () => {
    for (const folder of ["/dev/null", "/dev/null/x", "/proc/no/such"]) {
      const env = { IOT_CONFIG_DIR: folder };
      expect((await runHere(["env", "list"], { env })).code).toBe(0);
      const result = await runHere(["env", "add", "x"], { env });
      expect([1, 3, 7]).toContain(result.code);
      expect(result.stderr).toMatch(/^error: .+\n {2}why: /);
    }
  });
});

describe("bad input files", () => {
  it("a body that is not JSON ends with 3, and nothing is sent", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "body.json"), '{"name": "Pump"');
    const env = { IOT_API_URL: server.url, IOT_TOKEN: token };
    const result = await runHere(["api", "POST", "/device", "--input", "body.json"], { env, cwd });
    expect(result.code).toBe(3);
    expect(result.stderr).toContain("error: The --input is not valid JSON.");
    expect(server.seen).toEqual([]);
  });

  it("a file that does not exist, or is a folder, ends with 3", async () => {
    const env = { IOT_API_URL: server.url, IOT_TOKEN: token };
    expect((await runHere(["api", "POST", "/device", "--input", "/nowhere/x.json"], { env })).code).toBe(3);
    expect((await runHere(["api", "POST", "/device", "--input", "/"], { env })).code).toBe(3);
    expect(server.seen).toEqual([]);
  });
});
