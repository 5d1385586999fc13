import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, openStoppedSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import {
  SEED_ACCOUNTS,
  SEED_ANALYSIS_TOKENS,
  SEED_DEVICE_TOKENS,
  SEED_GATEWAY_TOKEN,
  SEED_RUN_TOKENS,
  SEED_RUN_USERS,
  SEED_SERVICE_TOKEN,
  SEED_TOKENS,
} from "../helpers/seed.ts";
import { call, ok } from "./client.ts";

const root = mkdtempSync(join(tmpdir(), "iot-secrets-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const open: Sandbox[] = [];
async function start(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  open.push(sandbox);
  return sandbox;
}
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
});

const PUBLISHED = [
  ...Object.values(SEED_TOKENS),
  ...Object.values(SEED_RUN_TOKENS),
  ...Object.values(SEED_ANALYSIS_TOKENS),
  SEED_SERVICE_TOKEN,
  SEED_GATEWAY_TOKEN,
];
const PORTAL = "65a1000000000000000f0001.tago.run";

const statusOf = async (sandbox: Sandbox, token: string): Promise<number> =>
  (await call(sandbox, "GET", "/info", { token })).status;

const loginStatus = async (sandbox: Sandbox, email: string, password: string): Promise<number> =>
  (await call(sandbox, "POST", "/account/login", { body: { email, password } })).status;

/** Everything published is closed, and what the sandbox says it has is open. */
async function expectOwnSecrets(sandbox: Sandbox): Promise<void> {
  const opened: string[] = [];
  for (const token of PUBLISHED) {
    // One without the prefix is the same token.
    for (const text of [token, token.replace(/^[panu]-/, "")]) {
      if ((await statusOf(sandbox, text)) !== 401) opened.push(text);
    }
  }
  expect(opened).toEqual([]);
  for (const { email, password } of Object.values(SEED_ACCOUNTS)) {
    expect(await loginStatus(sandbox, email, password), email).toBe(401);
  }
  const { profile, read, write, analysis } = sandbox.tokens;
  for (const token of [profile, read, analysis]) expect(await statusOf(sandbox, token)).toBe(200);
  expect((await call(sandbox, "POST", "/device", { token: write, body: { name: "Made" } })).status).toBe(201);
  const [demo] = sandbox.logins;
  expect(demo?.email).toBe(SEED_ACCOUNTS.demo.email);
  expect(await loginStatus(sandbox, demo?.email ?? "", demo?.password ?? "")).toBe(200);
}

