import { existsSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../lib/core/defined.ts";
import type { SandboxOptions } from "../../sandbox/index.ts";
import { cleanText } from "../../text/clean.ts";
import { option, optionFlag, optionList, optionNumber } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import { parseRate, quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, conflictError, inputError, usageError } from "../kit/failures/command-error.ts";
import type { Io } from "../kit/io.ts";
import { parseFault } from "./faults.ts";
import { sandboxFolder } from "./state.ts";

/** Port of a sandbox that was not given one; another free one when it is taken. */
export const DEFAULT_PORT = 5410;

/** What the package has ready to fill a sandbox with, besides folders of the user: the names in src/sandbox/seeds. */
export const SCENARIOS = ["demo", "empty", "factory", "failures", "fleet-1000"] as const;

/** What a new sandbox holds; `start`, `exec` and `seed` share it. */
export const seedOptions: readonly OptionSpec[] = [
  {
    name: "seed",
    value: "content",
    summary: "scenario, path of a folder, or a number that varies the history of the demo account (demo)",
  },
  { name: "scenario", value: "name", summary: "built-in content, see docs/sandbox.md", choices: SCENARIOS },
];

/** What `start` and `exec` share. */
export const behaviourOptions: readonly OptionSpec[] = [
  ...seedOptions,
  { name: "rate", value: "n/s", summary: "readings that each device of the seed sends per s, m, h or d: 1/s (none)" },
  { name: "fault", value: "rule", summary: 'fault to inject: "status=503 count=2 GET /device*"', repeat: true },
  {
    name: "clock",
    value: "when",
    summary: "real, x60 (60 times as fast), or a fixed date (real)",
  },
  {
    name: "allow-origin",
    value: "url",
    summary: "allowed CORS origin, such as http://localhost:3000",
    repeat: true,
  },
  { name: "tls", summary: "serve https with a certificate created for this sandbox" },
  { name: "strict", summary: "reject with 501 what rests on an assumption (see iot sandbox gaps)" },
  { name: "rate-limits", summary: "enforce the rate limits of the plan: 429 with Retry-After" },
  {
    name: "plan",
    value: "name",
    summary: "plan whose limits apply (default: that of the account)",
    choices: ["free", "starter", "scale"],
  },
  {
    name: "access",
    value: "reach",
    summary:
      "access rules: enforced (for every analysis, too) or open (for all); default: portal users and analyses named in a rule",
    choices: ["enforced", "open"],
  },
  {
    name: "demo-tokens",
    summary: "use the published tokens and passwords instead of random ones",
  },
  {
    name: "scripts",
    summary: "do not run uploaded analyses as processes of your user; --scripts runs them even with --host",
    negatable: true,
    // Off where other machines can reach the sandbox: an upload there would run programs here.
    undecided: true,
  },
];

/** Flags of both, as the server takes them. */
export function behaviourFrom(
  ctx: Pick<CommandContext, "path"> & { readonly io: Pick<Io, "writeError"> },
  input: CommandInput,
): Pick<
  SandboxOptions,
  | "log"
  | "seed"
  | "rate"
  | "faults"
  | "clock"
  | "rateLimits"
  | "plan"
  | "access"
  | "tokens"
  | "scripts"
  | "tls"
  | "strict"
> {
  const seed = seedFrom(ctx, input);
  const [clock, rate] = [option(input, "clock"), option(input, "rate")];
  const faults = optionList(input, "fault").map(parseFault);
  const plan = planFrom(option(input, "plan"));
  const access = accessFrom(option(input, "access"));
  const scripts = scriptsFrom(input);
  return {
    tokens: optionFlag(input, "demo-tokens") ? "demo" : "random",
    // Names of devices and actions are in it.
    log: (message) => ctx.io.writeError(`${cleanText(message)}\n`),
    ...defined({ scripts, plan, access, seed }),
    ...(optionFlag(input, "tls") ? { tls: true } : {}),
    ...(optionFlag(input, "strict") ? { strict: true } : {}),
    ...(optionFlag(input, "rate-limits") ? { rateLimits: true } : {}),
    ...(clock === undefined ? {} : { clock: clockFrom(clock) }),
    ...(rate === undefined ? {} : { rate: 1000 / parseRate(rate, "--rate") }),
    ...(faults.length === 0 ? {} : { faults }),
  };
}

/** What `--scripts` and `--no-scripts` say; nothing without either. */
function scriptsFrom(input: CommandInput): boolean | undefined {
  const { scripts } = input.options;
  return typeof scripts === "boolean" ? scripts : undefined;
}

/** Flags that say what the server does, once more for another process. */
export function sameBehaviour(input: CommandInput): string[] {
  const values = ["seed", "scenario", "rate", "clock", "plan", "access"].flatMap((name) => {
    const value = option(input, name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  const lists = ["fault", "allow-origin"].flatMap((name) =>
    optionList(input, name).flatMap((value) => [`--${name}`, value]),
  );
  const switches = ["tls", "strict", "rate-limits", "demo-tokens"]
    .filter((name) => optionFlag(input, name))
    .map((name) => `--${name}`);
  const scripts = scriptsFrom(input);
  return [...values, ...lists, ...switches, ...(scripts === undefined ? [] : [scripts ? "--scripts" : "--no-scripts"])];
}

/** Published tokens are for this machine alone: a sandbox that other machines reach never has them. */
export async function checkTokens(input: CommandInput): Promise<void> {
  const host = option(input, "host");
  if (host === undefined || !optionFlag(input, "demo-tokens")) return;
  const { isLoopback } = await import("../../sandbox/http/host-check.ts");
  if (isLoopback(host)) return;
  throw usageError(`--demo-tokens cannot be used with --host ${quote(host)}.`, {
    why: "The published tokens are public, and other machines can reach this address.",
    next: "Remove --demo-tokens; start prints random tokens.",
  });
}

/** The origins of `--allow-origin`, in the form browsers send. */
export async function allowOriginsFrom(input: CommandInput): Promise<Pick<SandboxOptions, "allowOrigins">> {
  const named = optionList(input, "allow-origin");
  if (named.length === 0) return {};
  const { httpOrigin } = await import("../../lib/core/http-origin.ts");
  const allowOrigins = named.map((text) => {
    const origin = httpOrigin(text);
    if (origin !== undefined) return origin;
    throw usageError(`--allow-origin ${quote(text)} is not a web origin.`, {
      next: "Use only scheme, host and port, such as http://localhost:3000.",
    });
  });
  return { allowOrigins };
}

function planFrom(text: string | undefined): SandboxOptions["plan"] {
  if (text === undefined || text === "free" || text === "starter" || text === "scale") return text;
  throw usageError(`Invalid --plan ${quote(text)}.`, { next: "Use free, starter or scale." });
}

export function accessFrom(text: string | undefined): SandboxOptions["access"] {
  if (text === undefined || text === "open" || text === "enforced") return text;
  throw usageError(`Invalid --access ${quote(text)}.`, { next: "Use enforced or open." });
}

/** Said at the start: a script can do whatever the user can. */
export function scriptsNote(runsScripts: boolean): string {
  if (runsScripts) return "Analyses run as processes of your user; use --no-scripts to disable this.";
  return "Uploaded analyses do not run; use --scripts to enable them.";
}

/** What access rules bind in a sandbox started so: a program that works here may be refused on the platform. */
export function accessNote(access: SandboxOptions["access"]): string {
  if (access === "open") return "Access rules are not enforced.";
  if (access === "enforced") return "Access rules apply to portal users and every analysis.";
  return "Access rules apply to portal users and to analyses named in a rule; --access enforced applies them to every analysis.";
}

/** What `--seed` or `--scenario` chooses: a folder by its whole path. */
export function seedFrom(ctx: Pick<CommandContext, "path">, input: CommandInput): SandboxOptions["seed"] {
  const [text, scenario] = [option(input, "seed"), option(input, "scenario")];
  if (text !== undefined && scenario !== undefined)
    throw usageError("--seed and --scenario cannot be used together.", { next: "Use one of them." });
  const isScenario = (name: string): boolean => SCENARIOS.some((known) => known === name);
  if (scenario !== undefined && !isScenario(scenario))
    throw usageError(`Invalid --scenario ${quote(scenario)}.`, { next: `Use one of ${SCENARIOS.join(", ")}.` });
  if (text === undefined || isScenario(text)) return text ?? scenario;
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  const folder = ctx.path(text);
  if (existsSync(folder)) return folder;
  throw usageError(`Invalid --seed ${quote(text)}.`, {
    why: "There is no scenario or folder of this name.",
    next: `Use one of ${SCENARIOS.join(", ")}, a whole number, or the path of a folder.`,
  });
}

function clockFrom(text: string): "real" | `x${number}` | Date {
  if (text === "real") return text;
  const factor = Number(/^x(\d+(?:\.\d+)?)$/.exec(text)?.[1]);
  if (factor > 0) return `x${factor}`;
  const moment = new Date(text);
  if (/^\d{4}-/.test(text) && !Number.isNaN(moment.getTime())) return moment;
  throw usageError(`Invalid --clock ${quote(text)}.`, {
    next: "Use real, x60 or a date such as 2026-01-31T08:00:00Z.",
  });
}

/** Folder of the data: the one named, else one below the user's state folder. */
export function dataDirFrom(ctx: CommandContext, input: CommandInput): string | undefined {
  if (optionFlag(input, "ephemeral")) return undefined;
  const named = option(input, "data-dir");
  return named === undefined ? join(sandboxFolder(ctx), "data") : ctx.path(named);
}

export function portFrom(input: CommandInput): number | undefined {
  const port = optionNumber(input, "port", 0);
  if (port === undefined || port <= 65_535) return port;
  throw usageError("--port must be at most 65535.", { next: "Use 0 for any free port." });
}

/** What keeps a server from starting, in words. */
export function explainStart(error: unknown, port: number | undefined): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return conflictError(`Port ${port} is in use.`, {
      code: "sandbox.port",
      next: 'Choose another port with --port, or run "iot sandbox status".',
    });
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EACCES") {
    return usageError("Cannot listen on the address.", { why: error.message, next: "Check --host and --port." });
  }
  if (error.name === "SeedError") {
    const next = "next" in error ? { next: String(error.next) } : {};
    return inputError("The seed cannot be used.", { code: "sandbox.seed", why: error.message, ...next, cause: error });
  }
  if (error.name === "DataDirectoryError" || error.name === "MigrationError") {
    return new CommandError(error.message.endsWith(".") ? error.message : `${error.message}.`, {
      code: "sandbox.data",
      exit: 7,
      next: 'Run "iot sandbox status", or use another folder with --data-dir, or --ephemeral.',
      cause: error,
    });
  }
  return error;
}
