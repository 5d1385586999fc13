import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { amount } from "../../helpers/amount.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { call, ok } from "../client.ts";
import { buildChild, type Child, type ChildProgram, startChild } from "../process.ts";
import { brokenFrame, createDice, type Dice, type Material, malformedRequest } from "./requests.ts";
import { openPipeline, sendAlone } from "./wire.ts";

const SEED = Number(process.env["IOT_MALFORMED_SEED"] ?? 20_261_120);
const REQUESTS = amount(4_000, 49_000);
const FRAMES = 1_000;
const CONNECTIONS = 6;
/** Requests under way on each connection. */
const AHEAD = 12;
/** Rounds between which everything is put back, so that what was deleted is there again. */
const ROUNDS = amount(1, 2);
/** Streams without end, what would put everything back or write whole copies of it, and the end of the account. */
const APART = /^[A-Z]+ (\/events|\/__sandbox\/(reset|export|import|snapshots|stream).*)$|^DELETE \/account$/;

let program: ChildProgram;
let child: Child;
let port: number;

beforeAll(async () => {
  program = await buildChild();
  child = await startChild(program, { seed: 1 });
  port = Number(new URL(child.ready.url).port);
});
afterAll(async () => {
  child.process.kill("SIGKILL");
  await child.ended;
  program.remove();
});

/** Descriptors the process has open; none are counted where the system does not tell. */
function openHandles(): number {
  if (process.platform !== "linux") return 0;
  return readdirSync(`/proc/${child.process.pid}/fd`).length;
}

async function idsOf(path: string): Promise<string[]> {
  const answer = await call(child.ready, "GET", path, { token: child.ready.tokens.profile });
  const rows = Array.isArray(answer.body.result) ? answer.body.result : [];
  return rows.flatMap((row: unknown) =>
    typeof row === "object" && row !== null && "id" in row && typeof row.id === "string" ? [row.id] : [],
  );
}

async function gather(): Promise<Material> {
  const { profile, device, analysis, read, write } = child.ready.tokens;
  const lists = ["/device", "/dashboard", "/analysis", "/action", "/entity", "/dictionary", "/run/users", "/am"];
  const found = await Promise.all([...lists, "/integration/network", "/integration/connector", "/secrets"].map(idsOf));
  const ids = [...found.flat(), child.ready.profileId, "current", "test.txt", "TEST", "en-US"];
  expect(ids.length).toBeGreaterThan(15);
  const routes = child.ready.routes.filter(({ method, path }) => !APART.test(`${method} ${path}`));
  const tokens = [...Array<string>(8).fill(profile), device, device, analysis, read, write];
  return { routes, tokens, inspection: child.ready.inspectionHeaders.authorization, ids };
}

/** What is wrong with an answer, if anything. */
function fault(status: number, headers: string, body: string): string | undefined {
  if (!(status >= 200 && status < 500)) return `status ${status}: ${body.slice(0, 300)}`;
  if (status === 204 || status === 304 || !/^content-type: application\/json/im.test(headers)) return undefined;
  if (status === 200 && body.startsWith('{"openapi":')) return undefined;
  if (!body.startsWith('{"status":')) return `no envelope: ${body.slice(0, 100)}`;
  if (body.startsWith('{"status":true') !== status < 400) return `status ${status} with ${body.slice(0, 100)}`;
  return undefined;
}

