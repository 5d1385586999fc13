import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { variablesOf } from "../../src/sandbox/console/variables.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { type CliOptions, type CliResult, runCli, startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { startTerminal } from "../helpers/terminal.ts";
import { waitFor } from "../helpers/wait-for.ts";

let config: string;
beforeEach(() => {
  config = temporaryFolder();
});
const open: Sandbox[] = [];
afterEach(async () => {
  await Promise.all([...open.splice(0).map((sandbox) => sandbox.close()), iot(["sandbox", "stop", "--all"])]);
});

const iot = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  inProcess(args)(args, { cwd: config, ...options, env: { IOT_CONFIG_DIR: config, ...options.env } });

/** What starts a sandbox is a process of its own. */
const inProcess = ([, verb]: readonly string[]) => (verb === "start" ? runCli : runHere);

async function done(args: readonly string[], options: CliOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await iot(args, options);
  if (code !== 0) throw new Error(`iot ${args.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}

interface Running {
  readonly url: string;
  /** Variables that lead every command to it. */
  readonly variables: Record<string, string>;
}

/** A sandbox in this process: it starts in no time. */
async function startHere(options: SandboxOptions = {}): Promise<Running & { readonly sandbox: Sandbox }> {
  const sandbox = await createSandbox({ seed: "empty", ...options });
  open.push(sandbox);
  return { sandbox, url: sandbox.url, variables: variablesOf(sandbox) };
}

/** One in a process of its own, for what its flags do. */
async function start(...flags: string[]): Promise<Running> {
  const flagsOf = ["--detach", "--port", "0", "--seed", "empty", "--json", ...flags];
  return JSON.parse(await done(["sandbox", "start", ...flagsOf])) as Running;
}

async function names(env: Record<string, string>): Promise<string[]> {
  const rows = JSON.parse(await done(["device", "list", "--json"], { env })) as { name: string }[];
  return rows.map(({ name }) => name);
}

const create = (name: string, env: Record<string, string>): Promise<string> =>
  done(["device", "create", "--name", name, "-o", "id"], { env });

describe("sandbox snapshot", () => {
  it("puts aside and back what a running sandbox holds, then the same folder when it is stopped", async () => {
    const dataDir = join(config, "plant");
    const { sandbox, variables: env } = await startHere({ dataDir });
    await create("First", env);
    const made = JSON.parse(await done(["sandbox", "snapshot", "create", "calm", "--json"], { env }));
    expect(made).toMatchObject({ name: "calm", bytes: expect.any(Number) });
    await create("Second", env);
    const refused = await iot(["sandbox", "snapshot", "restore", "calm"], { env });
    expect(refused.code).toBe(2);
    await done(["sandbox", "snapshot", "restore", "calm", "--yes"], { env });
    expect(await names(env)).toEqual(["First"]);
    await create("Third", env);
    await sandbox.close();

    expect(await done(["sandbox", "snapshot", "list", "--data-dir", "plant", "-o", "id"])).toBe("calm\n");
    await done(["sandbox", "snapshot", "create", "later", "--data-dir", "plant"]);
    await done(["sandbox", "snapshot", "restore", "calm", "--data-dir", "plant", "--yes"]);
    await done(["sandbox", "snapshot", "delete", "later", "--data-dir", "plant", "--yes"]);
    const again = await startHere({ dataDir });
    expect(await names(again.variables)).toEqual(["First"]);
    expect(await done(["sandbox", "snapshot", "list", "-o", "id"], { env: again.variables })).toBe("calm\n");
  });

  it("ends with 6 for one that is not there, 7 for a name that is taken, 6 for a folder without a sandbox", async () => {
    const { variables: env } = await startHere();
    await done(["sandbox", "snapshot", "create", "one"], { env });
    expect((await iot(["sandbox", "snapshot", "create", "one"], { env })).code).toBe(7);
    const missing = await iot(["sandbox", "snapshot", "restore", "two", "--yes"], { env });
    expect({ code: missing.code, stderr: missing.stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining("There is no snapshot two"),
    });
    expect((await iot(["sandbox", "snapshot", "list", "--data-dir", "nowhere"])).code).toBe(6);
    expect(existsSync(join(config, "nowhere"))).toBe(false);
  });
});

describe("sandbox export and import", () => {
  it("carry everything from a running sandbox into a new folder, and into another running one", {
    tags: ["posix"],
  }, async () => {
    const one = await startHere();
    await create("Carried", one.variables);
    const file = join(config, "plant.tar.gz");
    expect(await done(["sandbox", "export", "plant.tar.gz"], { env: one.variables })).toBe(`${file}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await done(["sandbox", "import", "plant.tar.gz", "--data-dir", "twin"]);
    const two = await startHere({ dataDir: join(config, "twin") });
    expect(await names(two.variables)).toEqual(["Carried"]);
    await create("Gone", two.variables);
    await done(["sandbox", "import", "plant.tar.gz", "--yes"], { env: two.variables });
    expect(await names(two.variables)).toEqual(["Carried"]);
    expect(readdirSync(config).filter((name) => name.includes("part"))).toEqual([]);
  });

  it("refuse rubbish with 3 and change nothing", async () => {
    const { variables: env } = await startHere();
    await create("Safe", env);
    writeFileSync(join(config, "bad.tar.gz"), "rubbish");
    const running = await iot(["sandbox", "import", "bad.tar.gz", "--yes"], { env });
    const fresh = await iot(["sandbox", "import", "bad.tar.gz", "--data-dir", "fresh"]);
    for (const { code, stderr } of [running, fresh]) {
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("Nothing was changed") });
    }
    expect((await iot(["sandbox", "import", "none.tar.gz", "--yes"], { env })).code).toBe(3);
    expect(existsSync(join(config, "fresh"))).toBe(false);
    expect(await names(env)).toEqual(["Safe"]);
  });

  it("happen at the end with --export-on-exit", { tags: ["slow"] }, async () => {
    await start("--ephemeral", "--export-on-exit", "last.tar.gz");
    await done(["sandbox", "stop"]);
    expect(readFileSync(join(config, "last.tar.gz")).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });
});

