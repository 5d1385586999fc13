import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive } from "../../src/commands/kit/process/alive.ts";
import { checkFaults, parseFault } from "../../src/commands/sandbox/faults.ts";
import { logTo } from "../../src/commands/sandbox/options.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { type CliOptions, type CliResult, runCli, startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { waitFor } from "../helpers/wait-for.ts";

let config: string;
beforeEach(() => {
  config = temporaryFolder();
});
afterEach(async () => {
  await iot(["sandbox", "stop", "--all"]);
});

const iot = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  inProcess(args)(args, { ...options, env: { IOT_CONFIG_DIR: config, ...options.env } });

/** What starts a sandbox, or a program beside one, is a process of its own. */
const inProcess = ([, verb]: readonly string[]) => (verb === "start" || verb === "exec" ? runCli : runHere);

interface Running {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  readonly variables: Record<string, string>;
}

async function startDetached(...flags: string[]): Promise<Running> {
  const { code, stdout, stderr } = await iot(["sandbox", "start", "--detach", "--port", "0", "--json", ...flags]);
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Running;
}

describe("sandbox start", () => {
  it("prints lines a shell can run, and stays until it is stopped", { tags: ["posix"] }, async () => {
    const child = await startCli(["sandbox", "start", "--port", "0", "--ephemeral", "--seed", "empty"], {
      env: { IOT_CONFIG_DIR: config },
    });
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await waitFor(() => stdout.includes("T_ANALYSIS_TOKEN="), "the variables");
    for (const line of stdout.trimEnd().split("\n")) expect(line).toMatch(/^(# .*|export [A-Z_]+=\S+)$/);
    const url = /^export IOT_API_URL=(.*)$/m.exec(stdout)?.[1] ?? "";
    expect((await fetch(`${url}/status`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
    await expect(fetch(`${url}/status`)).rejects.toThrow();
    expect((await iot(["sandbox", "status"])).stderr).toContain("No sandbox is running");
  });

  it("runs in the background, keeps its data over a restart, and ends on stop", {
    tags: ["slow", "posix"],
  }, async () => {
    const dataDir = join(config, "plant");
    const first = await startDetached("--data-dir", dataDir, "--seed", "empty");
    const env = first.variables;
    expect((await iot(["device", "create", "--name", "Kept", "-o", "id"], { env })).code).toBe(0);
    const state = join(config, "state", "sandbox", `running-${first.port}.json`);
    expect(statSync(state).mode & 0o777).toBe(0o600);
    const { stdout: status } = await iot(["sandbox", "status", "--json"]);
    expect(status).toContain('"state": "running"');
    expect(status).not.toContain(env["IOT_TOKEN"]);
    expect((await iot(["sandbox", "stop"])).code).toBe(0);
    expect(existsSync(state)).toBe(false);
    expect(isAlive(first.pid)).toBe(false);

    const second = await startDetached("--data-dir", dataDir, "--seed", "empty");
    expect((await iot(["device", "get", "name:Kept"], { env: second.variables })).code).toBe(0);
  });

  it("is the current environment with --use, and prints tokens with --reveal only", { tags: ["slow"] }, async () => {
    const start = (...flags: string[]) =>
      iot(["sandbox", "start", "--use", "--port", "0", "--ephemeral", "--seed", "empty", ...flags]);
    const first = await start();
    expect({ code: first.code, stdout: first.stdout }).toEqual({ code: 0, stdout: "" });
    expect(first.stderr).toMatch(/^info: sandbox .* runs at .*\nhint: Try: iot device list\n$/);
    expect((await iot(["device", "create", "--name", "Kept", "-o", "id"])).code).toBe(0);
    // The second takes the place of the first, with a token of its own.
    const { stdout } = await start("--json");
    expect(stdout).not.toMatch(/p-[0-9a-f]{8}/);
    const { url } = JSON.parse(stdout) as Running;
    expect((await iot(["env", "current", "--fields", "name,api", "-o", "tsv"])).stdout).toContain(`sandbox\t${url}`);
    expect((await iot(["device", "get", "name:Kept"])).code).toBe(6);
    const page = await iot(["sandbox", "open"]);
    expect({ code: page.code, isItsPage: page.stdout.startsWith(url) }).toEqual({ code: 0, isItsPage: true });
    const stop = await iot(["sandbox", "stop", "--all"]);
    expect(stop.stderr).toContain("sandbox is still the current environment");
    expect((await start("--reveal")).stdout).toMatch(/^export IOT_TOKEN=p-/m);
  });

  it("is used by a second start --use on its folder, unless that asks for something else", {
    tags: ["slow"],
  }, async () => {
    const start = (...flags: string[]) => iot(["sandbox", "start", "--use", "--data-dir", "kept", ...flags]);
    const first = JSON.parse((await start("--port", "0", "--seed", "empty", "--json")).stdout) as Running;
    await iot(["env", "add", "other", "--api-url", "http://127.0.0.1:9", "--use"]);
    const second = await start("--json");
    expect(JSON.parse(second.stdout)).toMatchObject({ url: first.url, pid: first.pid });
    expect((await iot(["env", "current", "--fields", "name,api", "-o", "tsv"])).stdout).toContain(first.url);
    const other = await start("--rate", "1/s");
    expect({ code: other.code, stderr: other.stderr }).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/in use/),
    });
  });

  it("leaves an environment called sandbox alone that is not on this machine", async () => {
    expect((await iot(["env", "add", "sandbox", "--api-url", "https://api.example.test"])).code).toBe(0);
    const { code, stderr } = await iot(["sandbox", "start", "--use", "--port", "0"]);
    expect(code).toBe(7);
    expect(stderr).toContain("It points to https://api.example.test, which is not on this machine.");
    expect((await iot(["sandbox", "status"])).stderr).toContain("No sandbox is running");
  });

  it("lets in the web pages that --allow-origin names, also in the background, and no others", {
    tags: ["slow"],
  }, async () => {
    const named = ["http://localhost:3000", "https://app.example.test"];
    const flags = named.flatMap((origin) => ["--allow-origin", origin]);
    const { url } = await startDetached("--ephemeral", "--seed", "empty", ...flags);
    const statusFor = async (origin: string) => (await fetch(`${url}/status`, { headers: { origin } })).status;
    expect(await Promise.all([...named, "http://localhost:3001"].map(statusFor))).toEqual([200, 200, 403]);
  });

  it("prints how to log in, and publishes neither token nor password", { tags: ["slow", "posix"] }, async () => {
    const child = await startCli(["sandbox", "start", "--port", "0", "--ephemeral"], {
      env: { IOT_CONFIG_DIR: config },
    });
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    await waitFor(() => stdout.includes("IOT_SANDBOX_SECRET="), "the variables");
    const line = (start: string): string => stdout.split("\n").find((each) => each.startsWith(`# ${start}`)) ?? "";
    expect(line("analysis token:")).toContain("alert");
    expect(line("portal user:")).toContain("operator@example.test");
    expect(line("try:")).toContain("iot device list");
    const [, words = ""] = /^# log in: +iot (.+)$/.exec(line("log in:")) ?? [];
    const [, email = "", password = ""] = /--email (\S+) \(password (\S+)\)$/m.exec(stdout) ?? [];
    for (const published of ["5eed0000-0000", "5eed0003-0000", "demo-password", "operator-password"]) {
      expect(stdout).not.toContain(published);
    }
    expect((await iot(words.split(" "))).code).toBe(0);
    const flags = ["--env", "local", "--email", email, "--profile", "Demo Plant", "--password-stdin"];
    const login = await iot(["auth", "login", ...flags], { stdin: password });
    expect({ code: login.code, stderr: login.code === 0 ? "" : login.stderr }).toEqual({ code: 0, stderr: "" });
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("close", resolve));
  });

  it("has the published tokens with --demo-tokens only", { tags: ["slow"] }, async () => {
    const token = "p-5eed0000-0000-4000-8000-0000000001";
    const flags = ["--ephemeral", "--seed", "empty"];
    const [own, demo] = await Promise.all([startDetached(...flags), startDetached(...flags, "--demo-tokens")]);
    expect((await fetch(`${own.url}/info`, { headers: { token } })).status).toBe(401);
    expect(demo.variables["IOT_TOKEN"]).toBe(token);
    expect((await fetch(`${demo.url}/info`, { headers: { token } })).status).toBe(200);
  });

  it("refuses the published tokens where other machines reach it", async () => {
    const { code, stderr } = await iot(["sandbox", "start", "--detach", "--host", "0.0.0.0", "--demo-tokens"]);
    expect({ code, hasReason: stderr.includes("other machines can reach this address") }).toEqual({
      code: 2,
      hasReason: true,
    });
  });

  it("says whether analyses run as programs, and runs none with --no-scripts", { tags: ["slow"] }, async () => {
    const flags = ["sandbox", "start", "--detach", "--port", "0", "--ephemeral", "--seed", "empty"];
    const [usual, without] = await Promise.all([iot(flags), iot([...flags, "--no-scripts", "--json"])]);
    expect(usual.stderr).toContain("Analyses run as processes of your user; use --no-scripts to disable this.");
    expect(without.stderr).toContain("Uploaded analyses do not run");
    const { variables: env } = JSON.parse(without.stdout) as Running;
    const made = await iot(["analysis", "create", "--name", "Native", "-o", "id"], { env });
    const run = await iot(["analysis", "run", made.stdout.trim()], { env });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("This sandbox runs no scripts");
  });

  it("runs no analyses where other machines reach it, unless --scripts is given", { tags: ["slow"] }, async () => {
    const flags = ["sandbox", "start", "--detach", "--port", "0", "--ephemeral", "--seed", "empty"];
    const remote = [...flags, "--host", "0.0.0.0"];
    const [without, allowed] = await Promise.all([iot(remote), iot([...remote, "--scripts"])]);
    expect(without.stderr).toContain("Uploaded analyses do not run; use --scripts to enable them.");
    expect(allowed.stderr).toContain("Analyses run as processes of your user");
  });

  it("says that a port or a folder is in use, with exit 7", { tags: ["slow"] }, async () => {
    const dataDir = join(config, "plant");
    const other = await createSandbox({ seed: "empty", dataDir });
    const port = String(other.port);
    const start = ["sandbox", "start", "--port", port, "--ephemeral", "--seed", "empty"];
    const samePort = await runHere(start, { env: { IOT_CONFIG_DIR: config } });
    const sameFolder = await iot(["sandbox", "start", "--detach", "--port", "0", "--data-dir", dataDir]);
    await other.close();
    expect(samePort).toMatchObject({ code: 7, stderr: expect.stringContaining(`Port ${port} is in use`) });
    const why = expect.stringMatching(/^error: .*\n {2}why: .*\n {2}next: .*\n$/);
    expect(sameFolder).toMatchObject({ code: 7, stderr: why });
  });

  it("refuses flags it cannot read before anything starts", async () => {
    for (const flags of [
      ["--port", "99999"],
      ["--seed", "lots"],
      ["--clock", "yesterday"],
      ["--fault", "sometimes"],
      ["--fault", "cut GET /device"],
      ["--allow-origin", "localhost:3000"],
      ["--allow-origin", "*"],
    ]) {
      const { code } = await runHere(["sandbox", "start", ...flags], { env: { IOT_CONFIG_DIR: config } });
      expect(code, flags.join(" ")).toBe(2);
    }
  });
});

describe("sandbox stop, status, reset and seed", () => {
  it("asks which one when several run, and stops all with --all", { tags: ["slow"] }, async () => {
    const start = () => startDetached("--ephemeral", "--seed", "empty");
    const ports = (await Promise.all([start(), start()])).map(({ port }) => port);
    const { code, stderr } = await iot(["sandbox", "stop"]);
    expect(code).toBe(2);
    for (const port of ports) expect(stderr).toContain(String(port));
    expect((await iot(["sandbox", "stop", "--all"])).code).toBe(0);
    expect((await iot(["sandbox", "stop"])).code).toBe(6);
  });

  it("leaves a process alone that only has the id of a sandbox", { tags: ["slow"] }, async () => {
    const { port } = await startDetached("--ephemeral", "--seed", "empty");
    const folder = join(config, "state", "sandbox");
    const other = {
      pid: process.pid,
      url: "http://127.0.0.1:9",
      port: 9,
      startedAt: "",
      tokens: { profile: "", device: "", analysis: "" },
    };
    writeFileSync(join(folder, "running-9.json"), JSON.stringify(other));
    const { code, stderr } = await iot(["sandbox", "stop", "--port", "9"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("it was not stopped") });
    expect(readdirSync(folder).filter((name) => name.startsWith("running-"))).toEqual([`running-${port}.json`]);
  });

  it("puts a running one back to its first state after a yes", async () => {
    const { variables: env } = await startDetached("--ephemeral", "--seed", "empty");
    expect((await iot(["device", "create", "--name", "Forgotten"], { env })).code).toBe(0);
    expect((await iot(["sandbox", "reset"])).code).toBe(2);
    expect((await iot(["sandbox", "reset", "--yes"])).code).toBe(0);
    expect((await iot(["device", "get", "name:Forgotten"], { env })).code).toBe(6);
  });

  it("fills a folder without a server", { tags: ["slow"] }, async () => {
    const dataDir = join(config, "bare");
    expect((await iot(["sandbox", "seed", "--data-dir", dataDir, "--seed", "empty"])).stdout).toBe(`${dataDir}\n`);
    const { variables: env } = await startDetached("--data-dir", dataDir);
    expect((await iot(["device", "list"], { env })).stderr).toContain("No devices match");
  });
});

describe("what a sandbox says of itself", () => {
  it("commands no terminal, whatever an action or a device is named", () => {
    let said = "";
    const io = {
      writeError(text: string) {
        said += text;
      },
    };
    logTo(io)("The action \u001b]0;own\u0007 failed");
    expect(said).toBe("The action ␛]0;own␇ failed\n");
  });
});

describe("sandbox open", () => {
  it("prints an address that lets one browser in, once, and holds no token", async () => {
    const { variables, url } = await startDetached("--ephemeral", "--seed", "empty");
    const { code, stdout } = await iot(["sandbox", "open"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\S+\/__sandbox\/open#\S{32}\n$/)]);
    for (const value of [variables["IOT_TOKEN"], variables["IOT_SANDBOX_SECRET"]]) expect(stdout).not.toContain(value);
    const headers = { authorization: `Bearer ${new URL(stdout.trim()).hash.slice(1)}` };
    const enter = () => fetch(`${url}/__sandbox/enter`, { method: "POST", headers });
    const entered = await enter();
    const { key } = ((await entered.json()) as { readonly result: { readonly key: string } }).result;
    expect([entered.status, entered.headers.get("set-cookie")]).toEqual([200, null]);
    expect((await enter()).status).toBe(401);
    const session = { headers: { authorization: `Bearer ${key}` } };
    expect((await fetch(`${url}/__sandbox/session`, session)).status).toBe(200);
    expect((await fetch(`${url}/__sandbox/session`)).status).toBe(401);
  });
});

describe("sandbox exec", () => {
  it("gives the command tokens that nobody else knows, and the secret of the inspection routes", {
    tags: ["slow"],
  }, async () => {
    const script = `
      const { IOT_TOKEN, IOT_API_URL, IOT_SANDBOX_SECRET, IOT_SANDBOX_ANALYSIS_TOKEN } = process.env;
      const status = async (path, headers) => (await fetch(IOT_API_URL + path, { headers })).status;
      const tokens = [IOT_TOKEN, IOT_SANDBOX_ANALYSIS_TOKEN, "p-5eed0000-0000-4000-8000-0000000001"];
      const all = [];
      for (const token of tokens) all.push(await status("/info", { token }));
      all.push(await status("/__sandbox/outbox", {}));
      all.push(await status("/__sandbox/outbox", { authorization: "Bearer " + IOT_SANDBOX_SECRET }));
      console.log(all.join(" "));`;
    const { stdout } = await iot(["sandbox", "exec", "--seed", "empty", "--", "node", "-e", script]);
    expect(stdout).toBe("200 200 401 401 200\n");
  });

  it("sets the variables and puts this program on the path", { tags: ["posix"] }, async () => {
    const script =
      'iot device list --json && echo "$IOT_API_URL $TAGOIO_API $TAGOIO_SSE $IOT_EVENTS_URL $T_ANALYSIS_TOKEN"';
    const { code, stdout } = await iot(["sandbox", "exec", "--seed", "empty", "--", "sh", "-c", script], {
      env: { IOT_ENV: "elsewhere" },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\[\]\n(http:\/\/127\.0\.0\.1:\d+) \1 \1\/events \1\/events a-\S+\n$/);
  });

  const reached = `
    const { TAGOIO_API, TAGOIO_SSE, T_ANALYSIS_TOKEN: token, IOT_SANDBOX_DEVICE_TOKEN: device } = process.env;
    const headers = { token, "content-type": "application/json" };
    const body = JSON.stringify({ to: "a@example.test", subject: "s", message: "m" });
    const all = [
      fetch(TAGOIO_API + "/device", { headers }),
      fetch(TAGOIO_API + "/analysis/services/email/send", { method: "POST", headers, body }),
      fetch(TAGOIO_SSE + "?channels=analysis_trigger&token=" + token),
      ...(device ? [fetch(TAGOIO_API + "/info", { headers: { token: device } })] : []),
    ];
    Promise.all(all).then((replies) => {
      console.log(replies.map(({ status }) => status).join(" "));
      process.exit();
    });`;

  it("sets the token of an external analysis, which reaches devices and services", { tags: ["slow"] }, async () => {
    const { stdout } = await iot(["sandbox", "exec", "--seed", "empty", "--", "node", "-e", reached]);
    expect(stdout).toBe("200 200 200\n");
  });

  it("sets it in the demo account too, and the token of a device", { tags: ["slow"] }, async () => {
    const { stdout } = await iot(["sandbox", "exec", "--", "node", "-e", reached]);
    expect(stdout).toBe("200 200 200 200\n");
  });

  const about = async (...flags: string[]): Promise<void> => {
    const script = "iot device list -o id && iot sandbox logs -o ndjson && iot sandbox reset --yes";
    const line = ["sandbox", "exec", "--seed", "empty", ...flags, "--", "sh", "-c", script];
    expect(await iot(line)).toEqual({
      code: 0,
      stdout: expect.stringContaining('"url":"/device?'),
      stderr: expect.stringContaining("Reset the sandbox at http"),
    });
  };

  it("is the sandbox that commands inside are about", { tags: ["slow", "posix"] }, () => about());

  it("is it with --tls", { tags: ["slow", "posix"] }, () => about("--tls"));

  it("ends with the command's own code, 128 and the number for a signal", { tags: ["slow", "posix"] }, async () => {
    expect((await iot(["sandbox", "exec", "--seed", "empty", "--", "sh", "-c", "exit 37"])).code).toBe(37);
    expect((await iot(["sandbox", "exec", "--seed", "empty", "--", "sh", "-c", "kill -9 $$"])).code).toBe(137);
  });

  it("passes flags after -- on untouched", { tags: ["slow"] }, async () => {
    const { stdout } = await iot([
      "sandbox",
      "exec",
      "--seed",
      "empty",
      "--",
      "echo",
      "--json",
      "-o",
      "table",
      "--help",
    ]);
    expect(stdout).toBe("--json -o table --help\n");
  });

  it("ends with 2 for a command that is not there, and for none", { tags: ["slow"] }, async () => {
    expect((await iot(["sandbox", "exec", "--seed", "empty", "--", "no-such-command-here"])).code).toBe(2);
    expect((await iot(["sandbox", "exec"])).code).toBe(2);
  });

  it("hands a termination signal on to the command, and stops the sandbox", { tags: ["slow", "posix"] }, async () => {
    const marker = join(config, "told");
    const script = `trap 'echo yes > "${marker}"; exit 5' TERM; echo "$IOT_API_URL"; while :; do sleep 0.05; done`;
    const child = await startCli(["sandbox", "exec", "--seed", "empty", "--", "sh", "-c", script], {
      env: { IOT_CONFIG_DIR: config },
    });
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await waitFor(() => stdout.includes("\n"), "the address");
    child.kill("SIGTERM");
    expect(await ended).toBe(5);
    expect(readFileSync(marker, "utf8")).toBe("yes\n");
    await expect(fetch(stdout.trim())).rejects.toThrow();
  });

  it("makes trouble on demand", { tags: ["slow"] }, async () => {
    const { code, stderr } = await iot([
      "sandbox",
      "exec",
      "--seed",
      "empty",
      "--fault",
      "status=503 GET /device",
      "--",
      "iot",
      "device",
      "list",
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain("503");
  });
});

describe("parseFault", () => {
  it("reads kind, number, share, wait and route in any order", () => {
    expect(parseFault("status=503 count=2 retry-after=1 GET /device*")).toEqual({
      kind: "status",
      status: 503,
      count: 2,
      retryAfterSeconds: 1,
      route: "GET /device*",
    });
    expect(parseFault("POST /data latency=2s rate=0.5")).toEqual({
      kind: "latency",
      delayMs: 2_000,
      rate: 0.5,
      route: "POST /data",
    });
    expect(parseFault("drop")).toEqual({ kind: "drop" });
    expect(parseFault("latency=100ms-400ms")).toEqual({ kind: "latency", delayMs: 100, jitterMs: 300 });
  });

  it("reads rules for the event stream", () => {
    expect(parseFault("cut after=3 GET /events")).toEqual({ kind: "cut", after: 3, route: "GET /events" });
    expect(parseFault("stall after=10s for=500 channel=device_data.*")).toEqual({
      kind: "stall",
      afterMs: 10_000,
      forMs: 500,
      channel: "device_data.*",
    });
    expect(parseFault("duplicate rate=0.1")).toEqual({ kind: "duplicate", rate: 0.1 });
    expect(parseFault("delay=50-60 count=1")).toEqual({ kind: "delay", delayMs: 50, jitterMs: 10, count: 1 });
  });

  it.each([
    "cut GET /device",
    "status=503 for=2s",
    "duplicate after=3",
    "cut=3",
    "cut after",
    "cut after=soon",
    "latency=2s-1s",
    "latency=100s-200s",
    "status=200",
  ])("refuses %j, which makes no sense", async (text) => {
    await expect(checkFaults([text])).rejects.toThrow(/^Invalid --fault /);
  });

  it.each(["", "GET /device", "status=503 drop", "status=many", "after status=500 POST /device", "drop every POST /x"])(
    "refuses %j",
    (text) => {
      expect(() => parseFault(text)).toThrow(/^Invalid --fault /);
    },
  );
});
