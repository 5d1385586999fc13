import { join } from "node:path";
import { expect, it } from "vitest";
import { isFull } from "../helpers/amount.ts";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { SMALL, THOUSAND, writeProfileFolder } from "../helpers/profile-folder.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_TOKENS } from "../helpers/seed.ts";
import { waitFor } from "../helpers/wait-for.ts";

const size = isFull ? THOUSAND : SMALL;
const manyKills = isFull ? 20 : 3;
const limitMs = isFull ? 600_000 : 60_000;

const cwd = temporaryFolder();
const count = writeProfileFolder(join(cwd, "dev"), size);

/** A sandbox of its own, and the program pointed at its profile that has nothing. */
async function emptyProfile() {
  const here = await sandboxUnderTest();
  const env = { ...here.env, IOT_TOKEN: SEED_TOKENS.empty };
  const iot = (...args: string[]) => here.iot(args, { env, cwd });
  const { writes, stop } = countWrites(here);
  const close = (): Promise<void> => {
    stop();
    return here.close();
  };
  return { env, iot, writes, close };
}

/** Counts the requests that change something. The sandbox remembers a thousand requests, so they are looked at in time. */
function countWrites({ sandbox }: SandboxUnderTest) {
  const changing = new Set<number>();
  const look = (): void => {
    for (const { n, method } of sandbox.requestLog()) {
      if (method !== "GET") changing.add(n);
    }
  };
  const timer = setInterval(look, 20);
  const writes = (): number => {
    look();
    return changing.size;
  };
  return { writes, stop: () => clearInterval(timer) };
}

const apply = ["profile", "apply", "dev"] as const;

interface Row {
  readonly kind: string;
  readonly change: string;
}

/** What differs from the files: nothing, when each resource is there once and as it should be. */
async function differencesOf(iot: (...args: string[]) => Promise<{ readonly stdout: string }>): Promise<Row[]> {
  const { stdout } = await iot("profile", "diff", "dev", "--exclude", "portal", "--json");
  return JSON.parse(stdout) as Row[];
}

/** An apply that nothing disturbs, and one after it. Resolves to the number of requests that changed something. */
async function wholeRun(): Promise<number> {
  const { iot, writes, close } = await emptyProfile();
  expect(await iot(...apply, "--yes")).toMatchObject({ code: 0 });
  const made = writes();
  expect(made).toBeGreaterThan(count);
  expect(await iot(...apply, "--yes")).toMatchObject({ code: 0 });
  expect(writes() - made).toBe(0);
  expect(await differencesOf(iot)).toEqual([]);
  await close();
  return made;
}

/** Kills applies at random moments, and brings each to its end. */
async function killed(kills: number): Promise<void> {
  const writes = await wholeRun();
  for (let kill = 0; kill < kills; kill += 1) {
    const { env, iot, writes: sent, close } = await emptyProfile();
    const moment = 1 + Math.floor(Math.random() * (writes - 1));
    const child = await startCli([...apply, "--yes"], { env, cwd });
    child.stdout?.resume();
    child.stderr?.resume();
    const ended = new Promise((resolve) => child.once("close", resolve));
    await waitFor(() => sent() >= moment || child.exitCode !== null, `${moment} writes`);
    child.kill("SIGKILL");
    await ended;
    const resumed = await iot(...apply, "--resume");
    // Near its end, the program may have been faster than the signal.
    const isOver = resumed.code === 2 && resumed.stderr.includes("no interrupted apply");
    const { code, stderr } = isOver ? await iot(...apply, "--yes") : resumed;
    expect({ code, moment, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, moment, stderr: "" });
    expect({ moment, differences: await differencesOf(iot) }).toEqual({ moment, differences: [] });
    const before = sent();
    await iot(...apply, "--yes");
    expect(sent() - before).toBe(0);
    // Undone, nothing of both runs is left.
    const { stdout } = await iot("profile", "rollback", "last", "--confirm", "Empty", "--json");
    const rows = JSON.parse(stdout) as { readonly result: string }[];
    expect({ moment, deleted: rows.filter(({ result }) => result === "deleted").length }).toEqual({
      moment,
      deleted: count,
    });
    await close();
  }
}

const title = (times: string): string =>
  `makes ${count} resources, sends nothing the second time, and is the same after ${times}`;

it(title("a kill at a random moment"), { timeout: limitMs * 3 }, () => killed(1));

it(title(`${manyKills} kills at random moments`), { tags: ["slow"], timeout: limitMs * (manyKills + 2) }, () =>
  killed(manyKills),
);
