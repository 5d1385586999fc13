import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  eventStream,
  type FaultServer,
  ok,
  type Reaction,
  refuse,
  resetMidBody,
  silence,
  stall,
  startFaultServer,
} from "../../helpers/fault-server.ts";
import { HANG_MS } from "../../helpers/wait-for.ts";

const child = fileURLToPath(new URL("../../helpers/process-end-child.mjs", import.meta.url));
const library = new URL("../../../dist/index.js", import.meta.url);

const reactions: readonly [place: RegExp, reaction: Reaction][] = [
  [/\/refused/, refuse(404, "Device not found")],
  [/\/reset/, resetMidBody],
  [/\/silent/, silence],
  [/\/stall/, stall],
  [/\/broken/, refuse(500, "Internal Error")],
  [/channels=analysis_trigger/, refuse(401, "Authorization Denied")],
  [/channels=notification/, refuse(503, "Busy")],
  [/\/events/, eventStream(["data: a\n\n"])],
  [/./, ok({ id: "ok" })],
];

const scenarios = [
  "a call",
  "many calls at once",
  "a write",
  "a refused call",
  "a lost connection",
  "a timeout",
  "a stalled body",
  "a cancelled call",
  "a cancelled wait between attempts",
  "a cached call",
  "an event stream that was closed",
  "an event stream closed while it waits to connect",
  "an event stream that was refused",
];

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  /** What each scenario left that keeps the process alive, as JSON. */
  readonly stdout: string;
}

function run(server: FaultServer, transport: string): Promise<Ended> {
  const env = { ...process.env, IOT_TRANSPORT: transport };
  const proc = spawn(process.execPath, [child, library.href, server.url], { env });
  let stdout = "";
  let stderr = "";
  proc.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  proc.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  // A process that hangs must not hang the tests as well.
  const guard = setTimeout(() => proc.kill("SIGKILL"), HANG_MS);
  return new Promise((resolve, reject) => {
    proc.on("error", reject);
    proc.on("close", (code) => {
      clearTimeout(guard);
      resolve({ code, stderr, stdout });
    });
  });
}

describe("process ends by itself", () => {
  let server: FaultServer;

  beforeAll(async () => {
    server = await startFaultServer((exchange) => {
      const { path } = exchange.request;
      return (reactions.find(([place]) => place.test(path))?.[1] ?? silence)(exchange);
    });
    if (!existsSync(library)) throw new Error("dist/index.js is missing: build the library first (npm run build)");
  });

  afterAll(() => server.close());

  const TITLE = `after each of ${scenarios.length} scenarios over %s`;

  async function expectEnd(transport: string): Promise<void> {
    const { code, stderr, stdout } = await run(server, transport);
    const left: unknown = JSON.parse(stdout || "{}");
    const nothing = Object.fromEntries(scenarios.map((name) => [name, []]));
    expect({ code, stderr, left }).toEqual({ code: 0, stderr: "", left: nothing });
  }

  it.each(["http"])(TITLE, expectEnd);
  it.each(["undici", "fetch"])(TITLE, { tags: ["slow"] }, expectEnd);
});