describe("sandbox logs", { tags: ["posix"] }, () => {
  it("shows each new request at once on a terminal", async () => {
    const { url, variables: env } = await startHere();
    const run = await startTerminal(["sandbox", "logs", "--follow", "--status", "404"], { env });
    await fetch(`${url}/no-such-route`);
    await run.waitFor(/\d\d:\d\d:\d\d {2}GET {2}\/no-such-route {2}404 {2}anonymous {2}Unknown route/);
    run.type("\u0003");
    expect(await run.ended).toBe(130);
  });

  it("shows what was asked for, without tokens, and goes on with new requests", { tags: ["slow"] }, async () => {
    const { variables: env, url } = await startHere();
    await fetch(`${url}/device/none?token=${env["IOT_TOKEN"]}`);
    await fetch(`${url}/status`);
    const rows = JSON.parse(await done(["sandbox", "logs", "--status", "4xx", "--json"], { env }));
    expect(rows).toMatchObject([{ method: "GET", url: "/device/none?token=***", status: 400, token: "profile" }]);
    expect(rows[0]).toHaveProperty("duration_ms", expect.any(Number));
    expect(await done(["sandbox", "logs", "--path", "/status", "-o", "csv"], { env })).toContain("/status");
    expect((await iot(["sandbox", "logs", "--status", "many"], { env })).code).toBe(2);

    const child = await startCli(["sandbox", "logs", "--follow", "--path", "/tags/*", "-o", "ndjson"], { env });
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    let n = 0;
    while (stdout === "" && n < 500) {
      n += 1;
      await fetch(`${url}/tags/keys/device`);
    }
    await waitFor(() => stdout.includes("\n"), "a line");
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
    expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({ url: "/tags/keys/device", status: 401 });
  });
});

