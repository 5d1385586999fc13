import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import { runHere } from "../helpers/in-process.ts";
import { currentCode } from "../helpers/one-time-code.ts";
import { type SmallServer, sendJson, smallServer } from "../helpers/small-server.ts";
import { startTerminal } from "../helpers/terminal.ts";

const ctrlC = "\u0003";
const down = "\u001b[B";
let sandbox: Sandbox;
let hostile: SmallServer;
let folder: string;

beforeAll(async () => {
  sandbox = await demoSandbox();
  hostile = await smallServer((request, response) => {
    if (request.url === "/hang") return;
    const name = "\u001b]0;owned\u0007\u001b[2J\u202eevil\u009b31m\nsecond line";
    sendJson(response, 200, {
      status: true,
      result: [{ id: "65a1000000000000000d0001", name, note: "long ".repeat(60) }],
    });
  });
});
afterAll(async () => {
  await sandbox.close();
  await hostile.close();
});
beforeEach(async () => {
  folder = join(temporaryFolder(), "config");
  await runHere(["env", "add", "local", "--api-url", sandbox.url, "--use"], { env: { IOT_CONFIG_DIR: folder } });
});

const credentials = () => join(folder, "credentials.json");
const start = (args: readonly string[], extra: Record<string, string> = {}, columns = 80) =>
  startTerminal(args, { env: { IOT_CONFIG_DIR: folder, ...extra }, columns });
const hostileEnv = () => ({ IOT_API_URL: hostile.url, IOT_TOKEN: "p-0123abcd-4567-4cde-89ab-0123456789ab" });

describe("questions with --accessible", { tags: ["posix"] }, () => {
  const env = () => ({ IOT_API_URL: sandbox.url, IOT_TOKEN: sandbox.tokens.profile });

  it("have numbers to choose from, and are not drawn again", async () => {
    const run = await start(["device", "get", "--accessible", "--fields", "name", "-o", "json"], env());
    await run.waitFor(/Number, 1 to \d+:/);
    const row = (await run.lines()).find((line) => line.includes("Truck 7"));
    run.type("99\r");
    await run.waitFor(/"99" is not one of the numbers/);
    run.type(`${/^\d+/.exec(row ?? "")?.[0]}\r`);
    expect(await run.ended).toBe(0);
    expect((await run.lines()).join("\n")).toContain('"name": "Truck 7"');
    expect(run.raw()).not.toContain("\u001b[2K");
    expect(run.raw()).not.toContain("\u001b[?25l");
  });

  it("end with 130 at Ctrl-C", async () => {
    const run = await start(["device", "get", "--accessible"], env());
    await run.waitFor(/Number, 1 to \d+:/);
    run.type(ctrlC);
    expect(await run.ended).toBe(130);
  });
});

