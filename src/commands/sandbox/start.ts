import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../lib/core/defined.ts";
import { makeFolder } from "../../lib/core/make-folder.ts";
import type { Sandbox, SandboxTip } from "../../sandbox/index.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { camelCase } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { variableLine } from "./child.ts";
import { checkFaults } from "./faults.ts";
import {
  accessNote,
  allowOriginsFrom,
  behaviourFrom,
  behaviourOptions,
  checkTokens,
  DEFAULT_PORT,
  dataDirFrom,
  explainStart,
  scriptsNote,
} from "./options.ts";
import { forgetRunning, listRunning, type RunningSandbox, sandboxFolder, saveRunning, shownSandbox } from "./state.ts";
import { checkUse, sandboxEnv, selectSandbox, useOptions } from "./use.ts";

/** Longest wait for a sandbox in the background; seeding takes about a second. */
const READY_MS = 120_000;
const LOOK_AGAIN_MS = 50;
const MAX_LOG_BYTES = 1024 * 1024;

const options = [
  {
    name: "port",
    kind: "integer",
    least: 0,
    most: 65_535,
    summary: `port; 0 for any free one (${DEFAULT_PORT}, or a free one)`,
  },
  {
    name: "host",
    value: "address",
    summary: "address to listen on (127.0.0.1); analyses do not run if other machines can reach it",
  },
  { name: "data-dir", file: "in", value: "folder", summary: "data folder (default: in the user's state folder)" },
  { name: "ephemeral", summary: "keep all data in memory" },
  { name: "detach", summary: "run in the background" },
  ...useOptions,
  { name: "export-on-exit", file: "out", value: "file", summary: "export all data to this file on stop" },
  ...behaviourOptions,
] as const satisfies Options;

type Given = Input<[], typeof options>;

/** Starts the server; the default port is replaced if it is taken. */
async function open(ctx: CommandContext, input: Given): Promise<{ sandbox: Sandbox; dataDir: string | undefined }> {
  const allowed = await allowOriginsFrom(input.options.allowOrigin);
  const { createSandbox } = await import("../../sandbox/index.ts");
  const { port: wanted, host, ephemeral: isEphemeral } = input.options;
  const dataDir = isEphemeral ? undefined : dataDirFrom(ctx, input.options.dataDir);
  const sandboxOptions = {
    ...behaviourFrom(ctx, input),
    ...allowed,
    ...(dataDir === undefined ? { ephemeral: true } : { dataDir }),
    ...defined({ host }),
  };
  try {
    return { sandbox: await createSandbox({ ...sandboxOptions, port: wanted ?? DEFAULT_PORT }), dataDir };
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (wanted !== undefined || !isTaken) throw explainStart(error, wanted ?? DEFAULT_PORT);
    const sandbox = await createSandbox({ ...sandboxOptions, port: 0 }).catch((second: unknown) => {
      throw explainStart(second, 0);
    });
    return { sandbox, dataDir };
  }
}

async function start(ctx: CommandContext, input: Given): Promise<void> {
  await checkTokens(input.options.host, input.options.demoTokens);
  await checkFaults(input.options.fault);
  if (input.options.use) {
    checkUse(ctx);
    const running = usable(ctx, input);
    if (running !== undefined) return showUsed(ctx, running);
  }
  if (input.options.detach || input.options.use) return startDetached(ctx, input);
  const { sandbox, dataDir } = await open(ctx, input);
  const exportName = input.options.exportOnExit;
  const exportFile = exportName === undefined ? undefined : ctx.path(exportName);
  const running: RunningSandbox = {
    pid: process.pid,
    url: sandbox.url,
    port: sandbox.port,
    ...defined({ dataDir, certificate: sandbox.certificate, tip: sandbox.tip }),
    startedAt: new Date(ctx.clock.now()).toISOString(),
    inspectionHeaders: sandbox.inspectionHeaders,
    tokens: sandbox.tokens,
    logins: sandbox.logins,
    runsScripts: sandbox.runsScripts,
  };
  try {
    saveRunning(ctx, running);
    await show(ctx, running);
    ctx.say.info(
      `Sandbox running at ${sandbox.url}${dataDir === undefined ? ", in memory" : `, with its data in ${dataDir}`}. Press Ctrl-C to stop. ${notes(running, input)}`,
    );
    await stopped(ctx.signal);
    if (exportFile !== undefined) await sandbox.exportTo(exportFile);
  } finally {
    forgetRunning(ctx, sandbox.port);
    await sandbox.close();
  }
}

