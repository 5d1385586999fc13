import { isAlive } from "../kit/alive.ts";
import { option, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, rows, value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { dataDirFrom, explainStart, seedFrom } from "./options.ts";
import { answers, chosen, inspect, portOption } from "./place.ts";
import { forgetRunning, listRunning, type RunningSandbox } from "./state.ts";

const STOP_MS = 10_000;
const LOOK_AGAIN_MS = 50;
/** The demo account is filled in again. */
const RESET_MS = 60_000;

const stoppedColumns = [
  { key: "port", kind: "number" },
  { key: "url" },
  { key: "pid", kind: "number" },
  { key: "state" },
] as const;
const placeColumns = [{ key: "port", kind: "number" }, { key: "url" }] as const;

/** Resolves to what became of the process. */
async function stopOne(ctx: CommandContext, running: RunningSandbox): Promise<"stopped" | "left alone"> {
  if (!(await answers(running))) {
    forgetRunning(ctx, running.port);
    ctx.say.warning(`Process ${running.pid} is not the sandbox at ${running.url} any more; it was left alone.`);
    return "left alone";
  }
  process.kill(running.pid, "SIGTERM");
  const deadlineMs = ctx.clock.elapsed() + STOP_MS;
  while (isAlive(running.pid)) {
    if (ctx.clock.elapsed() > deadlineMs) {
      throw new CommandError(`The sandbox at ${running.url} did not stop within 10 s.`, {
        code: "sandbox.stop",
        exit: 1,
        why: `Process ${running.pid} is still there.`,
        next: "Try again, or end the process by hand.",
      });
    }
    await ctx.clock.sleep(LOOK_AGAIN_MS);
  }
  forgetRunning(ctx, running.port);
  ctx.say.info(`Stopped the sandbox at ${running.url}.`);
  return "stopped";
}

export const stopCommand: Command = defineCommand({
  path: ["stop"],
  asks: "nothing",
  result: rows(stoppedColumns),
  effect: "local",
  summary: "Stop a sandbox that runs in the background",
  options: [portOption, { name: "all", summary: "every sandbox of this user" }],
  examples: ["iot sandbox stop --all", "iot sandbox start --detach --port 0 --ephemeral && iot sandbox stop --all"],
  exitCodes: [6],
  related: ["iot sandbox start"],
  async run(ctx, input) {
    const all = optionFlag(input, "all");
    const running = all ? listRunning(ctx) : [await chosen(ctx, input)];
    const stopped: object[] = [];
    for (const one of running) {
      const { port, url, pid } = one;
      stopped.push({ port, url, pid, state: await stopOne(ctx, one) });
    }
    await ctx.out.list(stopped, { columns: stoppedColumns, empty: "No sandbox runs.", idKey: "port" });
  },
});

interface StatusRow extends Omit<RunningSandbox, "tokens" | "logins" | "inspectionHeaders"> {
  readonly state: "running" | "no answer";
}

const statusColumns: readonly Column<StatusRow>[] = [
  { key: "port", kind: "number" },
  { key: "url" },
  { key: "state" },
  { key: "pid", kind: "number" },
  { key: "startedAt", kind: "time" },
  { key: "dataDir" },
];

export const statusCommand: Command = defineCommand({
  path: ["status"],
  asks: "nothing",
  result: rows(statusColumns),
  effect: "reads",
  summary: "Show the sandboxes of this user",
  groups: ["limit"],
  examples: ["iot sandbox status", "iot sandbox status --json"],
  related: ["iot sandbox start", "iot sandbox stop"],
  async run(ctx) {
    const rows: StatusRow[] = [];
    for (const running of listRunning(ctx)) {
      const { tokens: _, logins: __, inspectionHeaders: ___, ...shown } = running;
      rows.push({ ...shown, state: (await answers(running)) ? "running" : "no answer" });
    }
    await ctx.out.list(rows, { columns: statusColumns, empty: "No sandbox runs.", idKey: "port" });
  },
});

export const resetCommand: Command = defineCommand({
  path: ["reset"],
  asks: "nothing",
  result: one(placeColumns),
  effect: "local",
  summary: "Put a running sandbox back to its first state",
  details: "Everything that was stored in it is forgotten; the demo account is filled in again.",
  options: [portOption],
  groups: ["confirm"],
  examples: [
    "iot sandbox start --detach --port 0 --ephemeral && iot sandbox reset --yes && iot sandbox stop --all",
    "iot sandbox status && iot sandbox stop --all",
  ],
  exitCodes: { only: [6] },
  related: ["iot sandbox seed"],
  async run(ctx, input) {
    const running = await chosen(ctx, input);
    await ctx.confirm({
      level: 1,
      action: `Forget everything stored in the sandbox at ${running.url}`,
      where: "on this machine",
      name: String(running.port),
    });
    await inspect(running, "POST", "reset", { timeoutMs: RESET_MS });
    await ctx.out.item({ port: running.port, url: running.url }, { columns: placeColumns, idKey: "port" });
    ctx.say.info(`The sandbox at ${running.url} is as new.`);
  },
});

export const seedCommand: Command = defineCommand({
  path: ["seed"],
  asks: "nothing",
  result: value({ type: ["string", "null"], description: "Folder of the data." }),
  effect: "local",
  summary: "Fill a data folder with the demo account, without starting a server",
  details:
    'A folder that holds a sandbox already is left as it is; a running one is put back with "iot sandbox reset".',
  options: [
    { name: "data-dir", value: "folder", summary: "folder of the data (in the user's state folder)" },
    { name: "seed", value: "content", summary: "demo, empty, or a number that varies the generated history (demo)" },
  ],
  examples: ["iot sandbox seed --data-dir plant", "iot sandbox seed --data-dir bare --seed empty"],
  exitCodes: [7],
  related: ["iot sandbox start", "iot sandbox reset"],
  async run(ctx, input) {
    const dataDir = dataDirFrom(ctx, input);
    const { createSandbox } = await import("../../sandbox/index.ts");
    const seed = seedFrom(option(input, "seed") ?? "demo");
    const sandbox = await createSandbox({
      ...(dataDir === undefined ? {} : { dataDir }),
      seed,
      tokens: "random",
    }).catch((error: unknown) => {
      throw explainStart(error, undefined);
    });
    await sandbox.close();
    await ctx.out.value(dataDir);
    ctx.say.info('The folder is ready for "iot sandbox start --data-dir".');
  },
});
