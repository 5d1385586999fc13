import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { call, ok } from "../client.ts";

let folder: string;
let open: Sandbox[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "iot-seed-"));
  open = [];
});
afterEach(async () => {
  for (const sandbox of open) await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Files of a seed: JSON, or a text as it is. */
function write(files: Readonly<Record<string, unknown>>): string {
  const seed = join(folder, "seed");
  for (const [path, content] of Object.entries({ "scenario.json": { extends: "empty" }, ...files })) {
    mkdirSync(dirname(join(seed, path)), { recursive: true });
    writeFileSync(join(seed, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return seed;
}

async function start(seed: string | number | undefined, dataDir?: string): Promise<Sandbox> {
  const sandbox = await createSandbox({
    ...(seed === undefined ? {} : { seed }),
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  open.push(sandbox);
  return sandbox;
}

const devices = (sandbox: Sandbox, query = ""): Promise<{ id: string; name: string; tags: object[] }[]> =>
  ok(sandbox, "GET", `/device?amount=100&orderBy=name,asc${query}`, { token: sandbox.tokens.profile });

const device = (name: string, more: object = {}) => ({ name, ...more });

describe("a folder as a seed", () => {
  it("makes a record as often as it says, with numbers and values in turn", async () => {
    const entry = {
      repeat: 5,
      name: "Pump {n:3} {site}",
      active: "{on}",
      tags: { site: "{site}", "{site}": "hex {n:x2}" },
      lists: { on: [true, false] },
    };
    const lists = { site: ["north", "south", "east"] };
    const sandbox = await start(write({ "devices.json": [entry], "scenario.json": { extends: "empty", lists } }));
    const found = await devices(sandbox, "&fields[]=active&fields[]=name");
    expect(found.map(({ name }) => name)).toEqual([
      "Pump 001 north",
      "Pump 002 south",
      "Pump 003 east",
      "Pump 004 north",
      "Pump 005 south",
    ]);
    expect(found[1]).toMatchObject({ active: false });
    expect(found[1]?.tags).toEqual([
      { key: "site", value: "south" },
      { key: "south", value: "hex 02" },
    ]);
  });

  it("changes records of the scenario it extends by their ids, and adds others", async () => {
    const seed = write({
      "scenario.json": { extends: "empty" },
      "networks.json": [{ id: "65a1000000000000000e0003", name: "Other gateway" }],
      "profiles.json": [{ id: "65a1000000000000000f0001", name: "My plant" }],
    });
    const sandbox = await start(seed);
    const { profile } = sandbox.tokens;
    const own = await ok(sandbox, "GET", `/profile/${sandbox.profileId}`, { token: profile });
    expect(own).toMatchObject({ info: { name: "My plant" } });
    const networks = await ok<{ name: string }[]>(sandbox, "GET", "/integration/network", { token: profile });
    expect(networks.map(({ name }) => name)).toEqual(["HTTPS", "LoRaWAN Demo", "Other gateway"]);
  });

  it("gives devices the same ids and tokens at every start, and data that reaches up to now", async () => {
    const history = { every: "10 minutes", samples: 7, variables: [{ variable: "level", value: [5, { step: 2 }] }] };
    const seed = write({ "devices.json": [device("Tank", { history })] });
    const before = Date.now();
    const [first, second] = [await start(seed), await start(seed)];
    expect((await devices(first))[0]?.id).toBe((await devices(second))[0]?.id);
    expect(first.tokens.device).toBe(second.tokens.device);
    const rows = await ok<{ value: number; time: string }[]>(first, "GET", "/data?qty=100", {
      token: first.tokens.device,
    });
    expect(rows.map(({ value }) => value)).toEqual([17, 15, 13, 11, 9, 7, 5]);
    expect(Date.parse(rows[0]?.time ?? "")).toBeGreaterThan(before - 600_000);
  });

  it("is known to a later start without it, to its tokens made anew, and to a reset", async () => {
    const seed = write({ "devices.json": [device("Tank")], "faults.json": [{ kind: "latency", delayMs: 1 }] });
    const dataDir = join(folder, "data");
    const first = await createSandbox({ seed, dataDir });
    await first.close();
    const again = await createSandbox({ dataDir, tokens: "random" });
    open.push(again);
    expect(again.faults.list()).toHaveLength(1);
    expect(again.tokens.device).not.toBe(first.tokens.device);
    expect((await call(again, "GET", "/info", { token: first.tokens.device })).status).toBe(401);
    expect((await call(again, "GET", "/info", { token: again.tokens.device })).status).toBe(200);
    writeFileSync(join(seed, "devices.json"), JSON.stringify([device("Tank"), device("Second tank")]));
    again.reset();
    expect((await devices(again)).map(({ name }) => name)).toEqual(["Second tank", "Tank"]);
    writeFileSync(join(seed, "devices.json"), "[");
    const refused = await call(again, "POST", "/__sandbox/reset");
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.body.message).toContain("devices.json is not JSON");
    expect(await devices(again)).toHaveLength(2);
  });
});

describe("what is wrong with a folder", () => {
  const cases: readonly (readonly [what: string, files: Readonly<Record<string, unknown>>, message: RegExp])[] = [
    ["a file that is not JSON", { "devices.json": "[{]" }, /^devices\.json is not JSON: /],
    [
      "a file nobody reads",
      { "device.json": [] },
      /^device\.json is not a file of a seed\. There are: .*devices\.json/,
    ],
    ["a misspelt field", { "devices.json": [device("Tank", { hsitory: 1 })] }, /^devices\.json \[0\]: .*"hsitory"/],
    ["a field of the wrong type", { "devices.json": [{ name: "ok!" }, { name: 7 }] }, /^devices\.json \[1\], name: /],
    [
      "a formula it does not know",
      {
        "devices.json": [
          device("Tank", {
            history: { every: "1 hour", samples: 2, variables: [{ variable: "a", value: [{ sine: 1 }] }] },
          }),
        ],
      },
      /^devices\.json \[0\], history: .*variables\.0\.value/,
    ],
    [
      "two records of one id",
      {
        "devices.json": [
          device("One", { id: "5f00000000000000000000d1" }),
          device("Two", { id: "5f00000000000000000000d1" }),
        ],
      },
      /^devices\.json \[1\]: the id 5f0+d1 is that of devices\.json \[0\]/,
    ],
    [
      "two records of one token",
      {
        "devices.json": [
          device("One", { token: "5eed9999-0000-4000-8000-000000000001" }),
          device("Two", { token: "5eed9999-0000-4000-8000-000000000001" }),
        ],
      },
      /^devices\.json \[1\] cannot be stored: /,
    ],
    [
      "a connector that is not there",
      { "devices.json": [device("Tank", { connector: "5f00000000000000000000c1" })] },
      /^devices\.json \[0\] cannot be stored: there is no connector 5f/,
    ],
    ["no profile", { "scenario.json": {} }, /^The seed has no profile\.$/],
    [
      "a profile of nobody",
      { "scenario.json": {}, "profiles.json": [{ name: "Alone", account: "5f00000000000000000000a1" }] },
      /^profiles\.json \[0\] cannot be stored: there is no account 5f/,
    ],
    [
      "a list it does not have",
      { "devices.json": [{ repeat: 2, name: "{site} {n}" }] },
      /^devices\.json \[0\] \(n = 1\): there is no list "site"/,
    ],
    [
      "too many records",
      { "devices.json": [{ repeat: 1e9, name: "Pump {n}" }] },
      /^devices\.json \[0\]: "repeat" must be/,
    ],
    [
      "many entries of many records",
      { "devices.json": Array.from({ length: 5_000 }, () => ({ repeat: 20_000, name: "Pump {n}" })) },
      /^The seed has more than 50000 records\.$/,
    ],
    [
      "a scenario that is not there",
      { "scenario.json": { extends: "nothing" } },
      /there is no scenario "nothing" to extend/,
    ],
    ["a fault without a kind", { "faults.json": [{ status: 500 }] }, /^faults\.json \[0\]: kind is one of/],
    [
      "a script outside",
      { "analyses.json": [{ name: "Out", script: "../../secret.js" }] },
      /is not a path inside the folder/,
    ],
    [
      "a file by its whole path",
      { "files.json": [{ path: "a", file: "/etc/passwd" }] },
      /is not a path inside the folder/,
    ],
    [
      "a script that is not there",
      { "analyses.json": [{ name: "Out", script: "scripts/none.js" }] },
      /^analyses\.json \[0\]: there is no file/,
    ],
    [
      "a key that reaches a prototype",
      { "devices.json": '[{"name":"Tank","tags":{"__proto__":"x"}}]' },
      /has the key "__proto__"/,
    ],
    [
      "depth without end",
      { "devices.json": `${"[".repeat(100_000)}${"]".repeat(100_000)}` },
      /^devices\.json (is nested|is not JSON)/,
    ],
    [
      "more rows than a start should take",
      {
        "devices.json": [
          {
            repeat: 30,
            name: "Pump {n}",
            history: { every: "1 minute", samples: 100_000, variables: [{ variable: "a", value: 1 }] },
          },
        ],
      },
      /2000000 rows together|limit of 50000/,
    ],
  ];

  it.each(cases)("is said by file and place, and nothing is left behind: %s", async (_, files, message) => {
    const dataDir = join(folder, "data");
    const seed = write(files);
    const refused = createSandbox({ seed, dataDir });
    await expect(refused).rejects.toMatchObject({ name: "SeedError", message: expect.stringMatching(message) });
    const later = await start("empty", dataDir);
    expect(await devices(later)).toEqual([]);
  });

  it("links are not followed", { tags: ["posix"] }, async () => {
    writeFileSync(join(folder, "outside.json"), "[]");
    mkdirSync(join(folder, "outside"));
    writeFileSync(join(folder, "outside", "a.js"), "1");
    const seed = write({ "analyses.json": [{ name: "Out", script: "scripts/a.js" }] });
    symlinkSync(join(folder, "outside"), join(seed, "scripts"));
    await expect(createSandbox({ seed })).rejects.toThrow("scripts is a symbolic link");
    symlinkSync(join(folder, "outside.json"), join(seed, "devices.json"));
    await expect(createSandbox({ seed })).rejects.toThrow("devices.json is a symbolic link");
  });

  it("a large file is refused before it is read, and so are a file and a folder without a seed", async () => {
    const seed = write({ "devices.json": "[]" });
    truncateSync(join(seed, "devices.json"), 100 * 1024 * 1024);
    await expect(createSandbox({ seed })).rejects.toThrow("devices.json is larger than 8 MiB");
    await expect(createSandbox({ seed: join(seed, "devices.json") })).rejects.toThrow("is not a folder");
    await expect(createSandbox({ seed: join(folder, "none") })).rejects.toThrow("There is no scenario or folder");
    mkdirSync(join(folder, "plain"));
    const dataDir = join(folder, "data");
    await expect(createSandbox({ seed: join(folder, "plain"), dataDir })).rejects.toMatchObject({
      message: expect.stringContaining("neither a scenario.json nor the profile.json"),
      next: expect.stringContaining("iot profile export"),
    });
    expect(readdirSync(folder)).not.toContain("data");
  });
});
