import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { isAlive } from "../kit/process/alive.ts";
import { answers, listedSandboxes, portOption } from "./place.ts";
import { forgetRunning, listRunning, type RunningSandbox } from "./state.ts";

const STOP_MS = 10_000;
const LOOK_AGAIN_MS = 50;

const stoppedColumns = [
  { key: "port", kind: "number" },
  { key: "url" },
  { key: "pid", kind: "number" },
  { key: "state" },
] as const;

/** Resolves to what became of the process. */
async function stopOne(ctx: CommandContext, running: RunningSandbox): Promise<"stopped" | "left alone"> {
  if (!(await answers(running))) {
    forgetRunning(ctx, running.port);
    ctx.say.warning(`Process ${running.pid} is no longer the sandbox at ${running.url}; it was not stopped.`);
    return "left alone";
  }
  process.kill(running.pid, "SIGTERM");
  const deadlineMs = ctx.clock.elapsed() + STOP_MS;
  while (isAlive(running.pid)) {
    if (ctx.clock.elapsed() > deadlineMs) {
      throw new CommandError(`The sandbox at ${running.url} did not stop within 10 s.`, {
        code: "sandbox.stop",
        exit: 1,
        why: `Process ${running.pid} is still running.`,
        next: "Try again, or kill the process.",
      });
    }
    await ctx.clock.sleep(LOOK_AGAIN_MS);
  }
  forgetRunning(ctx, running.port);
  ctx.say.info(`Stopped the sandbox at ${running.url}.`);
  return "stopped";
}

/** The current environment may be one that is gone now. */
function hintWhenInUse({ user: { config }, say }: CommandContext, stopped: readonly RunningSandbox[]): void {
  const name = config.settings["env"] ?? "";
  if (!stopped.some(({ url }) => url === config.environments[name]?.api)) return;
  say.hint(`${name} is still the current environment. To choose another: iot env use default`);
}

export const stopCommand: Command = defineCommand({
  path: ["stop"],
  asks: "nothing",
  result: rows(stoppedColumns),
  effect: "local",
  summary: "Stop a background sandbox",
  options: [portOption, { name: "all", summary: "stop all sandboxes of this user" }],
  examples: ["iot sandbox stop --all", "iot sandbox start --detach --port 0 --ephemeral && iot sandbox stop --all"],
  exitCodes: [6],
  related: ["iot sandbox start"],
  async run(ctx, input) {
    const all = input.options.all;
    const running = all ? listRunning(ctx) : [await listedSandboxes(ctx, input)];
    const stopped: object[] = [];
    for (const one of running) {
      const { port, url, pid } = one;
      stopped.push({ port, url, pid, state: await stopOne(ctx, one) });
    }
    hintWhenInUse(ctx, running);
    await ctx.out.list(stopped, { columns: stoppedColumns, empty: "No sandbox is running.", idKey: "port" });
  },
});
