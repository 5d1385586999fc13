import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import { runHere } from "../helpers/in-process.ts";
import { sendJson, smallServer } from "../helpers/small-server.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await demoSandbox();
});
afterAll(() => sandbox.close());

const env = (extra: Record<string, string> = {}) => ({
  IOT_API_URL: sandbox.url,
  IOT_EVENTS_URL: sandbox.eventsUrl,
  IOT_TOKEN: sandbox.tokens.profile,
  ...extra,
});
const run = (args: readonly string[], extra: Record<string, string> = {}) => runHere(args, { env: env(extra) });

describe("iot status", () => {
  it("shows address and version, without a token", async () => {
    const result = await runHere(["status", "--json"], { env: { IOT_API_URL: sandbox.url } });
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ api: sandbox.url, version: expect.stringMatching(/^\d+\.\d+/) });
  });
});

describe("iot doctor", () => {
  interface Found {
    readonly check: string;
    readonly state: string;
    readonly detail: string;
    readonly next: string;
  }
  const diagnose = async (args: readonly string[], extra: Record<string, string> = {}) => {
    const result = await run(["doctor", "--json", ...args], extra);
    const list: readonly Found[] = JSON.parse(result.stdout);
    return { code: result.code, find: (check: string) => list.find((one) => one.check === check), list };
  };

  it("finds all well with the sandbox", async () => {
    const { code, list } = await diagnose([]);
    expect(list.filter((one) => one.state === "error")).toEqual([]);
    expect(code).toBe(0);
    for (const check of [
      "Node.js",
      "terminal",
      "settings",
      "credentials",
      "name lookup",
      "proxy",
      "certificates",
      "API",
      "clock",
      "event stream",
      "token",
      "service limits",
    ]) {
      expect(list.map((one) => one.check)).toContain(check);
    }
  });

  it("sends nothing with --offline", async () => {
    const before = sandbox.requestLog().length;
    const { code, find } = await diagnose(["--offline"]);
    expect(code).toBe(0);
    expect(find("API")).toBeUndefined();
    expect(sandbox.requestLog()).toHaveLength(before);
  });

  it("says what is wrong with a server that is down, a token, a proxy, a certificate", async () => {
    const down = await diagnose(["--retries", "0"], { IOT_API_URL: "http://127.0.0.1:9" });
    expect(down.code).toBe(10);
    expect(down.find("API")).toMatchObject({ state: "error", next: expect.stringContaining("No server is listening") });
    const refused = await diagnose([], { IOT_TOKEN: sandbox.tokens.expired });
    expect(refused.code).toBe(4);
    expect(refused.find("token")).toMatchObject({ state: "error" });
    const weak = await diagnose([], { IOT_TOKEN: sandbox.tokens.read });
    expect(weak.find("token")).toMatchObject({ state: "warning" });
    const proxy = await diagnose(["--offline"], { HTTPS_PROXY: "proxy:8080" });
    expect(proxy.find("proxy")).toMatchObject({ state: "error" });
    const authority = await diagnose(["--offline", "--ca-file", "/nowhere/ca.pem"]);
    expect(authority.find("certificates")).toMatchObject({ state: "error" });
    expect(JSON.stringify([down.list, refused.list, weak.list])).not.toContain(sandbox.tokens.expired);
  });

  it("sees a clock that is wrong", async () => {
    const late = await smallServer((_, response) => {
      response.setHeader("date", new Date(Date.now() - 600_000).toUTCString());
      sendJson(response, 200, { status: true, result: { version: "1.0.0" } });
    });
    const { find } = await diagnose([], { IOT_API_URL: late.url, IOT_EVENTS_URL: `${late.url}/events` });
    expect(find("clock")).toMatchObject({ state: "warning", detail: expect.stringContaining("ahead") });
    await late.close();
  });

  it("sees a folder that others may write into", { tags: ["posix"] }, async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "config"));
    chmodSync(join(folder, "config"), 0o777);
    const { find } = await diagnose(["--offline"], { IOT_CONFIG_DIR: join(folder, "config") });
    expect(find("folder")).toMatchObject({ state: "warning", next: expect.stringContaining("chmod 700") });
  });
});

