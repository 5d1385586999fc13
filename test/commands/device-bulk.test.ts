import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { startTerminal } from "../helpers/terminal.ts";
import { waitFor } from "../helpers/wait-for.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly result: string;
  readonly reason: string;
}
interface Device {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly description: string | null;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}
interface Planned {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

let here: SandboxUnderTest;
let cwd: string;
let lot = 0;
let ids: string[];
beforeAll(async () => {
  here = await sandboxUnderTest({ seed: "empty" });
});
afterAll(() => here.close());

/** Six devices: `lot=N`, three of them at site 7 and three at site 8. */
async function newFleet(): Promise<void> {
  cwd = temporaryFolder();
  lot += 1;
  const rows = Array.from({ length: 6 }, (_, n) => `Pump ${lot}-${n},${n < 3 ? 7 : 8},${lot},${n !== 5}\n`);
  writeFileSync(join(cwd, "fleet.csv"), `name,tag.site,tag.lot,active\n${rows.join("")}`);
  const made = await here.json<{ device: string }[]>(["device", "import", "fleet.csv"], { cwd });
  ids = made.map(({ device }) => device);
}
beforeEach(() => here.sandbox.faults.set([]));

const iot = (...args: string[]) => here.iot(args, { cwd });
const json = <T>(...args: string[]): Promise<T> => here.json<T>(args, { cwd });
const file = (name: string, text: string): string => {
  writeFileSync(join(cwd, name), text);
  return name;
};
const read = (name: string): string => readFileSync(join(cwd, name), "utf8");
const mine = (): string => `lot=${lot}`;
const fleet = async (): Promise<Device[]> => {
  const found = await json<Device[]>("device", "list", "--tag", mine(), "--fields", "id,name,active,description,tags");
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
};
const selected = async (...flags: string[]): Promise<string[]> => {
  const planned = await json<Planned[]>("device", "delete", ...flags, "--dry-run");
  return planned.map(({ path }) => String(ids.indexOf(path.slice("/device/".length)))).sort();
};
const changes = (from: number): string[] =>
  here
    .requests()
    .slice(from)
    .filter((line) => !line.startsWith("GET"));

describe("selecting devices", () => {
  beforeAll(newFleet);

  it("takes those for which all of --tag, --where and --ids hold", async () => {
    expect(await selected("--tag", mine())).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(await selected("--tag", mine(), "--tag", "site=8")).toEqual(["3", "4", "5"]);
    expect(await selected("--tag", mine(), "--where", "active=false")).toEqual(["5"]);
    expect(await selected("--where", `name=Pump ${lot}-*`, "--where", "tags.site!=8")).toEqual(["0", "1", "2"]);
    expect(await selected("--where", `name=Pump ${lot}-1 or name=Pump ${lot}-2`)).toEqual(["1", "2"]);
    expect(await selected("--tag", mine(), "--where", "created_at<-24h")).toEqual([]);
    expect(await selected("--tag", mine(), "--where", "created_at>-24h")).toHaveLength(6);
    const listed = file("ids.txt", `${ids[1]}\n\n${ids[4]}\n${ids[4]}\n`);
    expect(await selected("--ids", listed)).toEqual(["1", "4"]);
    expect(await selected("--ids", listed, "--tag", "site=8")).toEqual(["4"]);
  });

  it("reads ids from CSV, JSON and stdin", async () => {
    expect(await selected("--ids", file("a.csv", `name,id\nx,${ids[0]}\ny,${ids[2]}\n`))).toEqual(["0", "2"]);
    expect(await selected("--ids", file("a.json", JSON.stringify([{ id: ids[3] }])))).toEqual(["3"]);
    expect(await selected("--ids", file("b.json", JSON.stringify([ids[3], ids[4]])))).toEqual(["3", "4"]);
    const piped = await here.iot(["device", "delete", "--ids", "-", "--dry-run", "--json"], {
      cwd,
      stdin: `${ids[5]}\n`,
    });
    expect(JSON.parse(piped.stdout)).toMatchObject([{ path: `/device/${ids[5]}` }]);
  });

  it("changes nothing and exits with 0 when nothing matches", async () => {
    const from = here.requests().length;
    for (const flags of [
      ["--tag", "lot=none"],
      ["--where", "name=Nobody"],
      ["--ids", file("empty.txt", "\n")],
    ]) {
      const { code, stdout, stderr } = await iot("device", "delete", ...flags, "--confirm", "devices");
      expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
      expect(stderr).toContain("No devices match.");
    }
    expect(changes(from)).toEqual([]);
  });

  it.each([
    [2, ["--where", "nam=x"], "name"],
    [2, ["--where", "name.x!=y"], "name.x"],
    [2, ["--where", "tags!=y"], "tags.KEY"],
    [2, ["--where", "name"], "--where"],
    [2, ["--where", "name="], "no value"],
    [2, ["--where", "last_input<soon"], "last_input"],
    [2, ["--where", ""], "no value"],
    [2, ["--tag", ""], "no value"],
    [2, ["--tag", "site="], "no value"],
    [2, ["--ids", ""], "no value"],
    [3, ["--ids", "missing.txt"], "does not exist"],
    [3, ["--ids", "fleet.csv"], "Row 1"],
    [6, ["--ids", "unknown.txt"], "1 of 2 ids"],
    [2, ["name:Pump", "--tag", "site=7"], "together"],
    [2, ["name:Pump", "--report", "r.csv"], "--report needs"],
    [2, ["--resume"], "--resume needs"],
  ])("exits with %i for %j and changes nothing", async (exit, flags, text) => {
    file("unknown.txt", `${ids[0]}\n65a1ffffffffffffffffffff\n`);
    const from = here.requests().length;
    const { code, stderr } = await iot("device", "delete", ...flags, "--confirm", "devices", "--yes");
    expect({ code, text: stderr.includes(text) ? text : stderr }).toEqual({ code: exit, text });
    expect(changes(from)).toEqual([]);
  });
});

describe("device update for many", () => {
  beforeEach(newFleet);

  it("changes the fields and tags named, keeps the others, and reports each device", async () => {
    const args = ["--tag", mine(), "--tag", "site=7", "--set-tag", "floor=2", "--remove-tag", "site", "--inactive"];
    const asked = await iot("device", "update", ...args);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("Update 3 devices") });
    const done = await json<Row[]>("device", "update", ...args, "--yes", "--report", "report.csv");
    const devices = await fleet();
    expect(done.map(({ id }) => id).sort()).toEqual(ids.slice(0, 3).sort());
    expect(new Set(done.map(({ result }) => result))).toEqual(new Set(["updated"]));
    for (const { active, tags } of devices.slice(0, 3)) {
      expect({ active, tags }).toEqual({
        active: false,
        tags: [
          { key: "lot", value: String(lot) },
          { key: "floor", value: "2" },
        ],
      });
    }
    expect(devices.slice(3).map(({ tags }) => tags.find(({ key }) => key === "site")?.value)).toEqual(["8", "8", "8"]);
    const report = parse(read("report.csv"), { columns: true }) as Row[];
    expect(report).toEqual(done);
  });

