import type { CommandClock, CommandContext } from "../context.ts";
import type { Io } from "../io.ts";
import type { JobKindLoader } from "../jobs/job.ts";
import type { Finder } from "../resource/resolve-id.ts";
import type { Arguments, Input, OptionSpec, Options, TypedTexts } from "./options.ts";
import { completeOption } from "./parse-options.ts";
import type { ResultSpec } from "./result.ts";

export type { ArgumentSpec, OptionSpec } from "./options.ts";

/** Parsed input of any command: arguments by name, flags by camel-case name, converted by kind. */
export interface CommandInput {
  readonly args: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly texts?: TypedTexts;
}

/**
 * What a command does. `local` changes only this machine: its settings and files. `changes` and `deletes` are about the
 * platform, and a protected environment asks for its name before them.
 */
export type Effect = "reads" | "local" | "changes" | "deletes";

/** An effect that depends on the input. */
interface VaryingEffect<Given> {
  /** The most it can do, for lists of commands. */
  readonly most: Effect;
  of(input: Given, ctx: CommandContext): Effect;
}

/** A command: data plus one function. */
export interface Command<Given = CommandInput> {
  /** Words after the noun: `["list"]`, `["data", "send"]`. */
  readonly path: readonly string[];
  /** Other names of the last word: `ls`, `rm`, `info`, `edit`. */
  readonly aliases?: readonly string[];
  /** One line, a verb first, no full stop: "List the devices of the profile". */
  readonly summary: string;
  /** Paragraphs under the summary. */
  readonly details?: string;
  readonly args?: Arguments;
  readonly options?: Options;
  /** Names that shared flags had in this command: `{ concurrency: ["jobs"] }`. */
  readonly formerly?: Readonly<Record<string, readonly string[]>>;
  /**
   * Shared flag groups of section 3 that this command takes beyond the global ones. A command that changes the platform
   * takes `dryRun`, one that deletes `confirm` as well, unless this says otherwise.
   */
  readonly groups?: readonly ("list" | "pages" | "limit" | "confirm" | "dryRun")[];
  /** At least two, as typed: `iot device list --tag site=7`. They run in the sandbox as tests. */
  readonly examples: readonly string[];
  /** What `-o json` prints; `iot help schema` and the contract test read it. */
  readonly result?: ResultSpec;
  /** Exit codes besides those that follow from arguments, groups and `asks`; `only` where not all of them do. */
  readonly exitCodes?: readonly number[] | { readonly only: readonly number[] };
  readonly related?: readonly string[];
  /** A protected environment rejects every request that changes something while this says `reads` or `local`. */
  readonly effect: Effect | VaryingEffect<Given>;
  /** How the things it is about are looked up. Completion offers their names here and in the commands beside it. */
  readonly finder?: Finder;
  /** Runs although the user's settings cannot be read; `ctx.user.problem` then says why. */
  readonly toleratesBrokenSettings?: boolean;
  /**
   * What it needs from the platform: `nothing` works without a network or a token, `anonymous` sends without a token,
   * `token` needs a token and sends nothing. Every other command exits with 4 without a token, and with 10 when the
   * platform does not respond.
   */
  readonly asks?: "nothing" | "anonymous" | "token";
  /** Words after `--` are passed on untouched (`sandbox exec -- CMD`). */
  readonly passThrough?: boolean;
  /**
   * The command line that shows whether a change arrived when its response was lost. A related read command by default.
   */
  check?(input: Given): string;
  /** Does the work. Resolves to an exit code other than 0 only where the contract says so. */
  run(ctx: CommandContext, input: Given, program: Program): Promise<number | undefined> | Promise<void>;
}

/** One noun of the grammar. */
export interface Noun {
  readonly name: string;
  /** Plurals and short forms. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly section:
    | "Connection and tool"
    | "Devices and data"
    | "Dashboards and widgets"
    | "Code, rules and content"
    | "Account, portal and integrations";
  readonly load: () => Promise<{ readonly commands: readonly Command[] }>;
}

/** The process around a command line, where it is not the real one. */
export interface RunOptions {
  readonly io?: Io;
  readonly cwd?: string;
  /** Ends the run as Ctrl-C would. */
  readonly signal?: AbortSignal;
  /** Environment whose name was given before the run. */
  readonly opened?: string;
  /** For tests that do not wait. */
  readonly clock?: CommandClock;
  /**
   * For a caller that is not trusted: throws for a path of a file it may not touch. Such a run has no queue either, whose
   * workers write files of their own.
   */
  readonly allowFile?: (path: string) => void;
}

/** The program, for the commands that are about it: nouns import nothing that stands above them. */
export interface Program {
  readonly nouns: readonly Noun[];
  findNoun(word: string): Noun | undefined;
  /** What the first word of a line means without aliases and plugins: a command, or one whose error names a command. */
  meaningOf(word: string): Promise<"command" | "suggestion" | undefined>;
  readonly jobKinds: readonly JobKindLoader[];
  /** Runs one command line to its exit code. Nothing is thrown. */
  run(line: readonly string[], env: CommandContext["env"], options?: RunOptions): Promise<number>;
}

const usualGroups: Readonly<Record<Effect, NonNullable<Command["groups"]>>> = {
  reads: [],
  local: [],
  changes: ["dryRun"],
  deletes: ["confirm", "dryRun"],
};

/** The flag of the commands whose result has a secret. */
const revealOption = { name: "reveal", summary: "show secrets in full", leadsAway: true } as const satisfies OptionSpec;

function hasSecret(result: ResultSpec | undefined): boolean {
  if (result?.shape === "either") return result.of.some(hasSecret);
  return result !== undefined && "columns" in result && result.columns.some(({ kind }) => kind === "secret");
}

/** A command as it is written: what `run` gets follows from its arguments and flags. */
type Definition<Args extends Arguments, Flags extends Options> = Omit<
  Command<Input<Args, Flags>>,
  "args" | "options"
> & {
  readonly args?: Args;
  readonly options?: Flags;
};

/**
 * Checks a command where it is defined, and adds what follows from its effect, its result and the kinds of its flags.
 */
export function defineCommand<const Args extends Arguments = Arguments, const Flags extends Options = Options>(
  command: Definition<Args, Flags>,
): Command {
  const { effect, result, options = [] } = command;
  const all: Options = hasSecret(result) ? [...options, revealOption] : options;
  return {
    groups: typeof effect === "string" ? usualGroups[effect] : [],
    ...command,
    ...(all.length > 0 && { options: all.map(completeOption) }),
  };
}