describe("iot api", () => {
  it("prints the result as it came", async () => {
    const result = await run(["api", "GET", "info"]);
    expect(JSON.parse(result.stdout)).toMatchObject({ type: "profile", permission: "full" });
  });

  it("sends typed and plain fields, and parameters", async () => {
    const echo = await smallServer((_, response) => sendJson(response, 200, { status: true, result: "ok" }));
    const folder = temporaryFolder();
    writeFileSync(join(folder, "note.txt"), "from a file");
    const args = [
      "api",
      "post",
      "/x?a=1",
      "--field",
      "n=1.5",
      "--field",
      "yes=true",
      "--field",
      "none=null",
      "--field",
      "zip=007",
      "--raw-field",
      "text=true",
      "--field",
      `note=@${join(folder, "note.txt")}`,
      "--param",
      "filter[name]=a b",
      "--param",
      "q=1",
      "--param",
      "q=2",
    ];
    const result = await runHere(args, { env: env({ IOT_API_URL: echo.url }) });
    expect(result).toMatchObject({ code: 0, stdout: "ok\n" });
    const [seen] = echo.seen;
    expect(JSON.parse(seen?.body ?? "")).toEqual({
      n: 1.5,
      yes: true,
      none: null,
      zip: "007",
      text: "true",
      note: "from a file",
    });
    expect(decodeURIComponent(seen?.url ?? "")).toBe("/x?a=1&filter[name]=a b&q[0]=1&q[1]=2");
    await echo.close();
  });

  it("reads every page with --paginate", async () => {
    const all = await run(["api", "GET", "/device", "--param", "amount=5", "--paginate", "-o", "id"]);
    const ids = all.stdout.trimEnd().split("\n");
    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("shows status and headers with --include", async () => {
    const { stdout } = await run(["api", "GET", "/info", "--include"]);
    expect(stdout).toMatch(/^HTTP 200\ncontent-type: application\/json/);
  });

  it("sends nothing with --dry-run", async () => {
    const before = sandbox.requestLog().length;
    const result = await run(["api", "DELETE", "/device/65a1000000000000000d0001", "--dry-run"]);
    expect(result).toMatchObject({ code: 0, stdout: "DELETE /device/65a1000000000000000d0001\n" });
    expect(sandbox.requestLog()).toHaveLength(before);
  });

  it("asks for the name before it changes anything in a protected environment", async () => {
    const folder = join(temporaryFolder(), "config");
    const local = (args: readonly string[], stdin = "") => runHere(args, { env: { IOT_CONFIG_DIR: folder }, stdin });
    await local(["env", "add", "prod", "--api-url", sandbox.url, "--protected", "--use"]);
    await local(["auth", "login", "--with-token"], sandbox.tokens.profile);
    const call = ["api", "POST", "/device", "--field", "name=Nope"];
    expect((await local(call)).code).toBe(2);
    expect((await local([...call, "--yes"])).code).toBe(2);
    expect((await local([...call, "--confirm", "dev"])).code).toBe(2);
    expect((await local(["api", "GET", "/device"])).code).toBe(0);
    const created = await local([
      ...call,
      "--field",
      "type=mutable",
      "--field",
      "network=5bbd0d144051a50034cd19fb",
      "--field",
      "connector=5f5a8f3351d4db99c40deed1",
      "--confirm",
      "prod",
    ]);
    expect(created.stderr).not.toContain("confirm");
    expect(created.code).not.toBe(2);
  });

  it.each([
    [["api", "GET", "/a/../b"], 2],
    [["api", "GET", "//other.test/x"], 2],
    [["api", "GET", "/x y"], 2],
    [["api", "POST", "/x", "--field", "noequals"], 2],
    [["api", "POST", "/x", "--input", "-", "--field", "a=1"], 2],
    [["api", "POST", "/x", "--paginate"], 2],
    [["api", "GET", "/info", "--paginate"], 2],
  ])("%j is refused with %i", async (args, exit) => {
    expect((await run(args)).code).toBe(exit);
  });
});