describe("random tokens", () => {
  it("take the place of every published token and password of the demo account, portal and services included", {
    tags: ["slow"],
  }, async () => {
    const sandbox = await start({ tokens: "random" });
    await expectOwnSecrets(sandbox);
    expect(sandbox.tokens.device).toBe(SEED_DEVICE_TOKENS.freezer);
    const users = sandbox.logins.filter(({ kind }) => kind === "portal_user");
    expect(users).toHaveLength(4);
    for (const { email, password, token } of users.slice(0, 3)) {
      expect(await statusOf(sandbox, token ?? "")).toBe(200);
      const login = await call(sandbox, "POST", `/run/${PORTAL}/login`, { body: { email, password } });
      expect(login.status, email).toBe(200);
    }
    const { email, password } = SEED_RUN_USERS.operator;
    expect((await call(sandbox, "POST", `/run/${PORTAL}/login`, { body: { email, password } })).status).toBe(401);
    const portal = await ok<{ anonymous_token: string }>(sandbox, "GET", "/run", { token: sandbox.tokens.profile });
    expect(portal.anonymous_token).not.toBe(SEED_RUN_TOKENS.anonymous);
    expect(await statusOf(sandbox, portal.anonymous_token)).toBe(200);
  });

  it("differ from sandbox to sandbox, and are the same at the next start on the same folder", async () => {
    const dataDir = join(root, "same");
    const first = await start({ dataDir, seed: "empty", tokens: "random" });
    const { tokens, logins } = first;
    await first.close();
    const second = await start({ dataDir, seed: "empty", tokens: "random" });
    expect([second.tokens, second.logins]).toEqual([tokens, logins]);
    await expectOwnSecrets(second);
    const other = await start({ seed: "empty", tokens: "random" });
    expect(other.tokens.profile).not.toBe(tokens.profile);
    expect(other.logins[0]?.password).not.toBe(logins[0]?.password);
  });

  it("take the place of published ones that a folder holds from before", async () => {
    const dataDir = join(root, "old");
    const before = await start({ dataDir, seed: "empty" });
    expect(await statusOf(before, SEED_TOKENS.full)).toBe(200);
    await before.close();
    await expectOwnSecrets(await start({ dataDir, tokens: "random" }));
  });

  it("stay in place after a reset, and after snapshots, exports and folders with published ones are brought in", async () => {
    const file = join(root, "demo.tar.gz");
    const dataDir = join(root, "brought");
    const demo = await start({ dataDir, seed: "empty" });
    await demo.snapshots.create("published");
    await demo.exportTo(file);
    await demo.close();

    const sandbox = await start({ dataDir, seed: "empty", tokens: "random" });
    const { tokens } = sandbox;
    await sandbox.snapshots.restore("published");
    await expectOwnSecrets(sandbox);
    sandbox.reset();
    await expectOwnSecrets(sandbox);
    await sandbox.importFrom(file);
    await expectOwnSecrets(sandbox);
    await sandbox.close();

    const stopped = openStoppedSandbox(dataDir);
    await stopped.importFrom(file);
    stopped.close();
    const again = await start({ dataDir, tokens: "random" });
    await expectOwnSecrets(again);
    expect(again.tokens).toEqual(tokens);
  });

  it("of another folder end when its export is brought in", async () => {
    const file = join(root, "theirs.tar.gz");
    const theirs = await start({ seed: "empty", tokens: "random" });
    await theirs.exportTo(file);
    const sandbox = await start({ seed: "empty", tokens: "random" });
    const { tokens } = sandbox;
    await sandbox.importFrom(file);
    expect(sandbox.tokens).toEqual(tokens);
    await expectOwnSecrets(sandbox);
    expect(await statusOf(sandbox, theirs.tokens.profile)).toBe(401);
    const [demo] = theirs.logins;
    expect(await loginStatus(sandbox, demo?.email ?? "", demo?.password ?? "")).toBe(401);
  });

  it("give way to the published ones when those are asked for", async () => {
    const dataDir = join(root, "back");
    await (await start({ dataDir, seed: "empty", tokens: "random" })).close();
    const sandbox = await start({ dataDir });
    expect(sandbox.tokens.profile).toBe(SEED_TOKENS.full);
    expect(await statusOf(sandbox, SEED_TOKENS.full)).toBe(200);
    const { email, password } = SEED_ACCOUNTS.demo;
    expect(await loginStatus(sandbox, email, password)).toBe(200);
  });

  it("leave alone what the user changed: a password, a removed token", async () => {
    const dataDir = join(root, "changed");
    const first = await start({ dataDir, seed: "empty", tokens: "random" });
    const { profile, read } = first.tokens;
    const own = { password: "a-password-of-mine" };
    await ok(first, "POST", "/account/passwordreset", { token: profile, body: own });
    await ok(first, "DELETE", `/profile/${first.profileId}/token/${read}`, { token: profile });
    await first.close();
    const second = await start({ dataDir, tokens: "random" });
    expect(await statusOf(second, read)).toBe(401);
    expect(await loginStatus(second, SEED_ACCOUNTS.demo.email, own.password)).toBe(200);
  });

  it("are not made from a damaged key, which is named and left as it is", async () => {
    const dataDir = join(root, "damaged");
    await (await start({ dataDir, seed: "empty", tokens: "random" })).close();
    writeFileSync(join(dataDir, "secret.key"), "nonsense");
    await expect(createSandbox({ dataDir, tokens: "random" })).rejects.toThrow(/secret\.key holds no key\. Remove it/);
  });
});

describe("the files of a data folder", { tags: ["posix"] }, () => {
  it("are the user's alone, also when they were wider before", async () => {
    const dataDir = join(root, "modes");
    const sandbox = await start({ dataDir, seed: "empty", tokens: "random" });
    await sandbox.snapshots.create("one");
    await sandbox.close();
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o755);
    chmodSync(dataDir, 0o755);
    await start({ dataDir, tokens: "random" });
    const modes = [dataDir, ...readdirSync(dataDir).map((name) => join(dataDir, name))].map((path) => {
      const { mode } = statSync(path);
      return [path, (mode & 0o077).toString(8)];
    });
    expect(modes.length).toBeGreaterThan(4);
    expect(modes.filter(([, others]) => others !== "0")).toEqual([]);
  });

  it("are not put into a folder that holds other things, whose permissions stay", async () => {
    const dataDir = mkdtempSync(join(root, "project-"));
    chmodSync(dataDir, 0o755);
    writeFileSync(join(dataDir, "package.json"), "{}");
    await expect(start({ dataDir, seed: "empty", tokens: "random" })).rejects.toThrow("holds other files");
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
    expect(readdirSync(dataDir)).toEqual(["package.json"]);
  });
});