  it("shows the requests with --dry-run and sends none", async () => {
    const from = here.requests().length;
    const planned = await json<Planned[]>("device", "update", "--tag", mine(), "--description", "x", "--dry-run");
    expect(planned.map(({ method, body }) => ({ method, body }))).toEqual(
      Array.from({ length: 6 }, () => ({ method: "PUT", body: { description: "x" } })),
    );
    expect(changes(from)).toEqual([]);
  });

  it("shows what would change on a terminal with --dry-run, and the requests with -v", {
    tags: ["posix", "slow"],
  }, async () => {
    const from = here.requests().length;
    const shown = async (...args: string[]): Promise<string> => {
      const terminal = await startTerminal([...args, "--tag", mine(), "--dry-run"], {
        env: here.env,
        cwd,
        columns: 120,
      });
      expect(await terminal.ended).toBe(0);
      return (await terminal.lines()).join("\n");
    };
    const update = ["device", "update", "--set-tag", "site=8", "--set-tag", "floor=2", "--remove-tag", "lot"];
    const table = await shown(...update);
    expect(table).toMatch(/name +field +before +after/i);
    expect(table).toMatch(new RegExp(`Pump ${lot}-0 +tags.site +7 +8`));
    expect(table).toMatch(new RegExp(`Pump ${lot}-4 +tags.floor +2`));
    expect(table).toMatch(new RegExp(`Pump ${lot}-4 +tags.lot +${lot}`));
    expect(table).not.toMatch(new RegExp(`Pump ${lot}-4 +tags.site`));
    expect(table).not.toContain("PUT");
    expect(await shown("device", "update", "--inactive")).toContain("1 device of 6 would stay the same");
    expect(await shown("device", "delete")).toMatch(new RegExp(`Pump ${lot}-5 +device +${ids[5]} +deleted`));
    expect(await shown("device", "delete", "-v")).toContain(`DELETE /device/${ids[5]}`);
    expect(changes(from)).toEqual([]);
  });

