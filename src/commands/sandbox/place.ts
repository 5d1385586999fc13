import { existsSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { StoredState } from "../../sandbox/index.ts";
import type { Input, OptionSpec } from "../kit/command/options.ts";
import { snakeCase } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, notFoundError, usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { explainStart } from "./options.ts";
import { type Inspected, isSuccess, jsonOf, requestSandbox } from "./request.ts";
import { listRunning, type RunningSandbox, sandboxFolder } from "./state.ts";

const ANSWER_MS = 5_000;
/** A large database is copied while the caller waits. */
const COPY_MS = 10 * 60_000;

export const portOption = {
  name: "port",
  kind: "integer",
  least: 0,
  most: 65_535,
  summary: "port of the sandbox, if several are running (default: that of the environment in use)",
} as const satisfies OptionSpec;

export const sandboxOptions = [
  { ...portOption, conflicts: ["data-dir"] },
  { name: "data-dir", file: "in", value: "folder", summary: "data folder; the sandbox may be running or not" },
] as const satisfies readonly OptionSpec[];

type PortInput = Input<[], [typeof portOption]>;

export interface InspectRequest {
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

/** Calls an inspection route of a sandbox. */
export async function inspect(
  running: Inspected,
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  { body, timeoutMs = ANSWER_MS }: InspectRequest = {},
): Promise<unknown> {
  const reply = await requestSandbox(running, path, { method, body, timeoutMs }).catch((error: unknown) => {
    throw unreachable(running, error);
  });
  return resultOf(running, reply);
}

/** The objects in the result of an inspection, with the names that results have everywhere. */
export const objects = (value: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isObject).map(withSnakeCase) : [];

const withSnakeCase = (object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [snakeCase(name), value]));

function unreachable(running: Inspected, error: unknown): Error {
  return new CommandError(`The sandbox at ${running.url} does not respond.`, {
    code: "sandbox.no_answer",
    exit: 10,
    why: error instanceof Error ? error.message : String(error),
    next: 'Run "iot sandbox status".',
    cause: error,
  });
}

/** The result in a response; an error response becomes a failure. */
async function resultOf(running: Inspected, reply: IncomingMessage): Promise<unknown> {
  const { statusCode = 0 } = reply;
  const body = await jsonOf(reply);
  if (isSuccess(reply) && isObject(body)) return body["result"];
  const why = isObject(body) ? `${String(body["message"])}.` : `It returned ${statusCode}.`;
  const exits: Readonly<Record<number, number>> = { 404: 6, 409: 7 };
  throw new CommandError(`The sandbox at ${running.url} rejected the request.`, {
    code: "sandbox.refused",
    exit: exits[statusCode] ?? 1,
    why,
  });
}

/** What a sandbox says about itself; nothing unless its process is the one that the file names. */
export async function healthOf(running: RunningSandbox): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const health = await inspect(running, "GET", "health");
    return isObject(health) && health["pid"] === running.pid ? health : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process that the file names is still this sandbox: process ids are used again. */
export async function answers(running: RunningSandbox): Promise<boolean> {
  return (await healthOf(running)) !== undefined;
}

/** The running sandbox at `--port`, or the only one. */
export async function listedSandboxes(ctx: CommandContext, { options: { port } }: PortInput): Promise<RunningSandbox> {
  const all = listRunning(ctx);
  const running = all.filter((one) => port === undefined || one.port === port);
  const [only, ...others] = running;
  if (only === undefined) throw noneRuns(port, all);
  if (others.length === 0) return only;
  throw severalRun(running);
}

/** The sandbox that the variables of `start` and `exec` lead to. Its secret is never sent to another machine. */
function ofVariables({ env }: CommandContext): Inspected | undefined {
  const { IOT_API_URL: url = "", IOT_SANDBOX_SECRET: secret } = env;
  if (!secret || !URL.canParse(url) || !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname))
    return undefined;
  return { url, port: Number(new URL(url).port), inspectionHeaders: { authorization: `Bearer ${secret}` } };
}

