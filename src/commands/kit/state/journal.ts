import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import type { CommandInput } from "../command/define.ts";
import { isOn } from "../command/dynamic.ts";
import type { Options } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { conflictError, usageError } from "../failures/command-error.ts";
import { isObject, onFile, readTextIfThere, writePrivate } from "../files/files.ts";
import { showPath, userFolders } from "../settings/paths.ts";
import { digest } from "./digest.ts";
import { lockOrRefuse, lockOwner } from "./lock.ts";
import { pruneState } from "./notes.ts";

/** The one record of progress: what a run noted, stored until all of it is done. */
export interface Journal {
  /** With `--resume`: an earlier run did all of it, so nothing is left to do. */
  readonly isDone: boolean;
  /** Whether an earlier run noted anything. */
  readonly isBegun: boolean;
  /** Whether the item was finished in an earlier run and is still the same. */
  has(item: string, mark: string): boolean;
  /** What was last noted of an item. */
  mark(item: string): string | undefined;
  /** Notes an item; it is on the disk when this returns. */
  add(item: string, mark: string): void;
  /** Everything is done. */
  finish(): void;
}

/** A batch that can be resumed. */
export interface JournalRun {
  /** What makes two runs the same batch: command, destination, name of the file. */
  readonly key: readonly string[];
  /** Hash of the input. A finished run counts for this content alone. Absent for stdin, which cannot be resumed. */
  readonly content: string | undefined;
  /** For messages: `import of "data.csv"`. */
  readonly what: string;
  /** Whether to continue an unfinished run; `--resume` unless given. */
  readonly isResumed?: boolean;
  /** Whether there is something to resume besides this journal, or nothing need be there. */
  readonly isBegun?: boolean;
  /** Question asked where a new run would do again what an interrupted one has done. */
  readonly repeats?: string;
  /** Called before a new run replaces an unfinished one, which can be resumed until then: asks what is to be asked. */
  replaces?(unfinished: UnfinishedRun): Promise<void>;
}

/** Changes with the form of the notes: a run of another one cannot be continued. */
const VERSION = 2;

/** Notes about a whole run, not about something that was done, have such a name. */
export const aboutRun = (name: string): string => `:${name}`;
const isWork = ([item, mark]: readonly [string, string]): boolean => !item.startsWith(":") && mark !== "";

/** The flags of a command with a journal. */
export const resumeOptions = [
  {
    name: "resume",
    summary: "resume an interrupted run; does nothing after a finished one",
    conflicts: ["again"],
  },
  { name: "again", summary: "start over and ignore earlier runs" },
] as const satisfies Options;

/** What a journal file says. */
interface Stored {
  readonly items: Map<string, string>;
  readonly isThere: boolean;
  /** Form of the notes; undefined for that of the programs which noted none. */
  readonly version?: unknown;
  /** What the run is about. */
  readonly key?: readonly string[];
  /** Of a finished run. */
  readonly done?: { readonly content: string; readonly at: string };
}

/**
 * Runs a batch with its journal, which is in the folder for state and locked meanwhile.
 *
 * @throws CommandError exit 7 when another process works on the same batch; exit 2 when there is nothing to resume
 */
export async function withJournal<T>(
  ctx: CommandContext,
  input: CommandInput,
  run: JournalRun,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  return withRun(ctx, { isResumed: isOn(input, "resume"), ...run }, isOn(input, "again"), work);
}

