import { execFile, spawn } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { VERSION } from "../../lib/core/version.ts";
import { isObject } from "../kit/files/files.ts";
import { isLoopback } from "../kit/settings/cleartext.ts";
import { userFolders } from "../kit/settings/paths.ts";
import { switchOf } from "../kit/settings/settings.ts";
import { readNote } from "../kit/state/notes.ts";
import { changeStored } from "../kit/state/store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The hidden word of the process that asks in the background. */
const updateWord = "__update";

const dayMs = 86_400_000;
const patienceMs = 1_000;
/** Starting npm takes most of a second by itself; nobody waits for it. */
const npmPatienceMs = 5_000;
const mostBytes = 1_000_000;

/** What the last look found. */
interface UpdateState {
  /** Unix time in milliseconds of the last attempt, with or without a response. */
  readonly checkedAt: number;
  /** Absent until a response came. */
  readonly latest?: string;
}

const plainVersion = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;

/** A version that can be shown, or undefined: a registry may return any string. */
function versionOf(value: unknown): string | undefined {
  return typeof value === "string" && plainVersion.test(value) ? value : undefined;
}

/** Whether a plain version comes after another one, which may be a pre-release. */
export function isNewer(latest: string, current: string): boolean {
  const [plain = "", preRelease] = current.split(/-(.*)/s);
  const ours = plain.split(".").map(Number);
  const theirs = latest.split(".").map(Number);
  const at = theirs.findIndex((part, i) => part !== ours[i]);
  return at < 0 ? preRelease !== undefined : (theirs[at] ?? 0) > (ours[at] ?? 0);
}

const statePath = (env: Environment): string => join(userFolders(env).cache, "update.json");

function stateIn(value: unknown): UpdateState {
  if (!isObject(value) || typeof value["checkedAt"] !== "number") return { checkedAt: 0 };
  const latest = versionOf(value["latest"]);
  return { checkedAt: value["checkedAt"], ...(latest === undefined ? {} : { latest }) };
}

async function changeState(env: Environment, change: (state: UpdateState) => UpdateState): Promise<void> {
  await changeStored(statePath(env), (file) => ({ ...change(stateIn(file)) }), true);
}

/** Whether the user, or a machine that builds, wants no look at all. */
export function isUpdateCheckOff(env: Environment): boolean {
  return Boolean(env["CI"]) || switchOf(env["IOT_NO_UPDATE_CHECK"] ?? "") !== false;
}

/**
 * The line about a newer version, as the last check found it. At most once a day it starts another check in the
 * background, whose result the next command shows. Never throws, never waits for a response.
 */
export async function updateNotice(env: Environment): Promise<string | undefined> {
  try {
    const state = stateIn(readNote(statePath(env)));
    const ageMs = Date.now() - state.checkedAt;
    // A time in the future comes from a clock that was set back.
    if (ageMs < 0 || ageMs > dayMs) await checkLater(env);
    if (state.latest === undefined || !isNewer(state.latest, VERSION)) return undefined;
    return `info: iot ${state.latest} is available (you have ${VERSION}); npm install -g iotdeck\n`;
  } catch {
    // Nothing can be stored, so there is nothing to show.
    return undefined;
  }
}

async function checkLater(env: Environment): Promise<void> {
  const [, program] = process.argv;
  if (program === undefined || isRefused(env)) return;
  // Stored before the response: an unreachable registry is also asked once a day, and by one process only.
  await changeState(env, (state) => ({ ...state, checkedAt: Date.now() }));
  const child = spawn(process.execPath, [program, updateWord], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", () => undefined);
  child.unref();
}

/** Whether npm's own variable names a registry that is never asked, which is known without asking npm. */
function isRefused({ npm_config_registry: named }: Environment): boolean {
  return named !== undefined && named !== "" && registryAddress(named) === undefined;
}

/**
 * The registry npm uses: its own variable, else what npm says. It is asked at home, so that the settings of the folder
 * one happens to be in do not count.
 */
async function npmRegistry(env: Environment): Promise<string> {
  const named = env["npm_config_registry"];
  if (named !== undefined && named !== "") return named;
  const options = { cwd: homedir(), env, timeout: npmPatienceMs, shell: process.platform === "win32" };
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"], options);
  return stdout.trim();
}

/** The address to ask at a registry. One that holds a password is not asked. */
export function registryAddress(base: string): string | undefined {
  if (!URL.canParse(base)) return undefined;
  const url = new URL(base);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) return undefined;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return undefined;
  return `${url.href.replace(/\/+$/, "")}/iotdeck/latest`;
}

/** Asks for the latest version, within a second, and stores a valid response. Anything else changes nothing. */
export async function checkForUpdate(env: Environment): Promise<void> {
  try {
    const url = registryAddress(await npmRegistry(env));
    if (url === undefined) return;
    const latest = versionOf(await askRegistry(url));
    if (latest !== undefined) await changeState(env, () => ({ checkedAt: Date.now(), latest }));
  } catch {
    // The attempt was noted by the command that started this one.
  }
}

async function askRegistry(url: string): Promise<unknown> {
  const { chooseTransport } = await import("../../lib/http/choose-transport.ts");
  const signal = AbortSignal.timeout(patienceMs);
  const headers = { accept: "application/json", "accept-encoding": "identity" };
  const stream = await chooseTransport({}).stream({ method: "GET", url, headers, timeoutMs: patienceMs, signal });
  if (stream.status !== 200) {
    stream.cancel();
    return undefined;
  }
  let text = "";
  for await (const part of stream.body) {
    text += part;
    if (text.length > mostBytes) {
      stream.cancel();
      return undefined;
    }
  }
  const answer: unknown = JSON.parse(text);
  return isObject(answer) ? answer["version"] : undefined;
}