/** Whether there is a sandbox to talk to. */
export const anyRuns = (ctx: CommandContext): boolean => ofVariables(ctx) !== undefined || listRunning(ctx).length > 0;

/** The sandbox that the current environment leads to. */
async function ofEnvironment(ctx: CommandContext): Promise<RunningSandbox | undefined> {
  // Which sandbox is meant can be asked for even where no environment can be used.
  const { api } = await ctx.target().catch(() => ({ api: undefined }));
  return listRunning(ctx).find(({ url }) => url === api);
}

/** The sandbox a command is about: the one at `--port`, that of the variables or of the environment, or the only one. */
export async function chosen(ctx: CommandContext, input: PortInput): Promise<Inspected> {
  if (input.options.port !== undefined) return listedSandboxes(ctx, input);
  return ofVariables(ctx) ?? (await ofEnvironment(ctx)) ?? listedSandboxes(ctx, input);
}

function noneRuns(port: number | undefined, others: readonly RunningSandbox[]): Error {
  return notFoundError(port === undefined ? "No sandbox is running." : `No sandbox is running on port ${port}.`, {
    code: "sandbox.not_running",
    ...(others.length === 0
      ? {
          why: "The state folder lists none with a running process.",
          next: 'Start one with "iot sandbox start --detach".',
        }
      : { why: `Sandboxes run on ${others.map((one) => one.port).join(", ")}.`, next: "Use one of these for --port." }),
  });
}

function severalRun(running: readonly RunningSandbox[]): Error {
  return usageError(`${running.length} sandboxes are running.`, {
    why: `Their ports are ${running.map((one) => one.port).join(", ")}.`,
    next: "Choose one with --port.",
  });
}

/** Where the data of a sandbox is: behind a running one, or in a folder nobody uses. */
export type SandboxPlace =
  | { readonly running: Inspected; readonly name: string }
  | { readonly running?: undefined; readonly dataDir: string; readonly name: string };

/**
 * The sandbox a command is about: `--port`, `--data-dir`, that of the variables, the only running one, or the user's
 * own data folder.
 */
export async function placeOf(ctx: CommandContext, input: Input<[], typeof sandboxOptions>): Promise<SandboxPlace> {
  const { dataDir: named, port } = input.options;
  const running = listRunning(ctx);
  if (named !== undefined) return inFolder(running, ctx.path(named));
  const own = join(sandboxFolder(ctx), "data");
  if (running.length === 0 && port === undefined && ofVariables(ctx) === undefined && existsSync(own))
    return inFolder(running, own);
  const one = await chosen(ctx, input);
  return { running: one, name: `the sandbox at ${one.url}` };
}

function inFolder(running: readonly RunningSandbox[], dataDir: string): SandboxPlace {
  const user = running.find((one) => one.dataDir === dataDir);
  if (user !== undefined) return { running: user, name: `the sandbox at ${user.url}` };
  return { dataDir, name: `the sandbox in ${dataDir}` };
}

/** Works on the data of a sandbox that does not run. */
export async function withStopped<T>(
  dataDir: string,
  create: boolean,
  work: (saved: StoredState) => Promise<T>,
): Promise<T> {
  const { openStoppedSandbox } = await import("../../sandbox/index.ts");
  try {
    const stopped = openStoppedSandbox(dataDir, { create });
    try {
      return await work(stopped);
    } finally {
      stopped.close();
    }
  } catch (error) {
    throw explainPlace(error);
  }
}

function explainPlace(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === "DataDirectoryError" && error.message.startsWith("There is no sandbox")) {
    return notFoundError(error.message, { code: "sandbox.no_data", next: 'Run "iot sandbox status".' });
  }
  if ("status" in error && error.name === "PlatformError") {
    const exit = error.status === 404 ? 6 : error.status === 409 ? 7 : error.status === 400 ? 2 : 1;
    return new CommandError(`${error.message}.`, { code: "sandbox.refused", exit, cause: error });
  }
  return explainStart(error, undefined);
}

export { COPY_MS, resultOf, unreachable };
