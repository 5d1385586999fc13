import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { currentCode } from "../helpers/one-time-code.ts";
import { sendJson, smallServer } from "../helpers/small-server.ts";

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
});
afterAll(() => sandbox.close());

const run = (args: readonly string[], options: { stdin?: string; env?: Record<string, string> } = {}) =>
  runHere(args, { ...options, env: { IOT_CONFIG_DIR: folder, ...options.env } });

beforeEach(async () => {
  folder = join(temporaryFolder(), "config");
  await run(["env", "add", "local", "--api-url", sandbox.url, "--use"]);
});

const demo = ["auth", "login", "--email", "demo@example.test", "--password-stdin"];
const credentialsFile = () => join(folder, "credentials.json");
const storedToken = (): string => JSON.parse(readFileSync(credentialsFile(), "utf8")).credentials[0].token;

describe("auth login", () => {
  it("makes a token that expires and keeps it where only the user can read it", { tags: ["posix"] }, async () => {
    const before = Date.now();
    const result = await run([...demo, "--profile", "Demo Plant", "--json"], { stdin: "demo-password\n" });
    expect(result).toMatchObject({ code: 0 });
    const shown = JSON.parse(result.stdout);
    expect(shown).toMatchObject({
      environment: "local",
      profile: "Demo Plant",
      token: expect.stringMatching(/^\w{4}…\w{4}$/),
    });
    const made = Date.parse(shown.expires) - 90 * 86_400_000;
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
    expect(statSync(credentialsFile()).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(`${result.stdout}${result.stderr}`).not.toContain(storedToken());
    const who = await run(["auth", "whoami", "--json"]);
    expect(JSON.parse(who.stdout)).toMatchObject({ type: "profile", permission: "full", profile_name: "Demo Plant" });
  });

  it("wants a profile when there are several and nobody to ask", async () => {
    const result = await run(demo, { stdin: "demo-password" });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("--profile");
    expect(result.stderr).toContain("Demo Plant");
    expect(existsSync(credentialsFile())).toBe(false);
  });

  it("ends with 4 for a wrong password, and shows it nowhere", async () => {
    const result = await run([...demo, "--debug"], { stdin: "hunter2-hunter2\n" });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain("Login to local");
    expect(result.stderr).not.toContain("hunter2");
    expect(existsSync(credentialsFile())).toBe(false);
  });

  it("wants the one-time code by flag when there is no terminal", async () => {
    const otp = ["auth", "login", "--email", "otp@example.test", "--password-stdin"];
    const without = await run(otp, { stdin: "otp-password\n" });
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("--otp");
    const wrong = await run([...otp, "--otp", "000000", "--otp-type", "authenticator"], { stdin: "otp-password\n" });
    expect(wrong.code).toBe(4);
    const code = currentCode("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP");
    const right = await run([...otp, "--otp", code, "--otp-type", "authenticator"], { stdin: "otp-password\n" });
    expect(right).toMatchObject({ code: 0 });
  });

  it("keeps a token that exists, after asking the platform what it is", async () => {
    const result = await run(["auth", "login", "--with-token"], { stdin: `${sandbox.tokens.read}\n` });
    expect(result).toMatchObject({ code: 0 });
    expect(storedToken()).toBe(sandbox.tokens.read);
    const status = await run(["auth", "status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ state: "valid", permission: "read", source: "credentials file" });
  });

  it.each(["", "not a token\n", "p-00000000-0000-4000-8000-00000000dead\n", "\u001b[31m\n"])(
    "does not keep %j",
    async (stdin) => {
      const result = await run(["auth", "login", "--with-token"], { stdin });
      expect([2, 4]).toContain(result.code);
      expect(existsSync(credentialsFile())).toBe(false);
    },
  );

  it.each(["yesterday", "-5d", "2020-01-01", "soon"])("refuses --expire %s", async (expire) => {
    const result = await run([...demo, "--profile", "Demo Plant", "--expire", expire], { stdin: "demo-password" });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("--expire");
  });

  it("says that an address from a variable has no environment to keep a token for", async () => {
    const result = await run(demo, { stdin: "demo-password", env: { IOT_API_URL: sandbox.url } });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("iot env add");
  });

  it("takes a new token back when it cannot be stored", async () => {
    writeFileSync(credentialsFile(), "{ broken", { mode: 0o600 });
    const result = await run([...demo, "--profile", "Demo Plant"], { stdin: "demo-password" });
    expect(result.code).toBe(3);
    expect(readFileSync(credentialsFile(), "utf8")).toBe("{ broken");
    const last = sandbox.requestLog().at(-1);
    expect(last).toMatchObject({ method: "DELETE", status: 200 });
  });
});

describe("auth token and logout", () => {
  it("prints the token only when asked, and logout revokes it", async () => {
    await run([...demo, "--profile", "Demo Plant"], { stdin: "demo-password" });
    const token = storedToken();
    const printed = await run(["auth", "token"]);
    expect(printed.stdout).toBe(`${token}\n`);
    const out = await run(["auth", "logout"]);
    expect(out).toMatchObject({ code: 0, stdout: expect.stringMatching(/\trevoked\t/) });
    expect(out.stderr).toContain("revoked");
    const after = await runHere(["auth", "whoami"], { env: { IOT_API_URL: sandbox.url, IOT_TOKEN: token } });
    expect(after.code).toBe(4);
    expect((await run(["auth", "whoami"])).code).toBe(4);
  });

  it("says so when it cannot revoke, forgets the token all the same and ends with 8", async () => {
    const down = await smallServer((request, response) =>
      request.method === "DELETE"
        ? sendJson(response, 500, { status: false, message: "Not today" })
        : sendJson(response, 200, { status: true, result: { type: "profile", name: "t", permission: "full" } }),
    );
    await run(["env", "add", "broken", "--api-url", down.url]);
    await run(["auth", "login", "--with-token", "--env", "broken"], {
      stdin: "p-0123abcd-4567-4cde-89ab-0123456789ab",
    });
    const result = await run(["auth", "logout", "--env", "broken"]);
    expect(result.code).toBe(8);
    expect(result.stderr).toContain("could not revoke");
    expect(JSON.parse(readFileSync(credentialsFile(), "utf8")).credentials).toEqual([]);
    await down.close();
  });

  it("has nothing to do without a stored token, and mentions the variable that stays", async () => {
    const result = await run(["auth", "logout"], { env: { IOT_TOKEN: sandbox.tokens.read } });
    expect(result.code).toBe(0);
    expect(result.stderr).toContain("IOT_TOKEN is set");
  });
});

describe("a stored token", () => {
  beforeEach(async () => {
    await run(["auth", "login", "--with-token"], { stdin: sandbox.tokens.profile });
  });

  it("is never sent to another origin than the one it was made for", async () => {
    const thief = await smallServer((_, response) => sendJson(response, 200, { status: true, result: [] }));
    await run(["env", "update", "local", "--api-url", thief.url]);
    const result = await run(["api", "GET", "/device"]);
    expect(result.code).toBe(4);
    expect(result.stderr).toContain("was created for");
    expect((await run(["auth", "status", "--all"])).code).toBe(0);
    expect(thief.seen).toEqual([]);
    await thief.close();
  });

  it("gives way to IOT_TOKEN, unless the environment is named by flag", async () => {
    const env = { IOT_TOKEN: sandbox.tokens.read };
    const byVariable = await run(["auth", "status", "--json"], { env });
    expect(JSON.parse(byVariable.stdout)).toMatchObject({ source: "IOT_TOKEN", permission: "read" });
    const byFlag = await run(["auth", "status", "--json", "--env", "local"], { env });
    expect(JSON.parse(byFlag.stdout)).toMatchObject({ source: "credentials file", permission: "full" });
  });

  it("is protected again when others could read the file, with a warning", { tags: ["posix"] }, async () => {
    chmodSync(credentialsFile(), 0o644);
    const result = await run(["auth", "whoami"]);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain("warning: Other users");
    expect(statSync(credentialsFile()).mode & 0o777).toBe(0o600);
  });

  it("is refused with 4 once its time is over, and warned about seven days before", async () => {
    const file = JSON.parse(readFileSync(credentialsFile(), "utf8"));
    const expireIn = (ms: number): void => {
      file.credentials[0].expires = new Date(Date.now() + ms).toISOString();
      writeFileSync(credentialsFile(), JSON.stringify(file), { mode: 0o600 });
    };
    expireIn(3 * 86_400_000);
    const soon = await run(["auth", "whoami"]);
    expect(soon.code).toBe(0);
    expect(soon.stderr).toContain("warning: The token expires on");
    expireIn(-1_000);
    const over = await run(["auth", "whoami", "--json"]);
    expect(over.code).toBe(4);
    expect(JSON.parse(over.stderr)).toMatchObject({ error: { code: "auth.expired" } });
  });
});

describe("the platform's own variables", () => {
  it("are read last", async () => {
    const empty = join(temporaryFolder(), "none");
    const env = { IOT_CONFIG_DIR: empty, TAGOIO_API: sandbox.url, T_ANALYSIS_TOKEN: sandbox.tokens.read };
    const result = await runHere(["auth", "status", "--json"], { env });
    expect(JSON.parse(result.stdout)).toMatchObject({ source: "T_ANALYSIS_TOKEN" });
    const both = await runHere(["auth", "status", "--json"], { env: { ...env, IOT_TOKEN: sandbox.tokens.profile } });
    expect(JSON.parse(both.stdout)).toMatchObject({ source: "IOT_TOKEN" });
    expect(existsSync(empty)).toBe(false);
  });
});