describe("choosing on a terminal", { tags: ["posix"] }, () => {
  const env = () => ({ IOT_API_URL: sandbox.url, IOT_TOKEN: sandbox.tokens.profile });

  it("searches while the name is typed", async () => {
    const run = await start(["device", "get", "--fields", "name", "-o", "json"], env());
    await run.waitFor(/Which device\? Type to search/);
    run.type("7 truck");
    await run.waitFor(/1 match/);
    run.type("\r");
    expect(await run.ended).toBe(0);
    expect((await run.lines()).join("\n")).toContain('"name": "Truck 7"');
  });

  it("takes several where a command takes several", async () => {
    const run = await start(["device", "delete", "--dry-run"], env());
    await run.waitFor(/Which devices\? Type to search/);
    run.type("er");
    await run.waitFor(/\d+ matches/);
    run.type(`${down}\t${down}\t\r`);
    expect(await run.ended).toBe(0);
    expect((await run.lines()).filter((line) => line.startsWith("DELETE /device/"))).toHaveLength(2);
  });

  it("takes the only match without a mark, and asks again for a mark among several", { tags: ["slow"] }, async () => {
    const run = await start(["device", "delete", "--dry-run"], env());
    await run.waitFor(/Which devices\? Type to search/);
    run.type("\r");
    await run.waitFor(/Mark at least one with Tab/);
    run.type("7 truck");
    await run.waitFor(/1 match/);
    run.type("\r");
    expect(await run.ended).toBe(0);
    expect((await run.lines()).filter((line) => line.startsWith("DELETE /device/"))).toHaveLength(1);
  });

  it("offers rows of every page", async () => {
    const rows = Array.from({ length: 1_400 }, (_, i) => ({ id: String(i).padStart(24, "0"), name: `Pump ${i}` }));
    const many = await smallServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
      const page = Number(searchParams.get("page"));
      const result =
        pathname === "/device"
          ? rows.slice((page - 1) * 1_000, page * 1_000)
          : rows.find(({ id }) => pathname.endsWith(id));
      sendJson(response, 200, { status: true, result });
    });
    try {
      const run = await start(["device", "get", "-o", "id"], { ...env(), IOT_API_URL: many.url });
      await run.waitFor(/Which device\?/);
      run.type("pump 1399");
      await run.waitFor(/1 match/);
      run.type("\r");
      expect(await run.ended).toBe(0);
      expect((await run.lines()).at(-1)).toContain("000000000000000000001399");
    } finally {
      await many.close();
    }
  });

  it("asks which device a channel is about", { tags: ["slow"] }, async () => {
    const run = await start(["stream", "device_data", "--for", "100ms", "--accessible"], env());
    await run.waitFor(/Which device\?/);
    run.type("1\r");
    expect(await run.ended).toBe(0);
  });

  it("asks about a bare name, and takes no for an answer", { tags: ["slow"] }, async () => {
    for (const [answer, exit] of [
      ["\r", 0],
      ["n\r", 130],
    ] as const) {
      const run = await start(["device", "get", "truck 7", "--fields", "name", "-o", "json"], env());
      await run.waitFor(/name:Truck 7\? \[Y\/n\]/);
      run.type(answer);
      expect(await run.ended).toBe(exit);
      expect((await run.lines()).join("\n").includes('"name": "Truck 7"')).toBe(exit === 0);
    }
  });

  it("lets one of several be chosen for a bare name, and names the form where nobody can be asked", {
    tags: ["slow"],
  }, async () => {
    const run = await start(["device", "get", "er", "-o", "id"], env());
    await run.waitFor(/Which device\?/);
    expect((await run.lines()).join("\n")).not.toContain("Truck");
    run.type("\r");
    expect(await run.ended).toBe(0);
    const alone = await start(["device", "get", "freezer", "--no-input"], env());
    expect(await alone.ended).toBe(2);
    expect((await alone.lines()).join(" ")).toContain("name:freezer");
  });
});

describe("results on a terminal", { tags: ["posix"] }, () => {
  it("say how long ago things were, and of one thing the exact time too", { tags: ["slow"] }, async () => {
    const env = { IOT_API_URL: sandbox.url, IOT_TOKEN: sandbox.tokens.profile };
    const list = await start(["device", "list", "--fields", "name,last_input"], env);
    expect(await list.ended).toBe(0);
    expect((await list.lines()).join("\n")).toMatch(/Freezer 1 +\d+ (s|min|h|d) ago/);
    const one = await start(["device", "get", "name:Freezer 1"], env);
    expect(await one.ended).toBe(0);
    expect((await one.lines()).join("\n")).toMatch(/last_input: +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(.* ago\)/);
  });

  it("are a table that fits, with a bold header and whole ids", async () => {
    const run = await start(["device", "list"], { IOT_API_URL: sandbox.url, IOT_TOKEN: sandbox.tokens.profile }, 70);
    expect(await run.ended).toBe(0);
    const lines = await run.lines();
    expect(lines[0]).toMatch(/^id {2,}name/);
    expect(run.raw()).toContain("\u001b[1mid");
    expect(lines.some((line) => line.includes("65a1000000000000000d0001"))).toBe(true);
    for (const line of lines.filter((one) => !one.startsWith("hint:"))) expect(line.length).toBeLessThanOrEqual(70);
  });

  it("have no colour with NO_COLOR, --no-color or TERM=dumb", { tags: ["slow"] }, async () => {
    const env = { IOT_API_URL: sandbox.url, IOT_TOKEN: sandbox.tokens.profile };
    for (const [args, extra] of [
      [[], { NO_COLOR: "1" }],
      [["--no-color"], {}],
      [[], { TERM: "dumb" }],
    ] as const) {
      const run = await start(["device", "list", ...args], { ...env, ...extra });
      expect(await run.ended).toBe(0);
      expect(run.raw()).not.toContain("\u001b[1m");
    }
  });

  it("obey nothing that the data says", async () => {
    const run = await start(["api", "GET", "/things", "-o", "table", "--fields", "id,name,note"], hostileEnv());
    expect(await run.ended).toBe(0);
    const text = (await run.lines()).join("\n");
    expect(text).toContain("␛]0;owned␇␛[2JU+202Eevil");
    for (const control of ["\u001b]", "\u001b[2J", "\u009b", "\u202e"]) expect(run.raw()).not.toContain(control);
  });

  it("as json escape what could trick an eye, and mean the same", async () => {
    const run = await start(["api", "GET", "/things", "--json"], hostileEnv(), 1_000);
    expect(await run.ended).toBe(0);
    for (const control of ["\u001b", "\u009b", "\u202e"]) expect(run.raw()).not.toContain(control);
    expect(JSON.parse((await run.lines()).join("\n"))[0].name).toBe(
      "\u001b]0;owned\u0007\u001b[2J\u202eevil\u009b31m\nsecond line",
    );
  });
});