describe("sandbox start --access", () => {
  it("binds every analysis by access rules, and says so", { tags: ["slow"] }, async () => {
    const told = await iot([
      ...["sandbox", "start", "--detach", "--port", "0", "--seed", "empty", "--json", "--ephemeral"],
      ...["--access", "enforced"],
    ]);
    expect(told.stderr).toContain("Access rules apply to portal users and every analysis.");
    const { url, tokens } = JSON.parse(told.stdout) as { url: string; tokens: { analysis: string } };
    const { status } = await fetch(`${url}/device`, { headers: { token: tokens.analysis } });
    expect(status).toBe(401);
    expect((await iot(["sandbox", "start", "--access", "some"])).code).toBe(2);
  });
});

describe("sandbox fault, clock and limits", () => {
  it("move a clock that runs", { tags: ["slow"] }, async () => {
    await start("--ephemeral");
    const before = Date.now();
    const moved = Date.parse((await done(["sandbox", "clock", "--advance", "1h", "-o", "id"])).trim());
    expect(moved - before).toBeGreaterThanOrEqual(3_600_000);
    const status = async () => JSON.parse(await done(["sandbox", "status", "--json"]))[0];
    expect(await status()).toMatchObject({
      ...{ strict: false, clock_offset_ms: 3_600_000 },
      started_at: expect.stringMatching(/^\d{4}-/),
    });
    expect((await iot(["sandbox", "clock", "--advance", "1h", "--reset"])).code).toBe(2);
    expect(JSON.parse(await done(["sandbox", "clock", "--reset", "--json"]))).toMatchObject({ offset_ms: 0 });
    expect(await status()).toMatchObject({ clock_offset_ms: 0 });
  });

  it("name the assumption of a request in the log, and reject it in strict mode", { tags: ["slow"] }, async () => {
    const { url } = await start("--ephemeral", "--strict");
    const reply = await fetch(`${url}/nowhere`);
    expect([reply.status, await reply.json()]).toEqual([
      501,
      {
        status: false,
        message: "Unknown platform behavior (strict mode): Unknown route. The sandbox assumes: 404 Route not found",
      },
    ]);
    const log = JSON.parse(await done(["sandbox", "logs", "--json"]));
    expect(log).toMatchObject([{ status: 501, gap: "Unknown route" }]);
    expect(JSON.parse(await done(["sandbox", "status", "--json"]))).toMatchObject([{ strict: true }]);
  });

  it("change a running sandbox", async () => {
    const { url } = await start("--ephemeral", "--clock", "2026-01-31T08:00:00Z", "--rate-limits", "--plan", "free");
    const status = async () => (await fetch(`${url}/status`)).status;
    expect(await done(["sandbox", "fault", "status=503 count=1 GET /status", "--json"])).toContain('"injected": 0');
    expect([await status(), await status()]).toEqual([503, 200]);
    expect(JSON.parse(await done(["sandbox", "fault", "--clear", "--json"]))).toEqual([]);
    expect(await done(["sandbox", "clock", "--advance", "90m", "-o", "id"])).toBe("2026-01-31T09:30:00.000Z\n");
    expect((await iot(["sandbox", "clock", "--set", "soon"])).code).toBe(2);
    expect((await iot(["sandbox", "limits"])).stderr).toContain("are on, plan: free");
    expect((await iot(["sandbox", "limits", "--off"])).stderr).toContain("are off");
  });
});

describe("sandbox gaps", () => {
  it("lists choices without a sandbox", async () => {
    const rows = JSON.parse(await done(["sandbox", "gaps", "--json"])) as { subject: string; choice: string }[];
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) {
      const scope = expect.stringMatching(/^(request|general)$/);
      expect(row).toEqual({ subject: expect.any(String), choice: expect.any(String), scope });
    }
    expect((await iot(["sandbox", "gaps", "--search", "zzz"])).stderr).toContain("No matching gaps");
  });
});
