import { existsSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../lib/core/defined.ts";
import type { SandboxOptions, TipOptions } from "../../sandbox/index.ts";
import { cleanText } from "../../text/clean.ts";
import type { Input, OptionSpec } from "../kit/command/options.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, conflictError, inputError, usageError } from "../kit/failures/command-error.ts";
import type { Io } from "../kit/io.ts";
import { parseFault } from "./faults.ts";
import { sandboxFolder } from "./state.ts";

/** Port of a sandbox that was not given one; another free one when it is taken. */
export const DEFAULT_PORT = 5410;

/** What the package has ready to fill a sandbox with, besides folders of the user: the names in src/sandbox/seeds. */
export const SCENARIOS = ["demo", "empty", "factory", "failures", "fleet-1000", "tip"] as const;

/** What a new sandbox holds; `start`, `exec` and `seed` share it. */
export const seedOptions = [
  {
    name: "seed",
    value: "content",
    conflicts: ["scenario"],
    summary: "scenario, path of a folder, or a number that varies the history of the demo account (demo)",
  },
  { name: "scenario", value: "name", summary: "built-in content, see docs/sandbox-content.md", choices: SCENARIOS },
] as const satisfies readonly OptionSpec[];

/** What `start` and `exec` share. */
export const behaviourOptions = [
  ...seedOptions,
  { name: "rate", kind: "rate", summary: "readings that each device of the seed sends per s, m, h or d: 1/s (none)" },
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
  {
    name: "tip",
    summary: "speak TagoTiP, the device protocol, over UDP, TCP, HTTP and MQTT (see docs/tip.md)",
  },
  {
    name: "tip-ports",
    value: "list",
    summary:
      "ports of TagoTiP such as udp=5683,udps=5684,tcp=5693,mqtt=1883, with --tls also tls and mqtts; 0 for any free one",
  },
  {
    name: "tip-sequence",
    value: "on|off",
    summary: "whether counters of TagoTiP must rise (on)",
    choices: ["on", "off"],
  },
  {
    name: "tip-lives",
    value: "on|off",
    summary: "whether connections of TagoTiP end after 10 to 15 s, and 5 s of silence (on)",
    choices: ["on", "off"],
  },
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
] as const satisfies readonly OptionSpec[];

/** Writes what the server says. Names of devices and actions are in it. */
export const logTo =
  (io: Pick<Io, "writeError">) =>
  (message: string): void =>
    io.writeError(`${cleanText(message)}\n`);

/** Flags of both, as the server takes them. */
export function behaviourFrom(
  ctx: Pick<CommandContext, "path" | "io">,
  input: Input<[], typeof behaviourOptions>,
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
  | "tip"
> {
  const seed = seedFrom(ctx, input);
  const { clock, rate, plan, access, scripts } = input.options;
  const faults = input.options.fault.map(parseFault);
  const tip = tipFrom(input);
  return {
    tokens: input.options.demoTokens ? "demo" : "random",
    log: logTo(ctx.io),
    ...defined({ scripts, plan, access, seed, tip }),
    ...(input.options.tls ? { tls: true } : {}),
    ...(input.options.strict ? { strict: true } : {}),
    ...(input.options.rateLimits ? { rateLimits: true } : {}),
    ...(clock === undefined ? {} : { clock: clockFrom(clock) }),
    ...(rate === undefined ? {} : { rate: 1000 / rate }),
    ...(faults.length === 0 ? {} : { faults }),
  };
}

const TIP_PORTS = ["udp", "udps", "tcp", "tls", "mqtt", "mqtts"] as const;

/** What `--tip` and its settings ask for; a setting alone is a mistake. */
function tipFrom({ options }: Input<[], typeof behaviourOptions>): TipOptions | undefined {
  const { tip: isOn, tipPorts, tipSequence, tipLives } = options;
  const alone = Object.entries({ ports: tipPorts, sequence: tipSequence, lives: tipLives }).find(([, value]) => value);
  if (!isOn && alone !== undefined)
    throw usageError(`--tip-${alone[0]} needs --tip.`, { next: "Add --tip, or remove it." });
  if (!isOn) return undefined;
  const isOnUnless = (value: string | undefined): boolean | undefined =>
    value === undefined ? undefined : value === "on";
  return defined({
    ports: tipPorts === undefined ? undefined : tipPortsFrom(tipPorts),
    sequence: isOnUnless(tipSequence),
    lives: isOnUnless(tipLives),
  });
}

function tipPortsFrom(text: string): NonNullable<TipOptions["ports"]> {
  const pairs = text.split(",").map((pair) => {
    const [name = "", port = ""] = pair.split("=");
    const known = TIP_PORTS.find((each) => each === name);
    if (known !== undefined && /^\d{1,5}$/.test(port) && Number(port) <= 65_535) return [known, Number(port)] as const;
    throw usageError(`Invalid --tip-ports ${quote(text)}.`, {
      next: `Use pairs such as udp=5683,tcp=0 of ${TIP_PORTS.join(", ")} and ports from 0 to 65535.`,
    });
  });
  return Object.fromEntries(pairs);
}

/** Published tokens are for this machine alone: a sandbox that other machines reach never has them. */
export async function checkTokens(host: string | undefined, hasDemoTokens: boolean): Promise<void> {
  if (host === undefined || !hasDemoTokens) return;
  const { isLoopback } = await import("../../sandbox/http/host-check.ts");
  if (isLoopback(host)) return;
  throw usageError(`--demo-tokens cannot be used with --host ${quote(host)}.`, {
    why: "The published tokens are public, and other machines can reach this address.",
    next: "Remove --demo-tokens; start prints random tokens.",
  });
}

/** The origins of `--allow-origin`, in the form browsers send. */
export async function allowOriginsFrom(named: readonly string[]): Promise<Pick<SandboxOptions, "allowOrigins">> {
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

/** Said at the start: a script can do whatever the user can. */
export function scriptsNote(runsScripts: boolean): string {
  if (runsScripts) return "Analyses run as processes of your user; use --no-scripts to disable this.";
  return "Uploaded analyses do not run; use --scripts to enable them.";
}

/** What access rules apply to in such a sandbox: a program that works here may be rejected by the platform. */
export function accessNote(access: SandboxOptions["access"]): string {
  if (access === "open") return "Access rules are not enforced.";
  if (access === "enforced") return "Access rules apply to portal users and every analysis.";
  return "Access rules apply to portal users and to analyses named in a rule; --access enforced applies them to every analysis.";
}

/** What `--seed` or `--scenario` chooses: a folder by its whole path. */
export function seedFrom(
  ctx: Pick<CommandContext, "path">,
  input: Input<[], typeof seedOptions>,
): SandboxOptions["seed"] {
  const { seed: text, scenario } = input.options;
  const isScenario = (name: string): boolean => SCENARIOS.some((known) => known === name);
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
export function dataDirFrom(ctx: CommandContext, named: string | undefined): string {
  return named === undefined ? join(sandboxFolder(ctx), "data") : ctx.path(named);
}

/** What keeps a server from starting, in words. */
export function explainStart(error: unknown, port: number | undefined): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    const taken = "port" in error && typeof error.port === "number" ? error.port : port;
    return conflictError(`Port ${taken} is in use.`, {
      code: "sandbox.port",
      next: 'Choose another port with --port or --tip-ports, or run "iot sandbox status".',
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