describe("logging in on a terminal", { tags: ["posix"] }, () => {
  it("asks for what is missing, shows no password, and lets a profile be chosen", async () => {
    const run = await start(["auth", "login"]);
    await run.waitFor(/E-mail/);
    run.type("demo@example.test\r");
    await run.waitFor(/Password/);
    run.type("demo-password\r");
    await run.waitFor(/Profile/);
    run.type(`${down}\r`);
    expect(await run.ended).toBe(0);
    expect(run.raw()).not.toContain("demo-password");
    const [stored] = JSON.parse(readFileSync(credentials(), "utf8")).credentials;
    expect(stored.profile.name).toBe("Empty");
    expect(run.raw()).not.toContain(stored.token);
  });

  it("asks for the one-time code where the account has one", async () => {
    const run = await start(["auth", "login", "--email", "otp@example.test"]);
    await run.waitFor(/Password/);
    run.type("otp-password\r");
    await run.waitFor(/One-time code \(authenticator\)/);
    run.type(`${currentCode("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")}\r`);
    expect(await run.ended).toBe(0);
  });

  it.each([
    ["Ctrl-C", ctrlC],
    ["Esc", "\u001b"],
  ])("is left with %s: 130, and nothing is kept", async (_, key) => {
    const run = await start(["auth", "login"]);
    await run.waitFor(/E-mail/);
    run.type(key);
    expect(await run.ended).toBe(130);
    expect(existsSync(credentials())).toBe(false);
  });

  it.each([
    [["--no-input"], {}],
    [[], { CI: "true" }],
    [[], { IOT_NO_INPUT: "1" }],
  ])("does not ask with %j and %j", async (args, extra) => {
    const run = await start(["auth", "login", ...args], extra);
    expect(await run.ended).toBe(2);
    expect((await run.lines()).join(" ")).toContain("--email");
  });
});

describe("confirmations", { tags: ["posix"] }, () => {
  it("take no for an answer unless it is yes", { tags: ["slow"] }, async () => {
    for (const [answer, exit] of [
      ["\r", 130],
      ["n\r", 130],
      ["maybe\r", 130],
      ["y\r", 0],
    ] as const) {
      const run = await start(["env", "remove", "local"]);
      await run.waitFor(/\[y\/N\]/);
      run.type(answer);
      expect(await run.ended).toBe(exit);
      const shown = (await run.lines()).join("\n");
      expect(shown.includes("why: The reply was not y or yes.")).toBe(exit === 130);
    }
  });

  it("of protected things want the name typed", async () => {
    await runHere(["env", "update", "local", "--protected"], { env: { IOT_CONFIG_DIR: folder } });
    const wrong = await start(["env", "remove", "local", "--yes"]);
    await wrong.waitFor(/Type local/);
    wrong.type("loca\r");
    expect(await wrong.ended).toBe(130);
    expect((await wrong.lines()).join("\n")).toContain("why: The expected name is local.");
    const right = await start(["env", "remove", "local"]);
    await right.waitFor(/Type local/);
    right.type("local\r");
    expect(await right.ended).toBe(0);
  });
});