  it("shows the count and the first five devices before it asks, and no means no", {
    tags: ["posix", "slow"],
  }, async () => {
    const from = here.requests().length;
    const args = ["device", "update", "--tag", mine(), "--description", "x"];
    const terminal = await startTerminal(args, { env: here.env, cwd, columns: 120 });
    await terminal.waitFor(/Update 6 devices in .*\[y\/N\]/);
    const text = (await terminal.lines()).join("\n");
    expect(text).toContain("6 in all:");
    for (const id of ids.slice(0, 5)) expect(text).toContain(id);
    expect(text).not.toContain(ids[5]);
    terminal.type("n\r");
    expect(await terminal.ended).toBe(130);
    expect(changes(from)).toEqual([]);
  });

  it("waits for the next minute when the rate limit is reached", async () => {
    const limit = { kind: "status", status: 429, retryAfterSeconds: 2, count: 1 } as const;
    here.sandbox.faults.set([{ route: `PUT /device/${ids[0]}`, ...limit }]);
    const args = ["device", "update", "--tag", mine(), "--description", "late", "--yes"];
    const { code, stderr } = await here.iot(args, { cwd, clock: quickClock() });
    expect({ code, waited: stderr.includes("Rate limit reached") }).toEqual({ code: 0, waited: true });
    expect((await fleet()).map(({ description }) => description)).toEqual(Array(6).fill("late"));
  });

  it("refuses a name for several, and a run that changes nothing", async () => {
    expect((await iot("device", "update", "--tag", mine(), "--name", "Same", "--yes")).code).toBe(2);
    expect((await iot("device", "update", "--tag", mine(), "--yes")).code).toBe(2);
    expect((await fleet())[0]?.name).toBe(`Pump ${lot}-0`);
  });

  it("sets a tag of one device with --tag or --set-tag", async () => {
    const [id = ""] = ids;
    expect((await iot("device", "update", id, "--tag", "a=1", "--set-tag", "b=2")).code).toBe(0);
    const [first] = await fleet();
    expect(first?.tags.map(({ key, value }) => `${key}=${value}`)).toEqual(expect.arrayContaining(["a=1", "b=2"]));
  });

  it("tries the failed ones again with --resume, and then has nothing to do", async () => {
    const args = ["device", "update", "--tag", mine(), "--description", "new"];
    here.sandbox.faults.set([{ route: `PUT /device/${ids[2]}`, kind: "status", status: 400 }]);
    const { code, stdout, stderr } = await iot(...args, "--yes", "--json");
    expect(code).toBe(8);
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: ids[2], result: "failed" })]),
    );
    expect(stderr).toContain("1 of 6 devices failed.");
    here.sandbox.faults.set([]);
    const from = here.requests().length;
    const again = await json<Row[]>(...args, "--resume", "--yes");
    expect(again.map(({ result }) => result).sort()).toEqual([...Array(5).fill("done before"), "updated"]);
    expect(changes(from)).toEqual([`PUT /device/${ids[2]}`]);
    const third = await iot(...args, "--resume", "--yes");
    expect(third).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing to do") });
    expect((await iot(...args, "--again", "--yes")).code).toBe(0);
  });

  it("continues with the devices it showed, though they do not match any more", async () => {
    const args = ["device", "update", "--tag", mine(), "--where", "active=true", "--inactive", "--concurrency", "1"];
    here.sandbox.faults.set([{ route: `PUT /device/${ids[2]}`, kind: "truncate" }]);
    expect((await iot(...args, "--yes")).code).toBe(10);
    here.sandbox.faults.set([]);
    const rows = await json<Row[]>(...args, "--resume", "--yes");
    expect(rows).toHaveLength(5);
    expect((await fleet()).map(({ active }) => active)).toEqual(Array(6).fill(false));
  });
});

