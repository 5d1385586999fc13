import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { cleanLine } from "../../../text/clean.ts";
import { countOf, countText } from "../../../text/count.ts";
import type { CommandContext } from "../context.ts";
import { afterMs } from "../long-wait.ts";
import { endGroup } from "../process/end-group.ts";
import { redact } from "../say/redact.ts";
import { deviceOf, eventText, type StreamRecord } from "./records.ts";

const PARALLEL = 4;
/** Commands that end sooner are waited for without a word. */
const TOLD_AFTER_MS = 2_000;
/** Records that wait for a free command; more are not run. */
const MOST_WAITING = 1_000;
/** Systems bound the size of a variable; the whole record is on stdin. */
const MOST_VARIABLE = 8_000;
/** What a command that needs them has to be given on purpose. */
const secretVariables = ["IOT_TOKEN", "T_ANALYSIS_TOKEN", "IOT_SINK_PASSWORD", "IOT_SINK_TOKEN"];

export interface Runner {
  add(records: readonly StreamRecord[]): void;
  /** Waits for what was added. Ends the commands when the user stops the program. */
  settle(): Promise<void>;
}

/** Runs a shell command for each record: a few at a time, the others wait their turn. */
export function createRunner(ctx: CommandContext, command: string): Runner {
  const waiting: StreamRecord[] = [];
  const running = new Map<ChildProcess, Promise<void>>();
  let left = 0;

  function start(record: StreamRecord): void {
    const child = startCommand(ctx, command, record);
    const end = ended(child).then((problem) => {
      running.delete(child);
      if (problem !== undefined && !ctx.signal.aborted) ctx.say.warning(`--exec: the command ${problem}.`);
      const next = ctx.signal.aborted ? undefined : waiting.shift();
      if (next !== undefined) start(next);
    });
    running.set(child, end);
  }

  function stop(): void {
    for (const child of running.keys()) endGroup(child, "SIGTERM");
  }

  return {
    add(records) {
      for (const record of records) {
        if (running.size < PARALLEL) start(record);
        else if (waiting.length < MOST_WAITING) waiting.push(record);
        else {
          left += 1;
          if (left === 1) ctx.say.warning(`--exec: ${countText(MOST_WAITING)} records are waiting; more are skipped.`);
        }
      }
    },
    async settle() {
      if (ctx.signal.aborted) stop();
      ctx.signal.addEventListener("abort", stop, { once: true });
      const stopTimer = afterMs(TOLD_AFTER_MS, () =>
        ctx.say.info(`--exec: waiting for ${countOf(running.size + waiting.length, "command")}. Ctrl-C ends them.`),
      );
      while (running.size > 0) await Promise.all(running.values());
      stopTimer();
      ctx.signal.removeEventListener("abort", stop);
      left += waiting.length;
      if (left > 0) ctx.say.warning(`--exec: the command was not run for ${countOf(left, "record")}.`);
    },
  };
}

/** Record and values never become part of the command: a device may send anything. */
function startCommand(ctx: CommandContext, command: string, found: StreamRecord): ChildProcess {
  const { record } = found;
  const kept = Object.entries(ctx.env).filter(([name]) => !secretVariables.includes(name));
  const child = spawn(command, {
    shell: true,
    cwd: ctx.cwd,
    env: {
      ...Object.fromEntries(kept),
      IOT_DEVICE: variable(deviceOf(found)),
      IOT_VARIABLE: variable(record["variable"]),
      IOT_VALUE: variable(record["value"]),
    },
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl-C in the terminal is for this program, which then ends the commands.
    detached: process.platform !== "win32",
  });
  // A command need not read what it is given.
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${JSON.stringify({ device: deviceOf(found), ...record })}\n`);
  for (const output of [child.stdout, child.stderr]) forward(ctx, output);
  return child;
}

const variable = (value: unknown): string => eventText(value).replaceAll("\0", "").slice(0, MOST_VARIABLE);

/** stdout is for the records. What a command says of them may hold what a device sent. */
function forward(ctx: CommandContext, output: Readable): void {
  createInterface({ input: output }).on("line", (line) => ctx.io.writeError(`${cleanLine(redact(line), 2_000)}\n`));
}

/** What went wrong, in words. */
function ended(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`could not be started (${error.message})`));
    child.once("close", (code, signal) => {
      if (code === 0) resolve(undefined);
      else resolve(code === null ? `was ended by ${signal}` : `ended with ${code}`);
    });
  });
}