describe("a protected environment on a terminal", { tags: ["posix"] }, () => {
  const words = ["device", "delete", "name:Freezer 1"];

  beforeEach(async () => {
    const env = { IOT_CONFIG_DIR: folder };
    await runHere(["env", "update", "local", "--protected"], { env });
    await runHere(["auth", "login", "--with-token"], { env, stdin: sandbox.tokens.profile });
  });

  it("asks for its name once, then for the deletion with yes or no, and names environment and profile", async () => {
    const run = await start(words);
    await run.waitFor(/local \(Demo Plant\), which is\s+protected\.\s+Type local/);
    run.type("local\r");
    await run.waitFor(/Delete device "Freezer 1" in local \(Demo Plant\)\? \[y\/N\]/);
    run.type("n\r");
    expect(await run.ended).toBe(130);
  });

  it("sends nothing when another name is typed, also with --yes", async () => {
    const before = sandbox.requestLog().length;
    const run = await start([...words, "--yes"]);
    await run.waitFor(/Type local/);
    run.type("prod\r");
    expect(await run.ended).toBe(130);
    expect((await run.lines()).join("\n")).toContain("why: The name to type is local.");
    expect(sandbox.requestLog()).toHaveLength(before);
  });

  it("asks the platform for the profile of a token from a variable, and only for a question", {
    tags: ["slow"],
  }, async () => {
    const env = { IOT_TOKEN: sandbox.tokens.profile, IOT_CONFIG_DIR: join(temporaryFolder(), "config") };
    await runHere(["env", "add", "local", "--api-url", sandbox.url, "--protected", "--use"], { env });
    const before = sandbox.requestLog().length;
    expect((await runHere(words, { env })).code).toBe(2);
    expect(sandbox.requestLog()).toHaveLength(before);
    const run = await start(words, env);
    await run.waitFor(/local \(Demo Plant\)/);
    run.type("\r");
    expect(await run.ended).toBe(130);
    expect(
      sandbox
        .requestLog()
        .slice(before)
        .map(({ url }) => url),
    ).toEqual(["/profile/current"]);
  });
});

describe("waits", { tags: ["posix"] }, () => {
  const env = () => ({ IOT_API_URL: sandbox.url, IOT_TOKEN: sandbox.tokens.profile, IOT_RETRIES: "4" });

  it("for a repetition and for a rate limit are counted down, and leave nothing behind in a table", {
    tags: ["slow"],
  }, async () => {
    const route = "GET /device";
    sandbox.faults.set([{ route, kind: "truncate", count: 1 }]);
    const args = ["device", "list", "--limit", "2", "--fields", "name"];
    const repeated = await start(args, env());
    await repeated.waitFor(/Retrying in [01]\.\d s \(1 of 4\): \w/);
    expect(await repeated.ended).toBe(0);
    sandbox.faults.set([{ route, kind: "status", status: 429, retryAfterSeconds: 2, count: 1 }]);
    const limited = await start(args, env());
    await limited.waitFor(/Rate limit reached; retrying in [12] s/);
    expect(await limited.ended).toBe(0);
    sandbox.faults.set([]);
    const usual = await start(args, env());
    expect(await usual.ended).toBe(0);
    const expected = await usual.lines();
    expect(expected[0]).toBe("name");
    expect([await repeated.lines(), await limited.lines()]).toEqual([expected, expected]);
  });
});

describe("Ctrl-C", { tags: ["posix"] }, () => {
  it("stops a request that hangs, and leaves the terminal as it was", { tags: ["slow"] }, async () => {
    hostile.seen.length = 0;
    const run = await start(["api", "GET", "/hang"], hostileEnv());
    await expect.poll(() => hostile.seen.length).toBe(1);
    await run.waitFor(/Waiting for 127\.0\.0\.1:\d+: GET \/hang/);
    run.type(ctrlC);
    expect(await run.ended).toBe(130);
    // The line that said what was waited for is gone, and so is the ^C of the terminal.
    expect(await run.lines()).toEqual(["info: Stopping; press Ctrl-C again to stop at once."]);
  });
});
