// Kills the migration of the seed's legacy dashboard at random moments, and proves after each kill that no widget is lost,
// doubled or half-written, and that the next run finishes the work or takes it back.
// Usage: node bench/kills.js [kills]   (needs a build: npm run build)
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectWidget } from "../dist/index.js";
import { createSandbox } from "../dist/sandbox.js";

const cli = process.env["IOT_TEST_CLI"] ?? new URL("../dist/cli.cjs", import.meta.url).pathname;
const kills = Number(process.argv[2] ?? 50);
const LEGACY = "65a1000000000000000b0001";
const totals = { kills: 0, before: 0, between: 0, late: 0, finished: 0, undone: 0 };
const failures = [];
let expected;

/** One sandbox, one kill, one way on. Answers what is wrong. */
async function oneKill(round) {
  const sandbox = await createSandbox({ ephemeral: true });
  const folder = mkdtempSync(join(tmpdir(), "iot-kill-"));
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    IOT_CONFIG_DIR: folder,
    IOT_API_URL: sandbox.url,
    IOT_TOKEN: sandbox.tokens.profile,
  };
  const inPlace = round % 3 !== 2;
  const args = [LEGACY, inPlace ? "--in-place" : "--copy", "--yes"];
  try {
    const read = reader(sandbox);
    const before = await read.widgets(LEGACY);
    await killed(env, args);
    totals.kills += 1;
    const middle = await read.widgets(LEGACY);
    const said = wholeWidgets(before, middle, await expectedOf(env, inPlace));
    if (said !== undefined) return `right after the kill: ${said}`;
    const old = middle.filter(isOld).length;
    totals[old === before.filter(isOld).length ? "before" : old === 0 ? "late" : "between"] += 1;
    const runs = join(folder, "state", "migrations");
    const isLeft = filesIn(runs).some((run) => filesIn(join(runs, run)).includes("plan.json"));
    const back = round % 2 === 1 && isLeft;
    // The kill came after the last step: there is nothing to go on with.
    const isOver = !isLeft && (inPlace ? old === 0 : (await read.copies()).length > 0);
    const next = isOver ? 0 : await ended(env, back ? ["--undo"] : isLeft ? ["--resume"] : args);
    if (next !== 0) return `the next run ended with ${next}`;
    return back ? await undone(read, before) : await finished(read, before, inPlace);
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function undone(read, before) {
  totals.undone += 1;
  const now = await read.widgets(LEGACY);
  if (markOf(now) !== markOf(before)) return "it was not taken back whole";
  return (await read.copies()).length === 0 ? undefined : "a copy was left behind";
}

async function finished(read, before, inPlace) {
  totals.finished += 1;
  const now = await read.widgets(LEGACY);
  const copies = await read.copies();
  if (inPlace) {
    if (copies.length > 0) return "there is a copy that nobody asked for";
    if (now.some(isOld)) return "some widgets are still old";
    return sameIds(before, now);
  }
  if (markOf(now) !== markOf(before)) return "the original was changed";
  if (copies.length !== 1) return `there are ${copies.length} copies`;
  const copied = await read.widgets(copies[0].id);
  if (copied.length !== before.length) return `the copy has ${copied.length} widgets`;
  return copied.some(isOld) ? "some widgets of the copy are still old" : undefined;
}

/** Each widget is wholly the old one or wholly the new one. */
function wholeWidgets(before, now, expected) {
  const said = sameIds(before, now);
  if (said !== undefined) return said;
  for (const [i, widget] of now.entries()) {
    if (contentOf(widget) === contentOf(before[i])) continue;
    const after = expected.get(widget.id);
    const isNew = after !== undefined && Object.entries(after).every(([key, value]) => holds(widget[key], value));
    if (!isNew) return `widget ${widget.id} is neither the old nor the new one`;
  }
  return undefined;
}

const skippedKeys = new Set(["id", "dashboard", "created_at", "updated_at"]);
const holds = (now, value) => value === undefined || value === null || sorted(now ?? null) === sorted(value);

/** The new widgets, from a plan of a sandbox that nothing was done to; made once. */
async function expectedOf(env, inPlace) {
  if (!inPlace) return new Map();
  if (expected !== undefined) return expected;
  const fresh = await createSandbox({ ephemeral: true });
  const folder = mkdtempSync(join(tmpdir(), "iot-kill-"));
  const file = join(folder, "plan.json");
  const other = {
    ...env,
    HOME: folder,
    IOT_CONFIG_DIR: folder,
    IOT_API_URL: fresh.url,
    IOT_TOKEN: fresh.tokens.profile,
  };
  const code = await ended(other, [LEGACY, "--in-place", "--plan", file]);
  if (code !== 0) throw new Error(`The plan ended with ${code}.`);
  const plan = JSON.parse(readFileSync(file, "utf8"));
  expected = new Map(
    plan.dashboards[0].widgets.flatMap(({ id, after }) =>
      after === undefined
        ? []
        : [[id, Object.fromEntries(Object.entries(after).filter(([key]) => !skippedKeys.has(key)))]],
    ),
  );
  await fresh.close();
  rmSync(folder, { recursive: true, force: true });
  return expected;
}

function sameIds(before, now) {
  const ids = now.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) return "a widget is doubled";
  return ids.join() === before.map(({ id }) => id).join() ? undefined : "a widget is lost or new";
}

