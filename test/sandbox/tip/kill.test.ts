import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { SandboxTip } from "../../../src/sandbox/index.ts";
import { amount } from "../../helpers/amount.ts";
import { deviceId, serial, tcp } from "../../helpers/tip-sandbox.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { ok } from "../client.ts";
import { buildChild, type Child, type ChildProgram, startChild } from "../process.ts";

const ROUNDS = amount(2, 30);
const FRAMES = 300;

let program: ChildProgram;
let running: Child | undefined;
const dataDir = mkdtempSync(join(tmpdir(), "iot-tip-kill-"));

beforeAll(async () => {
  program = await buildChild();
});
afterEach(async () => {
  running?.process.kill("SIGKILL");
  await running?.ended;
});
afterAll(() => {
  program.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<{ readonly child: Child; readonly tip: SandboxTip }> {
  running = await startChild(program, { dataDir, tip: { lives: false } });
  const { tip } = running.ready;
  if (tip === undefined) throw new Error("The sandbox does not speak TagoTiP");
  return { child: running, tip };
}

it("loses no acknowledged frame when it is killed, and accepts no counter twice", {
  tags: ["slow", "posix"],
}, async () => {
  const acknowledged = new Set<number>();
  let seq = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { child, tip } = await start();
    const line = tcp(tip.tcp);
    const frame = (n: number): string => `PUSH|!${n}|${tip.hash}|${serial}|[load:=${n}]\n`;
    const first = seq + 1;
    seq += FRAMES;
    line.socket.write(Array.from({ length: FRAMES }, (_, index) => frame(first + index)).join(""));
    // In the middle of the work, wherever that is.
    await waitFor(() => line.received().length > 20 * (round + 1) ** 2, "the first responses");
    child.process.kill("SIGKILL");
    await child.ended;
    await line.closed();
    for (const [, counter] of line
      .received()
      .toString()
      .matchAll(/^ACK\|!(\d+)\|OK\|1$/gm))
      acknowledged.add(Number(counter));
  }
  const { child, tip } = await start();
  const rows = await ok<{ value: number }[]>(child.ready, "GET", `/device/${deviceId}/data?variables=load&qty=10000`, {
    token: child.ready.tokens.profile,
  });
  const stored = rows.map(({ value }) => value);
  expect(acknowledged.size).toBeGreaterThan(0);
  expect(new Set(stored).size).toBe(stored.length);
  expect([...acknowledged].filter((value) => !stored.includes(value))).toEqual([]);
  // What was stored has used its counter.
  const line = tcp(tip.tcp);
  const highest = Math.max(...stored);
  line.socket.write(`PUSH|!${highest}|${tip.hash}|${serial}|[load:=${highest}]\n`);
  expect(await line.lines(1)).toEqual([`ACK|!${highest}|ERR|invalid_seq`]);
});
