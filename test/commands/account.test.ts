import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_ACCOUNTS } from "../helpers/seed.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const account = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
  runHere(["account", ...args], { ...options, env: { ...here.env, ...options.env } });

async function json<T>(args: readonly string[], stdin?: string): Promise<T> {
  const { code, stdout, stderr } = await account([...args, "--json"], stdin === undefined ? {} : { stdin });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const mailTo = (to: string): Record<string, unknown> | undefined =>
  here.sandbox
    .outbox()
    .filter((message) => message["to"] === to)
    .at(-1);

async function login(email: string, password: string): Promise<number> {
  const reply = await fetch(`${here.sandbox.url}/account/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  return reply.status;
}

describe("account", () => {
  it("shows the account and changes named fields only", async () => {
    const before = await json<Record<string, unknown>>(["get"]);
    expect(before).toMatchObject({ email: SEED_ACCOUNTS.demo.email, plan: "scale" });
    const after = await json(["update", "--timezone", "Europe/Lisbon"]);
    expect(after).toMatchObject({ timezone: "Europe/Lisbon", name: before["name"], company: before["company"] });
    expect(await account(["update"])).toMatchObject({ code: 2 });
  });

  it("signs up, confirms and sets a new password without a token", async () => {
    const env = { IOT_TOKEN: "" };
    const create = ["create", "--name", "Jo", "--email", "jo@example.test"];
    expect(await account(create, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("password-stdin"),
    });
    expect(await account([...create, "--password-stdin"], { env, stdin: "first-password\n" })).toMatchObject({
      code: 0,
    });
    expect(await login("jo@example.test", "first-password")).not.toBe(200);

    expect(await account(["resend", "jo@example.test"], { env })).toMatchObject({ code: 0 });
    const token = String(mailTo("jo@example.test")?.["token"]);
    const confirmed = await account(["confirm", token, "--verbose"], { env });
    expect(confirmed.code).toBe(0);
    expect(confirmed.stdout + confirmed.stderr).not.toContain(token);
    expect(await login("jo@example.test", "first-password")).toBe(200);
    const again = await account(["confirm", token], { env });
    expect(again.code).toBe(6);
    expect(again.stderr).not.toContain(token);

    expect(await account(["password-reset", "jo@example.test"], { env })).toMatchObject({ code: 0 });
    const code = String(mailTo("jo@example.test")?.["token"]);
    const reset = ["password-reset", "--code", code, "--password-stdin"];
    expect(await account(reset, { env, stdin: "second-password\n" })).toMatchObject({ code: 0 });
    expect(await login("jo@example.test", "second-password")).toBe(200);
    expect(await account(["password-reset"], { env })).toMatchObject({ code: 2 });
    expect(await account(["resend", "../profile"], { env })).toMatchObject({ code: 2 });
  });

  it("never shows a password, not in a dry run either", async () => {
    const stdin = "a secret, with spaces\n";
    const update = await account(["update", "--password-stdin", "--name", "Dana", "--dry-run"], { stdin });
    expect(update).toMatchObject({ code: 0, stdout: expect.stringContaining("POST /account/passwordreset") });
    const create = ["create", "--name", "K", "--email", "k@example.test", "--password-stdin", "--dry-run", "--debug"];
    const planned = await account(create, { stdin });
    for (const { stdout, stderr } of [update, planned]) expect(stdout + stderr).not.toContain("a secret");
  });

  it("enables, confirms and disables two-factor authentication", async () => {
    const stdin = `${SEED_ACCOUNTS.demo.password}\n`;
    await json(["otp", "enable", "email", "--password-stdin"], stdin);
    const code = () => String(mailTo(SEED_ACCOUNTS.demo.email)?.["pin_code"]);
    expect(await account(["otp", "confirm", "email", "000"])).not.toMatchObject({ code: 0 });
    await json(["otp", "confirm", "email", code()]);
    expect(await json(["get"])).toMatchObject({ otp: { email: true } });
    expect(await account(["otp", "disable", "email", "--password-stdin"], { stdin })).toMatchObject({ code: 2 });
    const link = await json<{ link: string }>(["otp", "enable", "authenticator", "--password-stdin"], stdin);
    expect(link.link).toMatch(/^otpauth:/);
    expect(await account(["otp", "enable", "carrier-pigeon"])).toMatchObject({ code: 2 });
  });

  it("is deleted by its e-mail only, and its tokens with it", async () => {
    const other = await sandboxUnderTest();
    const own = (args: readonly string[]) => runHere(["account", ...args], { env: other.env });
    const refused = await own(["delete", "--yes"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--confirm "demo@example.test"') });
    expect(await own(["delete", "--confirm", "demo@example.test"])).toMatchObject({ code: 0 });
    expect(await own(["get"])).toMatchObject({ code: 4 });
    await other.close();
  });
});
