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
 */
export class UserPager implements Pager {
  readonly #io: Pick<Io, "write" | "writeError" | "rows">;
  readonly #command: string;
  readonly #env: Environment;
  readonly #lend: () => () => void;
  readonly #most: number;
  #kept = "";
  #child: ChildProcess | undefined;
  #ended: Promise<number | null> | undefined;
  #isOpen = true;
  #giveBack: (() => void) | undefined;

  /** @param lend called when the pager takes the terminal; what it returns, when it has left */
  constructor(
    io: Pick<Io, "write" | "writeError" | "rows">,
    command: string,
    env: Environment,
    lend: () => () => void = () => () => undefined,
  ) {
    this.#io = io;
    this.#command = command;
    this.#env = env;
    this.#lend = lend;
    this.#most = Math.max(1, (io.rows?.() ?? 24) - 1);
  }

  async write(piece: string | Uint8Array): Promise<void> {
    const text = typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8");
    if (!this.#isOpen) return this.#io.write(text);
    if (this.#child !== undefined) {
      // Buffers the text until the pager has started: it may turn out not to exist.
      if (this.#kept.length < 1_000_000) this.#kept += text;
      return this.#show(text);
    }
    this.#kept += text;
    if (linesOf(this.#kept) <= this.#most) return;
    this.#open();
    return this.#show(this.#kept);
  }

  async close(): Promise<void> {
    if (this.#child === undefined) {
      if (this.#isOpen && this.#kept !== "") await this.#io.write(this.#kept);
      return;
    }
    if (!this.#isOpen) return;
    this.#child.stdin?.end();
    if (await this.#isMissing()) await this.#without();
    this.#giveBack?.();
  }

  #open(): void {
    this.#giveBack = this.#lend();
    const child = start(this.#command, this.#env);
    this.#child = child;
    child.stdin?.on("error", () => undefined);
    this.#ended = new Promise((resolve) => {
      child.once("error", () => resolve(127));
      child.once("close", resolve);
    });
  }

  async #show(text: string): Promise<void> {
    try {
      await this.#give(text);
    } catch {
      if (await this.#isMissing()) return this.#without();
      throw new ClosedPipeError("The pager was left");
    }
  }

  #give(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child?.stdin?.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Whether the pager is gone because it never came. */
  async #isMissing(): Promise<boolean> {
    return notStarted.has((await this.#ended) ?? 0);
  }

  async #without(): Promise<void> {
    this.#isOpen = false;
    this.#giveBack?.();
    this.#giveBack = undefined;
    this.#io.writeError(`warning: Could not start the pager "${this.#command}"; showing the text without it.\n`);
    const text = this.#kept;
    this.#kept = "";
    await this.#io.write(text);
  }
}
