import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../lib/core/defined.ts";
import type { SandboxCertificate, SandboxLogin, SandboxTip, SandboxTokens } from "../../sandbox/index.ts";
import type { CommandContext } from "../kit/context.ts";
import { isObject } from "../kit/files/files.ts";
import { isAlive } from "../kit/process/alive.ts";
import { userFolders } from "../kit/settings/paths.ts";
import { readNote, writeNote } from "../kit/state/notes.ts";

/** A running sandbox, read from its own file in the user's state folder. */
export interface RunningSandbox {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  /** What programs have to trust; absent without --tls. */
  readonly certificate?: Omit<SandboxCertificate, "pem">;
  /** Where it listens for TagoTiP; absent without --tip. */
  readonly tip?: SandboxTip;
  /** Folder of the data; absent when it is in memory. */
  readonly dataDir?: string;
  readonly startedAt: string;
  /** Sent with every call of an inspection route: a secret of this run. */
  readonly inspectionHeaders: { readonly authorization: string };
  readonly tokens: SandboxTokens;
  readonly logins: readonly SandboxLogin[];
  /** Whether it runs uploaded analyses. */
  readonly runsScripts: boolean;
}

/** A sandbox with the names that results have everywhere. */
export function shownSandbox({ dataDir, startedAt, inspectionHeaders, runsScripts, ...rest }: RunningSandbox) {
  return {
    ...rest,
    ...defined({ data_dir: dataDir }),
    started_at: startedAt,
    inspection_headers: inspectionHeaders,
    runs_scripts: runsScripts,
  };
}

/** Folder of everything the sandbox keeps for this user. */
export function sandboxFolder(ctx: Pick<CommandContext, "env">): string {
  return join(userFolders(ctx.env).state, "sandbox");
}

const fileOf = (ctx: CommandContext, port: number): string => join(sandboxFolder(ctx), `running-${port}.json`);

/** Written by the sandbox's own process. It holds tokens, so nobody else may read it. */
export function saveRunning(ctx: CommandContext, running: RunningSandbox): void {
  writeNote(fileOf(ctx, running.port), running);
}

export function forgetRunning(ctx: CommandContext, port: number): void {
  rmSync(fileOf(ctx, port), { force: true });
}

/** Every sandbox whose process is alive; files of dead ones are removed. */
export function listRunning(ctx: CommandContext): RunningSandbox[] {
  const found: RunningSandbox[] = [];
  for (const name of fileNames(sandboxFolder(ctx))) {
    const running = readNote(join(sandboxFolder(ctx), name));
    if (!isRunning(running)) continue;
    if (isAlive(running.pid)) found.push(running);
    else forgetRunning(ctx, running.port);
  }
  return found.sort((a, b) => a.port - b.port);
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^running-\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

function isRunning(value: unknown): value is RunningSandbox {
  if (!isObject(value)) return false;
  const { pid, url, port, tokens } = value;
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 1 &&
    typeof url === "string" &&
    typeof port === "number" &&
    isObject(tokens)
  );
}
