import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

/** A line that is wrong, its exit code, and a part of what is said about it. */
const wrong: readonly (readonly [words: readonly string[], exit: number, says: string])[] = [
  [
    ["widget", "create", "--dashboard", "name:Plant overview", "--label", "x", "--type", "crad"],
    2,
    'Did you mean "card"?',
  ],
  [
    ["widget", "create", "--dashboard", "name:Plant overview", "--label", "x", "--type", "hologram"],
    2,
    'Widget type "hologram" not found',
  ],
  [["analysis", "create", "--name", "x", "--interval", "5m"], 2, 'Did you mean "iot action create"?'],
  [
    ["action", "create", "--name", "x", "--interval", "every day", "--notify", "--subject", "s", "--message", "m"],
    2,
    "5m, 1h",
  ],
  [
    ["action", "create", "--name", "x", "--schedule", "every day", "--notify", "--subject", "s", "--message", "m"],
    2,
    "0 6 * * *",
  ],
  [
    ["action", "create", "--name", "x", "--resource", "devise:create", "--notify", "--subject", "s", "--message", "m"],
    2,
    '"device"',
  ],
  [
    ["action", "create", "--name", "x", "--interval", "5m", "--email", "jo", "--subject", "s", "--message", "m"],
    2,
    "jo@example.org",
  ],
  [["action", "create", "--name", "x", "--interval", "5m", "--sms", "abc", "--message", "m"], 2, "+15550100"],
  [["access", "create", "--name", "x", "--who", "run_user", "--allow", "access devise"], 2, '"device"'],
  [["access", "create", "--name", "x", "--who", "nobody", "--allow", "access device"], 2, "run_user"],
  [["service", "email", "--to", "jo", "--subject", "s", "--message", "m"], 2, "--to needs an email address"],
  [
    ["service", "email", "--to", "a@x.test,b@x.test", "--subject", "s", "--message", "m"],
    2,
    "Repeat --to for each address.",
  ],
  [
    ["access", "create", "--name", "x", "--who", "run_user", "--allow", "fly device"],
    2,
    "pass the rule in a file with --input",
  ],
  [["service", "sms", "--to", "abc", "--message", "m"], 2, "+15550100"],
  [["device", "token", "create", "name:Freezer 1", "--name", "x", "--expire", "-24h"], 2, "a duration such as 30d"],
  [["device", "token", "create", "name:Freezer 1", "--name", "x", "--expire", "soon"], 2, "or never"],
  [["device", "data", "send", "name:Freezer 1", "temperature=-18,5"], 2, "Write -18.5"],
  [
    ["profile", "apply", "examples", "--apply", "nosuch.json", "--yes"],
    3,
    "The file nosuch.json for --apply does not exist",
  ],
  [["dashboard", "migrate", "--apply", "nosuch.json", "--yes"], 3, "does not exist"],
];

describe("a value that cannot be right", () => {
  it.each(wrong.map(([words, exit, says]) => [words.join(" "), words, exit, says] as const))(
    "iot %s",
    async (_, words, exit, says) => {
      const before = here.requests().filter((line) => !line.startsWith("GET ")).length;
      const { code, stderr } = await here.iot(words);
      expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringContaining(says) });
      expect(here.requests().filter((line) => !line.startsWith("GET "))).toHaveLength(before);
    },
  );

  it("is none where a sender has a name beside the address", async () => {
    const sender = ["--from", "Plant <plant@example.test>", "--subject", "s", "--message", "m"];
    expect((await here.iot(["service", "email", "--to", "jo@example.test", ...sender, "--dry-run"])).code).toBe(0);
  });

  it("is sent as a string with --raw-field", async () => {
    const { code } = await here.iot(["device", "data", "send", "name:Freezer 1", "--raw-field", "text=-18,5"]);
    expect(code).toBe(0);
  });
});

describe("what there is nothing to do for", () => {
  it("asks for no confirmation to delete no records", async () => {
    const { code, stdout, stderr } = await here.iot([
      "device",
      "data",
      "delete",
      "name:Freezer 1",
      "--variable",
      "none",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("nothing was deleted") });
    expect(stdout).toContain("0");
  });

  it("names the ports of the sandboxes that run", async () => {
    const config = temporaryFolder();
    const state = { pid: process.pid, url: "http://127.0.0.1:9", port: 9, startedAt: "", tokens: {} };
    const folder = join(config, "state", "sandbox");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "running-9.json"), JSON.stringify(state));
    const { code, stderr } = await here.iot(["sandbox", "stop", "--port", "1"], { env: { IOT_CONFIG_DIR: config } });
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining("Sandboxes run on 9.") });
  });
});