async function flood(material: Material, dice: Dice, count: number): Promise<{ faults: string[]; statuses: number[] }> {
  const faults: string[] = [];
  const statuses: number[] = [];
  let left = count;
  const work = async (pipeline: ReturnType<typeof openPipeline>): Promise<void> => {
    while (left > 0 && faults.length < 40) {
      left -= 1;
      const { line, bytes } = malformedRequest(dice, material);
      try {
        const { status, headers, body } = await pipeline.send(bytes);
        statuses.push(status);
        const wrong = fault(status, headers, body);
        if (wrong !== undefined) faults.push(`${line}\n    ${wrong}`);
      } catch (error) {
        faults.push(`${line}\n    ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  const pipelines = Array.from({ length: CONNECTIONS }, () => openPipeline(port));
  await Promise.all(pipelines.flatMap((pipeline) => Array.from({ length: AHEAD }, () => work(pipeline))));
  for (const pipeline of pipelines) pipeline.end();
  return { faults, statuses };
}

describe("malformed requests", { tags: ["posix"] }, () => {
  async function expectAnswered(requests: number, rounds: number): Promise<void> {
    const dice = createDice(SEED);
    const material = await gather();
    const before = openHandles();
    const faults: string[] = [];
    const statuses: number[] = [];
    for (let round = 0; round < rounds && faults.length === 0; round += 1) {
      const seen = await flood(material, dice, Math.ceil(requests / rounds));
      faults.push(...seen.faults);
      statuses.push(...seen.statuses);
      if (round < rounds - 1) expect((await call(child.ready, "POST", "/__sandbox/reset")).status).toBe(200);
    }
    expect(faults, faults.join("\n")).toEqual([]);
    expect(statuses.length).toBeGreaterThanOrEqual(requests);
    // Most get past the door, some all the way: a run that only sees 401 has found nothing out.
    const share = (low: number, high: number) =>
      statuses.filter((status) => status >= low && status < high).length / statuses.length;
    expect(share(401, 402)).toBeLessThan(0.6);
    expect(share(200, 300)).toBeGreaterThan(0.05);
    expect(child.complaints()).not.toContain("Defect");
    await waitFor(() => openHandles() <= before + 2, "the connections to be gone");
  }

  it("are answered with a refusal or a result, never with 5xx", () => expectAnswered(500, 1));

  it("are answered with a refusal or a result, never with 5xx, by every route", {
    tags: ["slow"],
    timeout: 240_000,
  }, async () => {
    expect((await call(child.ready, "POST", "/__sandbox/reset")).status).toBe(200);
    await expectAnswered(REQUESTS, ROUNDS);
  });

  it("that are not even HTTP, or stop in the middle, leave nothing behind", {
    tags: ["slow"],
    timeout: 120_000,
  }, async () => {
    const dice = createDice(SEED + 1);
    const material = await gather();
    const before = openHandles();
    let left = FRAMES;
    const wrong: string[] = [];
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const bytes = brokenFrame(dice, material);
        const cut = dice.below(bytes.length);
        const pieces = dice.chance(0.3) ? [bytes.subarray(0, cut), bytes.subarray(cut)] : [bytes];
        const text = await sendAlone(port, pieces, 60);
        for (const [, status] of text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) {
          if (Number(status) >= 500) wrong.push(`${bytes.toString("latin1", 0, 200)} -> ${status}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 32 }, work));
    expect(wrong).toEqual([]);
    await waitFor(() => openHandles() <= before + 2, "the connections to be gone");
    expect(await ok(child.ready, "GET", "/status")).toBeDefined();
  });

  it("on routes that copy or replace everything are refused", async () => {
    const before = await idsOf("/device");
    for (const [method, path] of [
      ["POST", "snapshots"],
      ["POST", "snapshots/none/restore"],
      ["POST", "snapshots/..%2f..%2fetc/restore"],
      ["DELETE", "snapshots/%2e%2e"],
      ["POST", "import"],
      ["PUT", "clock"],
      ["PUT", "faults"],
      ["PUT", "limits"],
    ] as const) {
      for (const raw of ["{", "[[[", '{"name":7}', '{"name":"../x"}', "\u0000\u0001", "7", '"x"']) {
        const answer = await call(child.ready, method, `/__sandbox/${path}`, { raw });
        expect(answer.status, `${method} ${path} ${raw}`).toBeGreaterThanOrEqual(400);
        expect(answer.status, `${method} ${path} ${raw}`).toBeLessThan(500);
      }
    }
    expect(await idsOf("/device")).toEqual(before);
  });

  it("leave a process that ends by itself, with nothing to complain about", async () => {
    child.process.kill("SIGTERM");
    expect(await child.ended).toBe(0);
    expect(child.complaints()).toBe("");
  });
});