describe("inspection", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ seed: "empty" });
  });
  afterAll(() => sandbox.close());

  const plain = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    call({ url: sandbox.url }, method, path, { headers });

  it("is closed on every route but the name of the run and framed pages, whose path is a secret, even with a token of the demo account", async () => {
    const isOpen = (path: string): boolean => ["/__sandbox/run", "/__sandbox/page/:id"].includes(path);
    const routes = sandbox.routes.filter(({ path }) => path.startsWith("/__sandbox/") && !isOpen(path));
    expect(routes.length).toBeGreaterThan(20);
    const answers: string[] = [];
    for (const { method, path } of routes) {
      for (const headers of [{}, { token: sandbox.tokens.profile }, { authorization: "Bearer wrong" }]) {
        const { status } = await plain(path.replace(/:\w+/, "x"), headers, method);
        if (status !== 401) answers.push(`${method} ${path} ${status}`);
      }
    }
    expect(answers).toEqual([]);
    expect((await plain("/__sandbox/health", sandbox.inspectionHeaders)).status).toBe(200);
  });

  /** What a page of the console sends with the code of an address. */
  const enter = (code: string, headers: Record<string, string> = {}) =>
    call({ url: sandbox.url }, "POST", "/__sandbox/enter", {
      headers: { authorization: `Bearer ${code}`, "sec-fetch-site": "same-origin", ...headers },
    });
  const codeOf = (address: string): string => new URL(address).hash.slice(1);

  it("lets a page in once with the code of an address, which no browser sends", async () => {
    const address = new URL(sandbox.pageAddress());
    expect(address.href).not.toContain(sandbox.inspectionHeaders.authorization.replace("Bearer ", ""));
    expect([address.pathname, address.search]).toEqual(["/__sandbox/open", ""]);
    const code = codeOf(address.href);
    expect(code).toMatch(/^\S{32}$/);
    const page = await plain(address.pathname, { accept: "text/html", "sec-fetch-site": "none" });
    expect([page.status, page.headers["set-cookie"]]).toEqual([200, undefined]);
    for (const headers of [
      { origin: "http://127.0.0.1:9" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
    ] as Record<string, string>[])
      expect((await enter(code, headers)).status).toBe(403);
    expect((await enter(`${code}x`)).status).toBe(401);
    const first = await enter(code);
    expect([first.status, first.headers["set-cookie"], first.headers["cache-control"]]).toEqual([
      200,
      undefined,
      "no-store",
    ]);
    const { key } = (JSON.parse(first.text) as { readonly result: { readonly key: string } }).result;
    const session = (headers: Record<string, string>) => plain("/__sandbox/session", headers);
    const authorization = `Bearer ${key}`;
    expect((await session({ authorization })).status).toBe(200);
    expect((await session({ authorization: `${authorization}x` })).status).toBe(401);
    expect((await session({ authorization, origin: "http://127.0.0.1:9" })).status).toBe(403);
    expect((await session({ authorization, "sec-fetch-site": "same-site" })).status).toBe(403);
    // Browsers send cookies to every port, so one is no key.
    for (const name of [`iot_sandbox_${new URL(sandbox.url).port}`, "iot-sandbox-key", "authorization"])
      expect((await session({ cookie: `${name}=${key}` })).status).toBe(401);
    expect((await enter(code)).status).toBe(401);
    expect(JSON.stringify(sandbox.requestLog())).not.toContain(code);
  });

  it("makes such addresses for programs with the secret only, not for a browser", async () => {
    const { text } = await enter(codeOf(sandbox.pageAddress()));
    const { key } = (JSON.parse(text) as { readonly result: { readonly key: string } }).result;
    expect((await plain("/__sandbox/open", { authorization: `Bearer ${key}` }, "POST")).status).toBe(401);
    const made = await ok<{ url: string }>(sandbox, "POST", "/__sandbox/open");
    expect(made.url).toMatch(new RegExp(`^${sandbox.url}/__sandbox/open#\\S{32}$`));
  });
});

describe("a sandbox without scripts", () => {
  it("refuses to run an analysis, says so on its console, and goes on triggering external ones", async () => {
    const sandbox = await demoSandbox({ tokens: "random", scripts: false });
    open.push(sandbox);
    const token = sandbox.tokens.profile;
    const body = { name: "Native", runtime: "node-rt2025" };
    const { id } = await ok<{ id: string }>(sandbox, "POST", "/analysis", { token, body });
    const content = Buffer.from("require('fs').writeFileSync('/tmp/never', 'x')").toString("base64");
    const file = { file: content, file_name: "a.js", language: "node" };
    await ok(sandbox, "POST", `/analysis/${id}/upload`, { token, body: file });
    const run = await call(sandbox, "POST", `/analysis/${id}/run`, { token, body: {} });
    expect([run.status, run.body.message]).toEqual([400, expect.stringContaining("This sandbox runs no scripts")]);
    const info = await ok<{ console: string[] }>(sandbox, "GET", `/analysis/${id}`, { token });
    expect(info.console.at(-1)).toContain("This sandbox runs no scripts");
    const alert = "65a1000000000000000a0001";
    expect((await call(sandbox, "POST", `/analysis/${alert}/run`, { token, body: {} })).status).toBe(200);
    expect(sandbox.runsScripts).toBe(false);
  });
});