describe("device delete for many", () => {
  beforeEach(newFleet);

  it("asks for a name, not for yes, and reports what the platform refused", async () => {
    const [first = ""] = ids;
    await iot("device", "update", first, "--set-tag", "_delete_protection_=keep");
    const args = ["device", "delete", "--tag", mine()];
    expect(await iot(...args, "--yes")).toMatchObject({ code: 2, stderr: expect.stringContaining("--confirm") });
    expect(await fleet()).toHaveLength(6);
    const { code, stdout } = await iot(...args, "--confirm", "devices", "--json");
    expect(code).toBe(8);
    const rows = JSON.parse(stdout) as Row[];
    expect(rows.filter(({ result }) => result === "deleted")).toHaveLength(5);
    expect(rows.find(({ id }) => id === first)?.result).toBe("failed");
    expect((await fleet()).map(({ id }) => id)).toEqual([first]);
  });

  it("takes a device that is gone for deleted only if it was about to delete it", async () => {
    const args = ["device", "delete", "--tag", mine(), "--confirm", "devices", "--concurrency", "1"];
    here.sandbox.faults.set([{ route: `DELETE /device/${ids[1]}`, kind: "truncate" }]);
    expect((await iot(...args)).code).toBe(10);
    here.sandbox.faults.set([]);
    await iot("device", "delete", ids[4] ?? "", "--yes");
    const { code, stdout } = await iot(...args, "--resume", "--json");
    expect(code).toBe(8);
    const results = new Map((JSON.parse(stdout) as Row[]).map(({ id, result }) => [id, result]));
    expect(ids.map((id) => results.get(id))).toEqual([
      "done before",
      "deleted",
      "deleted",
      "deleted",
      "failed",
      "deleted",
    ]);
  });
});

describe("device param set for many", () => {
  beforeEach(newFleet);

  it("sets new and existing keys of each device", async () => {
    await iot("device", "param", "set", ids[0] ?? "", "interval=5");
    const rows = await json<Row[]>("device", "param", "set", "--tag", mine(), "interval=15", "mode=eco", "--yes");
    expect(rows.map(({ result }) => result)).toEqual(Array(6).fill("set"));
    for (const id of ids) {
      const params = await json<{ key: string; value: string }[]>("device", "param", "list", id);
      expect(params.map(({ key, value }) => `${key}=${value}`).sort()).toEqual(["interval=15", "mode=eco"]);
    }
  });

  it("refuses words that are no parameters, a device besides, and nothing at all", async () => {
    for (const words of [["interval"], [ids[0] ?? "", "interval=1"], []]) {
      expect((await iot("device", "param", "set", "--tag", mine(), ...words, "--yes")).code).toBe(2);
    }
    expect((await iot("device", "param", "set")).code).toBe(2);
    expect((await iot("device", "param", "set", ids[0] ?? "")).code).toBe(2);
  });
});

interface Token {
  readonly name: string;
  readonly token: string;
}
const tokensOf = (id: string): Promise<Token[]> => json<Token[]>("device", "token", "list", id, "--reveal");

