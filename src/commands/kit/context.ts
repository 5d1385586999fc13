import type { ClientOptions, Device, Limiter, Resources, Transport } from "../../index.ts";
import type { Output } from "./command/columns.ts";
import type { GlobalFlags } from "./command/flags.ts";
import type { Io } from "./io.ts";
import type { StatusLine } from "./say/status-line.ts";
import type { ProjectConfig, ResolvedSetting, UserConfig } from "./settings/config.ts";

/** Which platform the command talks to, and with what. */
export interface Target {
  /** Name of the environment, or `""` when it comes from variables alone. */
  readonly envName: string;
  /**
   * How to name the target to people: `prod (us-e1)`, `IOT_API_URL (http://127.0.0.1:4000)`. Of a connection whose
   * profile is known, `prod (Acme)`.
   */
  readonly label: string;
  readonly api: string;
  readonly events: string;
  readonly isProtected: boolean;
}

/** A target, and the credential for it. */
export interface Connection extends Target {
  /** Never printed. */
  readonly token: string;
  /** Where the token came from: `IOT_TOKEN`, `credentials file`, `--token-file` ... */
  readonly tokenSource: string;
  readonly expiresAt?: Date | "never";
  /** Profile of a stored token, as it was at the login. */
  readonly profile?: { readonly id: string; readonly name: string };
}

/** Keeps a protected environment as it is until its name was given. */
export interface Gate {
  /** Whether the name was given in this run, so that no question of the command asks for it again. */
  readonly isAnswered: boolean;
  /** Whether requests that change something may be sent; always in an environment that is not protected. */
  isOpen(): Promise<boolean>;
  /**
   * Asks for the name, or checks `--confirm`; does nothing when the gate is open. Rejects when the name is another one.
   *
   * @param what up to the name of the environment: `"iot device create" changes`
   */
  pass(what: string): Promise<void>;
  /** For a screen that asks by itself: opens the gate, and rejects when the name is another one. */
  answer(name: string): Promise<void>;
}

/** A question before something is changed. */
export interface Confirmation {
  /** 1: yes or no, `--yes`. 2: type the name, `--confirm name`; yes or no where the name of the environment was given. */
  readonly level: 1 | 2;
  /** What is about to happen, without the question mark: `Delete device "Pump 3"`. */
  readonly action: string;
  /** Where it happens, when that is not the platform: `on this machine`. */
  readonly where?: string;
  /** The name to type at level 2. */
  readonly name: string;
  /** A name that is taken as well, such as that of the environment. Empty: none. */
  readonly otherName?: string;
  /** Shown before the question when several things are concerned. */
  readonly items?: readonly string[];
}

export interface Messages {
  /** @param file a file that the text names, as it is written there: clickable on terminals that know links */
  info(text: string, file?: string): void;
  warning(text: string): void;
  hint(text: string): void;
  /** Only with `--verbose`. */
  detail(text: string): void;
}

/** One line of a list to choose from. */
export interface Choice<T> {
  readonly label: string;
  readonly value: T;
  readonly hint?: string;
}

export interface Prompts {
  text(question: string, options?: { readonly initial?: string }): Promise<string>;
  /** Read without echo. */
  secret(question: string): Promise<string>;
  select<T>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  /** A list of any length, searched by typing. With `many`, several may be chosen; else the result holds one. */
  pick<T>(question: string, choices: readonly Choice<T>[], many: boolean): Promise<readonly T[]>;
}

/** A change that would be sent, for `--dry-run`. */
export interface PlannedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The user's settings as this run sees them. */
export interface UserFiles {
  readonly config: UserConfig;
  readonly project: ProjectConfig | undefined;
  readonly settings: ReadonlyMap<string, ResolvedSetting>;
  /** Why the settings could not be read, for the commands that run nevertheless. */
  readonly problem?: unknown;
}

/** Time as a command sees it. */
export interface CommandClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a monotonic clock: system time changes do not affect it. For deadlines and rates. */
  elapsed(): number;
  /** Waits a time of any length. Rejects when the command is asked to stop. */
  sleep(ms: number): Promise<void>;
}

/** Client options of a command: what comes from the flags, and the transport that all its requests take. */
export type RequestOptions = ClientOptions & { readonly transport: Transport };

/** What the clients of batches do about the platform's rate limits. */
export interface RateLimits {
  /** Holds requests back before the platform rejects them. One for all clients: the platform counts per profile. */
  limiter(): Promise<Limiter>;
  /** Whether a request rejected with 429 waits and is sent again. False where the caller waits, as a queue does. */
  readonly waits: boolean;
}

/** Everything a command may use. Expensive properties are functions and do their work on first use. */
export interface CommandContext {
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /**
   * Whole path of a file or folder that was named, or that the command names itself. The only way to one: a run that is
   * limited to a folder (`iot mcp --files`) rejects here what lies outside.
   */
  path(text: string): string;
  readonly flags: GlobalFlags;
  /** Aborted by the first Ctrl-C or a termination signal. */
  readonly signal: AbortSignal;
  readonly clock: CommandClock;
  /** The line of the terminal that shows progress and waits. */
  readonly status: StatusLine;
  readonly out: Output;
  readonly say: Messages;
  /** Rejects with a usage failure (exit 2) naming `flag` where prompts are not possible. */
  prompts(flag: string): Promise<Prompts>;
  /** Whether a question could be asked at all. */
  readonly canPrompt: boolean;
  /** Where requests go, without looking for a credential. */
  target(): Promise<Target>;
  /** Rejects (exit 4) when there is no credential. */
  connection(): Promise<Connection>;
  /**
   * How to name environment and profile to people: `prod (Acme)`. An unknown profile is requested once; without a
   * response, the API address is used.
   */
  where(): Promise<string>;
  /** As `where`, but nothing is asked for: names the profile where it is known. For messages and errors. */
  label(): Promise<string>;
  /** Has to be passed before something is changed in a protected environment. */
  readonly gate: Gate;
  /** Signal, timeout, attempts, proxy and CA of the flags, for calls made without `client()`. */
  clientOptions(): RequestOptions;
  /** What clients of batches do about the platform's rate limits. */
  readonly limits: RateLimits;
  /** Where the user's settings, project and credentials are; for the commands about them. */
  readonly user: UserFiles;
  /** The client of the chosen environment; `ctx.signal`, timeout, retries, proxy and CA are already set. */
  client(): Promise<Resources>;
  /** A client with a device's own token. */
  deviceClient(token: string): Promise<Device>;
  /** The same command with another environment: where a copy goes. It needs a stored token of its own there. */
  inEnvironment(name: string): CommandContext;
  /** Asks, or checks `--yes` / `--confirm`. Rejects (130) when the user says no. */
  confirm(question: Confirmation): Promise<void>;
  /** With `--dry-run`: prints the requests and returns true; the caller then sends nothing. */
  dryRun(requests: PlannedRequest | readonly PlannedRequest[]): Promise<boolean>;
  /** Says what was changed: `Deleted device "Pump 3"` becomes `Deleted device "Pump 3" in prod (Acme).` */
  done(text: string): Promise<void>;
  /**
   * Called once, after the command: with `-o json` it closes the list of requests that `--dry-run` printed, and prints
   * `null` where the command printed nothing, so that there is always one document.
   */
  endResult(): Promise<void>;
  /** Reads `-` (stdin), a file, or `@file`; the failure names the flag. */
  readInput(place: string, flag: string): Promise<string>;
}
