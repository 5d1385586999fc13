import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { holdTimers } from "../helpers/held-timers.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { type Answer, call, ok } from "./client.ts";

/** Of a statement. */
const LIMIT_MS = 5_000;
const posix = { tags: ["posix" as const] };

/** The processes that run statements for this one. */
const processes = (): number[] =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => parent === String(process.pid) && args.join(" ").includes("query-program.cjs"))
    .map(([pid]) => Number(pid));

/** Some devices, a statement over them that does not end, and one that does. */
async function prepared(): Promise<{
  readonly sandbox: Sandbox;
  endless(): Promise<Answer>;
  quick(): Promise<Answer>;
}> {
  const sandbox = await createSandbox({ seed: "empty" });
  const token = sandbox.tokens.profile;
  for (let at = 0; at < 20; at += 1) await ok(sandbox, "POST", "/device", { token, body: { name: `Device ${at}` } });
  const tables = Array.from({ length: 12 }, (_, at) => `devices() AS d${at}`).join(", ");
  const store = async (query: string) =>
    (await ok<{ id: string }>(sandbox, "POST", "/sql", { token, body: { name: "q", query } })).id;
  const endless = await store(`SELECT count(*) AS n FROM ${tables}`);
  const quick = await store("SELECT count(*) AS n FROM devices() AS d");
  const run = (id: string) => call(sandbox, "POST", `/sql/${id}/execute`, { token, body: {} });
  await run(quick);
  return { sandbox, endless: () => run(endless), quick: () => run(quick) };
}

it("a statement that runs too long is killed, and others are answered meanwhile and afterwards", posix, async () => {
  const { sandbox, endless, quick } = await prepared();
  const [warm] = processes();
  const time = holdTimers(LIMIT_MS);
  const running = endless();
  await waitFor(() => time.waiting === 1, "the statement to start");
  expect(processes()).toEqual([warm]);
  await ok(sandbox, "GET", "/status");
  const meanwhile = quick();
  expect(await meanwhile).toMatchObject({ status: 200, body: { result: { rows: [{ n: 20 }] } } });
  time.elapse();
  expect(await running).toMatchObject({ status: 400, body: { message: "The query ran longer than 5 seconds" } });
  expect(processes()).not.toContain(warm);
  expect(await quick()).toMatchObject({ status: 200 });
  await sandbox.close();
  expect(processes()).toEqual([]);
});

it("a process that is killed while it runs a statement is replaced", posix, async () => {
  const { sandbox, endless, quick } = await prepared();
  const time = holdTimers(LIMIT_MS);
  const running = endless();
  await waitFor(() => time.waiting === 1, "the statement to start");
  for (const pid of processes()) process.kill(pid, "SIGKILL");
  expect(await running).toMatchObject({
    status: 400,
    body: { message: "The process of SQL queries ended its process (SIGKILL)" },
  });
  expect(await quick()).toMatchObject({ status: 200, body: { result: { rows: [{ n: 20 }] } } });
  await sandbox.close();
});

it("more than two statements wait for their turn", posix, async () => {
  const { sandbox, endless, quick } = await prepared();
  const time = holdTimers(LIMIT_MS);
  const running = [endless(), endless()];
  await waitFor(() => time.waiting === 2, "both statements to start");
  const third = quick();
  await ok(sandbox, "GET", "/status");
  expect(processes()).toHaveLength(2);
  time.elapse();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([400, 400]);
  expect(await third).toMatchObject({ status: 200 });
  await sandbox.close();
});

it("a sandbox that is closed while a statement runs leaves no process", posix, async () => {
  const { sandbox, endless } = await prepared();
  const time = holdTimers(LIMIT_MS);
  const running = endless().catch(() => undefined);
  await waitFor(() => time.waiting === 1, "the statement to start");
  expect(processes()).toHaveLength(1);
  await sandbox.close();
  expect(processes()).toEqual([]);
  await running;
});

/** Starts the program with a statement that does not end, writes its number, and stays. */
const PARENT = `
const { spawn } = require("node:child_process");
const child = spawn(process.execPath, ["--expose-gc", process.argv[1]], { stdio: ["pipe", "pipe", "ignore"], detached: true });
child.stdout.once("data", () => {
  const columns = [{ name: "c0", type: "INTEGER", isJson: false }];
  const from = Array.from({ length: 40 }, (_, at) => "t0 AS s" + at).join(", ");
  child.stdin.write(JSON.stringify([{ name: "t0", columns }]) + "\\n0 [[1],[2],[3]]\\n");
  child.stdin.write(JSON.stringify({ sql: "SELECT count(*) FROM " + from, bound: [] }) + "\\n", () => console.log(child.pid));
});
setInterval(() => {}, 60000);
`;

it("a process whose sandbox was killed ends by itself, also in the middle of a statement", posix, async () => {
  const program = fileURLToPath(new URL("../../src/sandbox/sql/query-program.cjs", import.meta.url));
  const parent = spawn(process.execPath, ["-e", PARENT, program], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(String(line));
  expect(process.kill(pid, 0)).toBe(true);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  const isThere = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await waitFor(() => !isThere(), "the process to end");
});