describe("device token create for many", () => {
  beforeEach(newFleet);

  const create = (...flags: string[]) =>
    iot("device", "token", "create", "--tag", mine(), "--name", "gateway", "--out", "tokens.csv", ...flags);

  it("writes the tokens to a private file and nowhere else, and never makes a second one", {
    tags: ["posix"],
  }, async () => {
    file("tokens.csv", "old");
    chmodSync(join(cwd, "tokens.csv"), 0o644);
    const { code, stdout, stderr } = await create("--yes", "--json", "--verbose", "--report", "report.csv");
    expect(code, stderr).toBe(0);
    const written = parse(read("tokens.csv"), { columns: true }) as (Token & { id: string })[];
    expect(statSync(join(cwd, "tokens.csv")).mode & 0o777).toBe(0o600);
    expect(written.map(({ id }) => id).sort()).toEqual([...ids].sort());
    for (const { id, token } of written) {
      expect((await tokensOf(id)).filter(({ name }) => name === "gateway").map((each) => each.token)).toEqual([token]);
      expect(stdout + stderr + read("report.csv")).not.toContain(token);
    }
    const again = await create("--yes", "--json");
    expect((JSON.parse(again.stdout) as Row[]).map(({ result }) => result)).toEqual(Array(6).fill("skipped"));
    expect((await tokensOf(ids[0] ?? "")).filter(({ name }) => name === "gateway")).toHaveLength(1);
  });

  it("continues with --resume where --expire is a duration, which ends later than in the first run", async () => {
    here.sandbox.faults.set([{ route: "POST /device/token", kind: "status", status: 400, count: 1 }]);
    expect((await create("--expire", "30d", "--yes", "--concurrency", "1")).code).toBe(8);
    here.sandbox.faults.set([]);
    const { code, stdout, stderr } = await create("--expire", "30d", "--yes", "--json", "--resume");
    expect(code, stderr).toBe(0);
    const results = (JSON.parse(stdout) as Row[]).map(({ result }) => result);
    expect(results.sort()).toEqual(["created", ...Array(5).fill("done before")]);
  });

  it("needs a file, and no serial number", async () => {
    const from = here.requests().length;
    const args = ["device", "token", "create", "--tag", mine(), "--yes"];
    for (const flags of [[], ["--out", "-"], ["--out", "t.csv", "--serial", "1"]])
      expect((await iot(...args, ...flags)).code).toBe(2);
    expect((await iot(...args, "--out", "tokens.xml")).code).toBe(3);
    expect((await iot("device", "token", "create", ids[0] ?? "", "--out", "t.csv")).code).toBe(2);
    expect(changes(from)).toEqual([]);
  });

  it.each([1, 4])(
    "killed after %i requests, it is finished with --resume: one token each, all in the file",
    { tags: ["slow"] },
    async (made) => {
      here.sandbox.faults.set([{ route: "POST /device/token", kind: "latency", delayMs: 40 }]);
      const args = ["device", "token", "create", "--tag", mine(), "--name", "gateway", "--out", "tokens.json", "--yes"];
      const before = here.requests().length;
      const child = await startCli([...args, "--concurrency", "2"], { env: here.env, cwd });
      const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
      child.stdout?.resume();
      child.stderr?.resume();
      await waitFor(() => changes(before).length >= made || child.exitCode !== null, "the moment to kill");
      child.kill("SIGKILL");
      expect(await ended).toBe("SIGKILL");
      here.sandbox.faults.set([]);
      const { code, stderr } = await iot(...args, "--resume");
      expect(code, stderr).toBe(0);
      const written = JSON.parse(read("tokens.json")) as (Token & { id: string })[];
      expect(written.map(({ id }) => id).sort()).toEqual([...ids].sort());
      for (const { id, token } of written)
        expect((await tokensOf(id)).filter(({ name }) => name === "gateway").map((each) => each.token)).toEqual([
          token,
        ]);
    },
  );

  it("finishes the running requests at Ctrl-C, writes their tokens, and continues with --resume", {
    tags: ["slow", "posix"],
  }, async () => {
    const args = ["device", "token", "create", "--tag", mine(), "--name", "gateway", "--out", "tokens.csv", "--yes"];
    here.sandbox.faults.set([{ route: "POST /device/token", kind: "latency", delayMs: 100 }]);
    const before = here.requests().length;
    const child = await startCli([...args, "--concurrency", "1"], { env: here.env, cwd });
    const ended = new Promise((resolve) => child.once("close", resolve));
    let said = "";
    child.stdout?.resume();
    child.stderr?.on("data", (chunk) => {
      said += String(chunk);
    });
    await waitFor(() => changes(before).length >= 2, "two tokens");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(said).toContain("--resume");
    const first = parse(read("tokens.csv"), { columns: true }) as Token[];
    expect(first.length).toBe(changes(before).length);
    here.sandbox.faults.set([]);
    expect((await iot(...args, "--resume")).code).toBe(0);
    const all = parse(read("tokens.csv"), { columns: true }) as Token[];
    expect(all).toHaveLength(6);
    expect(all).toEqual(expect.arrayContaining(first));
  });
});

describe("a bulk change in a protected environment", () => {
  beforeEach(newFleet);

  it("needs the name of the environment", async () => {
    const env = { ...here.env, IOT_CONFIG_DIR: temporaryFolder() };
    const { IOT_API_URL: api = "", IOT_EVENTS_URL: events = "" } = here.env;
    await here.iot(["env", "add", "prod", "--api-url", api, "--events-url", events, "--protected"], { env });
    const args = ["device", "update", "--tag", mine(), "--description", "x", "--env", "prod", "--yes"];
    const from = here.requests().length;
    expect((await here.iot(args, { env, cwd })).code).toBe(2);
    expect(changes(from)).toEqual([]);
    expect((await here.iot([...args, "--confirm", "prod"], { env, cwd })).code).toBe(0);
    expect(changes(from)).toHaveLength(6);
  });
});
