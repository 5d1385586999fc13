import type { ChildProcess } from "node:child_process";
import type { Io } from "../io.ts";
import { ClosedPipeError } from "../io.ts";
import { isInPath } from "../process/in-path.ts";

/** Text on its way to the user's pager, or past it when it fits the screen. */
export interface Pager {
  write(text: string | Uint8Array): Promise<void>;
  /** No more text; resolves when the user has left the pager. */
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What the shell says when there is no such program; that of Windows says 1. */
const notStarted = new Set(process.platform === "win32" ? [1, 9009] : [126, 127]);

/**
 * The user's pager: `IOT_PAGER` or the setting of that name, else `PAGER`, else less where there is one. Empty and `cat`
 * mean none, and so does a run that must not wait for anybody.
 */
export function chosenPager(setting: string | undefined, env: Environment, mayWait: boolean): string | undefined {
  if (!mayWait || env["TERM"] === "dumb") return undefined;
  const name = (setting ?? env["PAGER"] ?? (isInPath("less", env) ? "less -FRX" : "")).trim();
  return name === "" || name === "cat" ? undefined : name;
}

const linesOf = (text: string): number => text.split("\n").length - 1;

function start(command: string, env: Environment): ChildProcess {
  // What git sets, too: less leaves at once where the text fits, and keeps colours.
  const own = { ...env, LESS: env["LESS"] ?? "FRX" };
  return process
    .getBuiltinModule("node:child_process")
    .spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env: own });
}

/**
 * Shows text in a pager as soon as it is longer than the screen. Leaving the pager early ends
 * the program quietly, as a closed pipe does; when a pager cannot start, a warning says so and the text is shown without it.
 *
 * @param lend called when the pager takes the terminal; what it returns, when it has left
 */
export function openPager(
  io: Pick<Io, "write" | "writeError" | "rows">,
  command: string,
  env: Environment,
  lend: () => () => void = () => () => undefined,
): Pager {
  const most = Math.max(1, (io.rows?.() ?? 24) - 1);
  let kept = "";
  let child: ChildProcess | undefined;
  let ended: Promise<number | null> | undefined;
  let isOpen = true;
  let giveBack: (() => void) | undefined;

  /** Whether the pager is gone because it never came. */
  async function isMissing(): Promise<boolean> {
    return notStarted.has((await ended) ?? 0);
  }

  async function without(): Promise<void> {
    isOpen = false;
    giveBack?.();
    giveBack = undefined;
    io.writeError(`warning: Could not start the pager "${command}"; showing the text without it.\n`);
    const text = kept;
    kept = "";
    await io.write(text);
  }

  function give(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      child?.stdin?.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  return {
    async write(piece) {
      const text = typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8");
      if (!isOpen) return io.write(text);
      if (child !== undefined) {
        // Buffers the text until the pager has started: it may turn out not to exist.
        if (kept.length < 1_000_000) kept += text;
        try {
          return await give(text);
        } catch {
          if (await isMissing()) return without();
          throw new ClosedPipeError("The pager was left");
        }
      }
      kept += text;
      if (linesOf(kept) <= most) return;
      giveBack = lend();
      child = start(command, env);
      child.stdin?.on("error", () => undefined);
      ended = new Promise((resolve) => {
        child?.once("error", () => resolve(127));
        child?.once("close", resolve);
      });
      try {
        await give(kept);
      } catch {
        if (await isMissing()) return without();
        throw new ClosedPipeError("The pager was left");
      }
    },

    async close() {
      if (child === undefined) {
        if (isOpen && kept !== "") await io.write(kept);
        return;
      }
      if (!isOpen) return;
      child.stdin?.end();
      if (await isMissing()) await without();
      giveBack?.();
    },
  };
}