/** The sandbox that runs on the folder already, unless more is asked for than that it is used: it would not have it. */
function usable(ctx: CommandContext, { options }: Given): RunningSandbox | undefined {
  const { use: _use, reveal: _reveal, dataDir: named, ...others } = options;
  if (Object.values(others).some((value) => value !== undefined && value !== false && String(value) !== ""))
    return undefined;
  const dataDir = dataDirFrom(ctx, named);
  return listRunning(ctx).find((each) => each.dataDir === dataDir && each.certificate === undefined);
}

function notes({ runsScripts }: RunningSandbox, input: Given): string {
  return `${accessNote(input.options.access)} ${scriptsNote(runsScripts)}`;
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

const columns = [
  { key: "url" },
  { key: "port", kind: "number" },
  { key: "pid", kind: "number" },
  { key: "data_dir" },
] as const;

const isForProgram = ({ out, flags }: CommandContext): boolean =>
  out.format !== "table" || flags.fields !== undefined || flags.jq !== undefined;

/** Lines a shell can run, with the rest as its comments; every other format gets the same as data. */
async function show(ctx: CommandContext, running: RunningSandbox): Promise<void> {
  const { variablesOf } = await import("../../sandbox/console/variables.ts");
  const variables = variablesOf(running);
  if (isForProgram(ctx)) {
    await ctx.out.item({ ...shownSandbox(running), variables }, { columns, idKey: "url" });
    return;
  }
  const lines = Object.entries(variables).map(([name, value]) => variableLine(name, value));
  const about = aboutSandbox(running);
  await ctx.out.raw(`${[...about.map((line) => `# ${line}`), ...lines].join("\n")}\n`);
}

/** With `--use`, what to type next is all a person needs; tokens are printed for who asks for them. */
async function showUsed(ctx: CommandContext, running: RunningSandbox): Promise<void> {
  await selectSandbox(ctx, running);
  const { url, port, pid, dataDir } = running;
  if (ctx.flags.reveal) await show(ctx, running);
  else if (isForProgram(ctx))
    await ctx.out.item({ url, port, pid, data_dir: dataDir, env: sandboxEnv }, { columns, idKey: "url" });
}

/** The tokens there are, and what each is for. */
function tokenLines({ profile, read, write, analysis, device }: RunningSandbox["tokens"]): string[] {
  const purposes = [
    ["profile token:  ", profile, "full access; IOT_TOKEN"],
    ["read token:     ", read, "read-only"],
    ["write token:    ", write, "can create and update"],
    ["analysis token: ", analysis, 'the analysis "alert", or else the first one; T_ANALYSIS_TOKEN'],
    ["device token:   ", device, "one device, to send and read its data"],
  ] as const;
  return purposes.filter(([, token]) => token !== "").map(([name, token, use]) => `${name}${token} (${use})`);
}

/** Where devices with TagoTiP send to, and what with. */
function tipLines({ authorization, hash, http: _, ...addresses }: SandboxTip): string[] {
  const places = Object.entries(addresses).map(([name, address]) => `${name} ${address}`);
  return [
    `TagoTiP:        ${places.join(", ")}; http as above`,
    ...(hash === "" ? [] : [`authorization:  ${authorization} (hash ${hash}; IOT_TIP_AUTHORIZATION)`]),
  ];
}

/** What a person needs besides the variables: who can log in, and what each token is for. */
function aboutSandbox({ url, tokens, logins, certificate, tip }: RunningSandbox): string[] {
  const accounts = logins.filter(({ kind }) => kind === "account");
  const users = logins.filter(({ token }) => token !== undefined);
  const [demo] = accounts;
  return [
    `origin:         ${url}`,
    ...(certificate === undefined
      ? []
      : [`certificate:    ${certificate.file} (certificate to trust; pass it to iot with --ca-file)`]),
    ...tokenLines(tokens),
    ...(tip === undefined ? [] : tipLines(tip)),
    ...(demo === undefined
      ? []
      : [
          `log in:         iot env add local --api-url ${url} --events-url ${url}/events`,
          `                iot auth login --env local --email ${demo.email} (password ${demo.password})`,
        ]),
    ...accounts.slice(1).map(({ email, password }) => `account:        ${email} (password ${password})`),
    ...users.map(
      ({ email, password, token = "" }) => `portal user:    ${email} (password ${password}, token ${token})`,
    ),
    "try:            iot device list, then iot device watch (with the variables below, or after logging in)",
    "look inside:    iot sandbox open",
  ];
}

/** Runs `sandbox start` as a process of its own and waits until it responds. */
async function startDetached(ctx: CommandContext, input: Given): Promise<void> {
  const log = openLog(sandboxFolder(ctx));
  const child = spawn(process.execPath, [programPath(), "sandbox", "start", ...sameFlags(input)], {
    cwd: ctx.cwd,
    env: { ...ctx.env },
    detached: true,
    stdio: ["ignore", "ignore", log.file],
  });
  closeSync(log.file);
  try {
    const running = await untilReady(ctx, child, log);
    child.unref();
    if (input.options.use) return await showUsed(ctx, running);
    await show(ctx, running);
    ctx.say.info(
      `Sandbox running at ${running.url} in the background (process ${running.pid}). Stop it with "iot sandbox stop --port ${running.port}". ${notes(running, input)}`,
    );
  } catch (error) {
    child.kill();
    throw error;
  }
}

interface Log {
  readonly file: number;
  readonly path: string;
  /** Where the words of this start begin. */
  readonly startBytes: number;
}

/** What sandboxes in the background have to say; started again when it has grown. */
function openLog(folder: string): Log {
  makeFolder(folder, 0o700);
  const path = join(folder, "background.log");
  const oldBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const isLarge = oldBytes > MAX_LOG_BYTES;
  return { file: openSync(path, isLarge ? "w" : "a", 0o600), path, startBytes: isLarge ? 0 : oldBytes };
}

async function untilReady(ctx: CommandContext, child: ChildProcess, log: Log): Promise<RunningSandbox> {
  let exitCode: number | null | undefined;
  child.once("exit", (code) => {
    exitCode = code;
  });
  const deadlineMs = ctx.clock.elapsed() + READY_MS;
  while (exitCode === undefined && ctx.clock.elapsed() < deadlineMs) {
    const running = listRunning(ctx).find(({ pid }) => pid === child.pid);
    if (running !== undefined) return running;
    await ctx.clock.sleep(LOOK_AGAIN_MS);
  }
  throw failedStart(readFileSync(log.path).subarray(log.startBytes).toString("utf8"), exitCode);
}

function programPath(): string {
  const [, program] = process.argv;
  if (program === undefined)
    throw new CommandError("The path of the program is unknown.", { code: "sandbox.start", exit: 70 });
  return program;
}

/** Flags that are not for the process in the background. */
const ownFlags: ReadonlySet<string> = new Set(["detach", ...useOptions.map(({ name }) => name)]);

/** The flags once more, for a process that is not to start another. */
function sameFlags({ texts = {} }: Given): string[] {
  return options.flatMap(({ name }) => {
    const text = ownFlags.has(name) ? undefined : texts[camelCase(name)];
    if (typeof text === "boolean") return [text ? `--${name}` : `--no-${name}`];
    return text === undefined ? [] : [text].flat().flatMap((value) => [`--${name}`, value]);
  });
}

/** The child's own words are the best explanation. */
function failedStart(log: string, exitCode: number | null | undefined): Error {
  const line = (word: string): string | undefined => new RegExp(`^ *${word}: (.*)$`, "m").exec(log)?.[1];
  return new CommandError(line("error") ?? "The sandbox did not start.", {
    code: "sandbox.start",
    exit: exitCode || 1,
    why:
      line("why") ??
      (exitCode === undefined ? "It did not respond within 30 s." : `Its process exited with ${exitCode}.`),
    next: line("next") ?? 'Run "iot sandbox start" without --detach to see its output.',
  });
}

export const startCommand: Command = defineCommand({
  path: ["start"],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: "Start a local sandbox platform",
  details:
    "--use is the shortest way to try the commands: it starts in the background and makes the sandbox the environment of the next commands, in every terminal. " +
    "One that runs on the folder already is used, if no other settings are asked for.\n\n" +
    'Otherwise prints shell lines that set the variables for your programs: eval "$(iot sandbox start --detach)". ' +
    "Tokens and passwords are random, stay the same for the same folder, and are printed with their purpose; " +
    "--demo-tokens uses the published ones. Data stays on this machine and survives a restart unless --ephemeral is given. Without --detach, it runs until Ctrl-C.",
  options,
  examples: [
    "iot sandbox start --use --port 0 --ephemeral",
    "iot sandbox start --detach --port 0 --ephemeral",
    "iot sandbox start --detach --port 0 --data-dir plant --seed 7",
    "iot sandbox start --detach --port 0 --ephemeral --scenario factory",
    "iot sandbox start --detach --port 0 --ephemeral --tip",
  ],
  exitCodes: [7, 130, 143],
  related: ["iot sandbox status", "iot sandbox stop", "iot sandbox exec"],
  run: start,
});
