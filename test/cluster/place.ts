import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JobRow } from "../../src/commands/kit/jobs/queue/job-state.ts";
import { Device, Resources } from "../../src/index.ts";
import { type CliResult, cliEnvironment, cliPath, temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { type TestRedis, testRedis } from "./redis.ts";

/** The program in a process of its own. */
interface ProgramProcess {
  readonly child: ChildProcess;
  /** What it said. */
  said(): string;
  /** What it wrote to stdout. */
  printed(): string;
  /** The exit code, or 128 for a killed one. */
  readonly ended: Promise<number>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number>;
}

/** A sandbox with a fleet, and a queue. */
export interface ClusterPlace {
  readonly here: SandboxUnderTest;
  readonly redis: TestRedis;
  readonly env: Readonly<Record<string, string>>;
  readonly devices: readonly string[];
  readonly folder: string;
  /** Runs the program in this process. */
  iot(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CliResult>;
  /** Starts it in a process of its own. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<ProgramProcess>;
  worker(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<ProgramProcess>;
  /** The only job, as `iot job list` shows it. */
  job(): Promise<JobRow>;
  /** Waits until the only job is as it should be. */
  jobUntil(is: (job: JobRow) => boolean, what: string): Promise<JobRow>;
  close(): Promise<void>;
}

/** The range of all records, a day in November. */
const range = ["--from", "2026-11-01T00:00:00Z", "--to", "2026-11-01T23:59:59Z"];
export const RECORDS = 120;

/** Arguments of the export of the fleet to a folder. */
export const exportTo = (out: string, ...more: readonly string[]): string[] => [
  ...["device", "data", "export", "--tag", "site=plant", ...range, "--dataset", "--out", out, "--yes"],
  ...more,
];

export async function clusterPlace(
  size: number,
  redis?: TestRedis,
  sandbox: Parameters<typeof sandboxUnderTest>[0] = { seed: "empty" },
): Promise<ClusterPlace> {
  const queue = redis ?? (await testRedis());
  const here = await sandboxUnderTest(sandbox);
  const devices = await fillFleet(here, size);
  const env = { ...here.env, IOT_QUEUE: queue.url, IOT_CONFIG_DIR: temporaryFolder() };
  const running: ProgramProcess[] = [];
  const start: ClusterPlace["start"] = async (args, more = {}) => {
    const process = await startProgram(args, { ...env, ...more });
    running.push(process);
    return process;
  };
  const iot: ClusterPlace["iot"] = (args, more = {}) => here.iot(args, { env: { ...env, ...more } });
  const job = async (): Promise<JobRow> => {
    const [found] = await here.json<JobRow[]>(["job", "list"], { env });
    if (found === undefined) throw new Error("There is no job");
    return found;
  };
  return {
    here,
    redis: queue,
    env,
    devices,
    folder: temporaryFolder(),
    iot,
    start,
    async worker(args = [], more = {}) {
      const worker = await start(["worker", "-v", "--concurrency", "2", ...args], more);
      await waitFor(() => /Working for|^error:/m.test(worker.said()), "the worker");
      return worker;
    },
    job,
    async jobUntil(is, what) {
      let found: JobRow | undefined;
      await waitFor(
        async () => {
          found = await job().catch(() => undefined);
          return found !== undefined && is(found);
        },
        () => `${what}; the job is ${JSON.stringify(found)}`,
      );
      return found ?? job();
    },
    async close() {
      await Promise.all(running.map((process) => process.end("SIGKILL")));
      await here.close();
      await queue.close();
    },
  };
}

async function startProgram(args: readonly string[], env: Readonly<Record<string, string>>): Promise<ProgramProcess> {
  const child = spawn(process.execPath, [await cliPath(), ...args], {
    cwd: temporaryFolder(),
    env: cliEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").then(([code]) => (code as number | null) ?? 128);
  let [text, output] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  return {
    child,
    said: () => text,
    printed: () => output,
    ended,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

/** Devices at one site with records of one day, the first with some texts among them. */
async function fillFleet({ env }: SandboxUnderTest, size: number): Promise<string[]> {
  const region = { api: env["IOT_API_URL"] ?? "", sse: env["IOT_EVENTS_URL"] ?? "" };
  const resources = new Resources({ token: env["IOT_TOKEN"] ?? "", region });
  const startMs = Date.parse("2026-11-01T00:00:00Z");
  const ids: string[] = [];
  for (let n = 0; n < size; n += 1) {
    const tags = [{ key: "site", value: "plant" }];
    const settings = { name: `Pump ${n}`, type: "mutable", tags } as const;
    const { device_id: id, token } = await resources.devices.create({
      ...settings,
      connector: "65a1000000000000000c0001",
      network: "65a1000000000000000e0001",
    } as Parameters<Resources["devices"]["create"]>[0]);
    const records = Array.from({ length: RECORDS }, (_, at) => ({
      variable: at % 3 === 0 ? "state" : "pressure",
      value: at % 3 === 0 ? 'said "stop"' : n + at / 10,
      time: new Date(startMs + at * 600_000),
    }));
    await new Device({ token, region }).sendData(records);
    ids.push(id);
  }
  return ids;
}

/** All files of a folder by their path, as text. */
export function filesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "latin1")]));
}

/** Every record of the fleet is in the files once. */
export function expectWhole(out: string, devices: number): void {
  const files = Object.entries(filesOf(out)).filter(([file]) => file.endsWith(".ndjson"));
  const ids = files.flatMap(([, text]) =>
    text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id),
  );
  expect(files).toHaveLength(devices);
  expect(ids).toHaveLength(devices * RECORDS);
  expect(new Set(ids).size).toBe(devices * RECORDS);
}
