import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RunUser } from "../../src/index.ts";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";
import { SEED_RUN_TOKENS, SEED_RUN_USERS } from "../helpers/seed.ts";

let program: ProgramHere;
beforeAll(async () => {
  program = await programHere();
});
afterAll(() => program.close());

const host = "65a1000000000000000f0001.tago.run";
const portal = ["--portal", host];
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
    await program.ok(["portal", "notification", "read-all", "--user", "name:Dirk Driver", "--dry-run"]);
    expect(program.here.requests().filter((line) => line.includes("/login"))).toHaveLength(before);
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

  it("asks for the code of two-factor authentication at the login", async () => {
    const { url: api, eventsUrl: sse } = program.here.sandbox;
    const user = new RunUser({ token: operator.env.IOT_TOKEN, region: { api, sse } });
    const code = () => String(mailsTo(email)?.["pin_code"]);
    await user.enableOTP(host, { email, password }, "email");
    await user.confirmOTP(host, code(), "email");
    const login = ["portal", "login", ...portal, "--email", email, "--password-stdin"];
    const asked = await program.run(login, { stdin: password });
    expect({ code: asked.code, stderr: asked.stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--otp") });
    await program.ok([...login, "--send-code", "--otp-type", "email"], { stdin: password });
    expect(await program.ok([...login, "--otp", code(), "--otp-type", "email"], { stdin: password })).toMatch(/^u-/);
  });
});
