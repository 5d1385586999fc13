import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";
import { SEED_RUN_TOKENS, SEED_RUN_USERS } from "../helpers/seed.ts";

let program: ProgramHere;
beforeAll(async () => {
  program = await programHere();
});
afterAll(() => program.close());

const portal = ["--portal", "65a1000000000000000f0001.tago.run"];
const operator = { env: { IOT_TOKEN: SEED_RUN_TOKENS.operator } };
const { email, password } = SEED_RUN_USERS.operator;
const mailsTo = (to: string) => program.here.sandbox.outbox({ to }).at(-1);

describe("portal login", () => {
  it("prints the token once, and the token opens the portal", async () => {
    const args = ["portal", "login", ...portal, "--email", email, "--password-stdin", "--debug"];
    const { code, stdout, stderr } = await program.run(args, { stdin: password, env: { IOT_TOKEN: "" } });
    const token = stdout.trim();
    expect({ code, token }).toEqual({ code: 0, token: expect.stringMatching(/^u-/) });
    expect(stderr).not.toContain(token);
    expect(stderr).not.toContain(password);
    const info = await program.ok(["portal", "info", ...portal, "--json"], { env: { IOT_TOKEN: token } });
    expect(JSON.parse(info)).toMatchObject({ email, name: "Oda Operator" });
  });

  it("ends with 4 for a wrong password, and 2 without one", async () => {
    const args = ["portal", "login", ...portal, "--email", email];
    expect((await program.run([...args, "--password-stdin"], { stdin: "wrong" })).code).toBe(4);
    expect((await program.run(args)).code).toBe(2);
    expect((await program.run([...args, "--password", password])).code).toBe(2);
  });

  it("needs the host name of a portal that exists", async () => {
    const args = ["--email", email, "--password-stdin"];
    const login = (...flags: string[]) => program.run(["portal", "login", ...flags, ...args], { stdin: password });
    expect((await login()).code).toBe(2);
    expect((await login("--portal", "a/b")).code).toBe(2);
    expect((await login("--portal", "nowhere.example.test")).code).toBe(6);
  });
});

describe("portal signup and password-reset", () => {
  it("makes a user that can log in once it is confirmed", async () => {
    const who = ["--name", "Nina", "--email", "nina@example.test"];
    const signup = ["portal", "signup", ...portal, ...who, "--tag", "site=plant", "--password-stdin"];
    const { user } = await program.json<{ user: string }>(signup, { stdin: "nina-password" });
    expect(user).toMatch(/^[0-9a-f]{24}$/);
    const login = ["portal", "login", ...portal, "--email", "nina@example.test", "--password-stdin"];
    expect((await program.run(login, { stdin: "nina-password" })).code).not.toBe(0);
    const token = String(mailsTo("nina@example.test")?.["token"]);
    await program.ok(["portal", "confirm", ...portal, token]);
    expect((await program.run(login, { stdin: "nina-password" })).code).toBe(0);

    await program.ok(["portal", "password-reset", ...portal, "--email", "nina@example.test"]);
    const code = String(mailsTo("nina@example.test")?.["token"]);
    const reset = ["portal", "password-reset", ...portal, "--code", code, "--password-stdin"];
    await program.ok(reset, { stdin: "another-password" });
    expect((await program.run(login, { stdin: "nina-password" })).code).toBe(4);
    expect((await program.run(login, { stdin: "another-password" })).code).toBe(0);
  });

  it("never shows the password with --dry-run", async () => {
    const args = ["portal", "signup", ...portal, "--name", "N", "--email", "n@x.test", "--password-stdin", "--dry-run"];
    const { stdout } = await program.run(args, { stdin: "abc" });
    expect(stdout).toContain('"password":"…"');
    expect(stdout).not.toContain('"abc"');
  });
});

describe("portal as a user", () => {
  it("says what helps when the token is one of the profile", async () => {
    const { code, stderr } = await program.run(["portal", "info", ...portal]);
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining("--user") });
  });

  it("acts as a user that is named, and finds the portal by itself", async () => {
    expect(await program.json(["portal", "info", "--user", "name:Dirk Driver"])).toMatchObject({ name: "Dirk Driver" });
  });

  it("makes no login for a dry run", async () => {
    const before = program.here.requests().filter((line) => line.includes("/login")).length;
    await program.ok(["portal", "storage", "set", "a", "b", "--user", "name:Dirk Driver", "--dry-run"]);
    expect(program.here.requests().filter((line) => line.includes("/login"))).toHaveLength(before);
  });

  it("keeps, shows and deletes values", async () => {
    const storage = (...args: string[]) => ["portal", "storage", ...args, ...portal];
    await program.ok(storage("set", "note", "@-"), { ...operator, stdin: "two\nlines" });
    expect(await program.json(storage("get", "note"), operator)).toBe("two\nlines");
    expect((await program.run(storage("delete", "note"), operator)).code).toBe(2);
    await program.ok(storage("delete", "note", "--yes"), operator);
    expect((await program.run(storage("get", "note"), operator)).code).toBe(6);
  });

  it("reads, marks, presses and deletes notifications", async () => {
    const note = (verb: string, ...args: string[]) => ["portal", "notification", verb, ...args, ...portal];
    const titles = async (...flags: string[]): Promise<string[]> =>
      (await program.json<{ title: string }[]>(note("list", ...flags), operator)).map(({ title }) => title);
    expect(await titles("--unread")).toEqual(["Freezer 1 is warm"]);
    const wrong = await program.run(note("press", "name:Freezer 1 is warm", "never"), operator);
    expect({ code: wrong.code, stderr: wrong.stderr }).toEqual({ code: 2, stderr: expect.stringContaining("seen") });
    const pressed = await program.json(note("press", "name:Freezer 1 is warm", "I look after it"), operator);
    expect(pressed).toMatchObject({ buttons_enabled: false });
    await program.ok(note("read", "name:Freezer 1 is warm"), operator);
    expect(await titles("--unread")).toEqual([]);
    await program.ok(note("read", "name:Freezer 1 is warm", "--unread"), operator);
    await program.ok(note("read-all"), operator);
    expect(await titles("--unread")).toEqual([]);
    await program.ok(note("delete", "name:Welcome", "--yes"), operator);
    expect((await program.run(note("delete", "name:Welcome", "--yes"), operator)).code).toBe(6);
  });

  it("turns a second factor on and off, and the login then asks for its code", async () => {
    const otp = (verb: string, ...args: string[]) => ["portal", "otp", verb, "--otp-type", "email", ...portal, ...args];
    const credentials = ["--email", email, "--password-stdin"];
    const code = () => String(mailsTo(email)?.["pin_code"]);
    await program.ok(otp("enable", ...credentials), { ...operator, stdin: password });
    await program.ok(otp("confirm", "--otp", code()), operator);
    const login = ["portal", "login", ...portal, ...credentials];
    const asked = await program.run(login, { stdin: password });
    expect({ code: asked.code, stderr: asked.stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--otp") });
    await program.ok([...login, "--send-code", "--otp-type", "email"], { stdin: password });
    expect(await program.ok([...login, "--otp", code(), "--otp-type", "email"], { stdin: password })).toMatch(/^u-/);
    expect((await program.run(otp("disable", ...credentials), { ...operator, stdin: password })).code).toBe(2);
    await program.ok(otp("disable", ...credentials, "--yes"), { ...operator, stdin: password });
    expect((await program.run(login, { stdin: password })).code).toBe(0);
  });
});