const isOld = (widget) => ["legacy", "mixed"].includes(inspectWidget(widget).verdict);
const sorted = (value) =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
const contentOf = (widget) =>
  sorted(Object.fromEntries(Object.entries(widget).filter(([key, value]) => key !== "updated_at" && value !== null)));
const markOf = (widgets) => createHash("sha256").update(widgets.map(contentOf).join("\n")).digest("hex");

function filesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function reader(sandbox) {
  const get = async (path) => {
    const answer = await fetch(`${sandbox.url}${path}`, { headers: { token: sandbox.tokens.profile } });
    return (await answer.json()).result;
  };
  return {
    async widgets(dashboard) {
      const { arrangement } = await get(`/dashboard/${dashboard}`);
      return Promise.all(arrangement.map(({ widget_id }) => get(`/dashboard/${dashboard}/widget/${widget_id}`)));
    },
    async copies() {
      const all = await get("/dashboard?amount=1000&fields[0]=id&fields[1]=label");
      return all.filter(({ label }) => /migrat/.test(label));
    },
  };
}

function start(env, args) {
  return spawn(process.execPath, [cli, "dashboard", "migrate", ...args], { env, stdio: "ignore" });
}

const ended = (env, args) => new Promise((resolve) => start(env, args).once("close", (code) => resolve(code ?? -1)));

/** Waits until the journal has a random number of steps, then a little more, and kills. */
async function killed(env, args) {
  const child = start(env, args);
  const over = new Promise((resolve) => child.once("close", resolve));
  const state = join(env["IOT_CONFIG_DIR"], "state", "migrations");
  const wanted = Math.floor(Math.random() * 44);
  while (child.exitCode === null && stepsIn(state) < wanted) await pause(1);
  await pause(Math.random() * 6);
  child.kill("SIGKILL");
  await over;
}

function stepsIn(state) {
  const [run] = filesIn(state);
  if (run === undefined) return 0;
  try {
    return readFileSync(join(state, run, "journal.jsonl"), "utf8").split("\n").length - 1;
  } catch {
    return 0;
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

for (let round = 0; round < kills; round += 1) {
  const problem = await oneKill(round);
  if (problem !== undefined) failures.push(`kill ${round + 1}: ${problem}`);
  process.stderr.write(problem === undefined ? "." : "x");
}
process.stderr.write("\n");
console.log(JSON.stringify({ ...totals, failures }, undefined, 2));
process.exit(failures.length === 0 ? 0 : 1);