/** As `withJournal`, for work whose flags are read elsewhere. */
export async function withRun<T>(
  ctx: CommandContext,
  run: JournalRun,
  isAgain: boolean,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  const { isResumed = false } = run;
  const folder = folderOf(ctx.env);
  const path = pathOf(ctx.env, run.key);
  if (ctx.flags.dryRun) return work(openJournal(undefined, run, isResumed ? read(path) : nothing()));
  makeFolder(folder, 0o700);
  const lock = onFile(path, () => lockOrRefuse(path, run.what));
  try {
    pruneState(folder, isFinished);
    const stored = read(path);
    if (isResumed && isOlder(stored)) throw olderRun(run.what, startOver(path));
    const goesOn = isResumed && (await isResumable(ctx, run, stored));
    const hasDone = [...stored.items].some(isWork);
    if (!goesOn && hasDone && run.repeats !== undefined && !isAgain)
      await ctx.confirm({ level: 1, action: run.repeats, name: "again" });
    const unfinished = goesOn ? undefined : unfinishedIn(path);
    if (unfinished !== undefined) await run.replaces?.(unfinished);
    if (!goesOn) rmSync(path, { force: true });
    const journal = openJournal(path, run, goesOn ? stored : nothing());
    try {
      return await work(journal);
    } finally {
      journal.close();
    }
  } finally {
    lock.release();
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
const folderOf = (env: Environment): string => join(userFolders(env).state, "journals");
const pathOf = (env: Environment, key: readonly string[]): string => join(folderOf(env), `${digest(key)}.jsonl`);

/** A run that ended in the middle. */
export interface UnfinishedRun {
  readonly key: readonly string[];
  /** How many notes it made of what was done. */
  readonly steps: number;
  /** What it last noted of an item. */
  mark(item: string): string | undefined;
}

/** The unfinished run with this key. */
export function unfinishedRun(env: Environment, key: readonly string[]): UnfinishedRun | undefined {
  return unfinishedIn(pathOf(env, key));
}

/** The unfinished runs whose keys start with a word, without those of processes that still live. */
export function unfinishedRuns(env: Environment, word: string): UnfinishedRun[] {
  const folder = folderOf(env);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
  return names.flatMap((name) => {
    const path = join(folder, name);
    const run = lockOwner(`${path}.lock`) === undefined ? unfinishedIn(path) : undefined;
    return run?.key[0] === word ? [run] : [];
  });
}

/** More than a finished run takes: no other journal is read to know it. */
const FINISHED_BYTES = 1_000;

/** Whether a file of the folder is the journal of a finished run. */
const isFinished = (path: string): boolean =>
  path.endsWith(".jsonl") && statSync(path).size < FINISHED_BYTES && read(path).done !== undefined;

function unfinishedIn(path: string): UnfinishedRun | undefined {
  const { key, items, isThere, done } = read(path);
  if (!isThere || done !== undefined || key === undefined) return undefined;
  return { key, steps: [...items].filter(isWork).length, mark: (item) => items.get(item) };
}

const nothing = (): Stored => ({ items: new Map(), isThere: false });

/** Whether `--resume` has a run to continue; else the user decides whether to start from the beginning. */
async function isResumable(
  ctx: CommandContext,
  { what, content, isBegun }: JournalRun,
  { done, isThere }: Stored,
): Promise<boolean> {
  if (isBegun === true || (done === undefined && isThere)) return true;
  if (done !== undefined && done.content === content) {
    ctx.say.info(`The ${what} finished on ${done.at.slice(0, 19)}Z; nothing to do. Use --again to start a new one.`);
    return true;
  }
  if (!ctx.canPrompt || ctx.flags.yes) {
    throw usageError(`No interrupted ${what} to resume.`, {
      code: "resume.nothing",
      why:
        done === undefined
          ? "This machine has no record of an earlier run."
          : `The run that finished on ${done.at.slice(0, 19)}Z had other content or flags.`,
      next: "Use --again instead of --resume to start over.",
    });
  }
  const action = `Nothing to resume. Start the ${what} from the beginning`;
  await ctx.confirm({ level: 1, action, name: "again" });
  return false;
}

/** Whether a run of an older program noted something: its notes cannot be read. */
const isOlder = ({ items, done, version }: Stored): boolean =>
  items.size > 0 && done === undefined && version !== VERSION;

/** The failure of a run that another version began. */
export const olderRun = (what: string, next: string): Error =>
  conflictError(`The interrupted ${what} cannot be resumed.`, {
    code: "resume.older",
    why: "Another version of iot started it, which noted its progress in another form.",
    next,
  });

/** What to do about such a run: not every command has --again. */
const startOver = (path: string): string =>
  `Resume it with that version. To start over, check what it has done, delete ${showPath(path)}, and run the command without --resume.`;

/** Of a run that cannot be resumed. */
export const noJournal = (): Journal => openJournal(undefined, { key: [], content: undefined, what: "" }, nothing());

function openJournal(
  path: string | undefined,
  { content, key }: JournalRun,
  { items, done, version }: Stored,
): Journal & { close(): void } {
  let file: number | undefined;
  const put = (line: object): void => {
    if (path === undefined) return;
    onFile(path, () => {
      file ??= openSync(path, "a", 0o600);
      // A line that a crash has cut off must not swallow this one.
      writeFileSync(file, `\n${JSON.stringify(line)}`);
      fsyncSync(file);
    });
  };
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  // From here on there is a run to resume, even if it does not come as far as its first item.
  if (done === undefined && version !== VERSION) put({ begun: new Date().toISOString(), version: VERSION, key });
  return {
    isDone: done !== undefined,
    isBegun: items.size > 0,
    has: (item, mark) => items.get(item) === mark,
    mark: (item) => items.get(item),
    add(item, mark) {
      items.set(item, mark);
      put([item, mark]);
    },
    finish() {
      close();
      if (path === undefined || done !== undefined) return;
      if (content === undefined) rmSync(path, { force: true });
      else writePrivate(path, `${JSON.stringify({ done: content, at: new Date().toISOString() })}\n`);
    },
    close,
  };
}

function read(path: string): Stored {
  const text = readTextIfThere(path);
  const items = new Map<string, string>();
  let done: Stored["done"];
  let head: Pick<Stored, "version" | "key"> = {};
  for (const line of text?.split("\n") ?? []) {
    const entry = entryOf(line);
    if (Array.isArray(entry)) {
      const [item, mark]: unknown[] = entry;
      if (typeof item === "string" && typeof mark === "string") items.set(item, mark);
    } else if (isObject(entry) && typeof entry["done"] === "string") {
      done = { content: entry["done"], at: String(entry["at"]) };
    } else if (isObject(entry) && Array.isArray(entry["key"])) {
      head = { version: entry["version"], key: entry["key"].map(String) };
    }
  }
  return { items, isThere: text !== undefined, ...head, ...(done === undefined ? {} : { done }) };
}

// The last line may be cut off, when the run before was.
function entryOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Hash of a file, if there is one, and of all else that decides what is done. */
export async function contentOf(path: string | undefined, rest: readonly unknown[]): Promise<string> {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(JSON.stringify(rest));
  if (path !== undefined)
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest("hex").slice(0, 32);
}
