import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "../../lib/core/errors.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import type { CommandContext } from "../kit/context.ts";
import { objectOf } from "../kit/files/files.ts";
import { isAlive } from "../kit/process/alive.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { isNotFound } from "../kit/resource/not-found.ts";
import { userFolders } from "../kit/settings/paths.ts";
import { readNote, writeNote } from "../kit/state/notes.ts";

/** What `analysis dev` has to restore, stored until it has. Holds no token. */
export interface DevNote {
  readonly id: string;
  readonly name: string;
  /** Address of the platform the analysis is on. */
  readonly api: string;
  readonly runOn: "tago" | "external";
  readonly pid: number;
}

/** A note that was not touched for this long is of a process that is gone, whoever has its number now. */
const STALE_MS = 60_000;
const TOUCH_MS = 10_000;

type Environment = Readonly<Record<string, string | undefined>>;

const folderOf = (env: Environment): string => join(userFolders(env).state, "analysis-dev");
const pathOf = (env: Environment, id: string): string => join(folderOf(env), `${id}.json`);

function noteIn(path: string): DevNote | undefined {
  const { id, name, api, runOn, pid } = objectOf(readNote(path));
  const isGood = typeof id === "string" && typeof api === "string" && typeof pid === "number";
  if (!isGood || (runOn !== "tago" && runOn !== "external")) return undefined;
  return { id, name: typeof name === "string" ? name : id, api, runOn, pid };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9a-f]{24}\.json$/.test(name));
  } catch {
    return [];
  }
}

/** Notes whose process is gone. A process that ends calls this in a child, so its own number counts as gone too. */
function leftovers(env: Environment, api: string): DevNote[] {
  return namesIn(folderOf(env)).flatMap((name) => {
    const path = join(folderOf(env), name);
    const note = noteIn(path);
    if (note === undefined || note.api !== api) return [];
    const isRunning = isAlive(note.pid) && note.pid !== process.ppid && Date.now() - statSync(path).mtimeMs < STALE_MS;
    return isRunning ? [] : [note];
  });
}

/** Writes the note, and keeps it fresh: until `end`, which removes it, or `leave`, which leaves it to the next `dev`. */
export function keepNote(env: Environment, note: DevNote): { end(): void; leave(): void } {
  const path = pathOf(env, note.id);
  const write = (): void => writeNote(path, note);
  write();
  const timer = setInterval(() => {
    try {
      write();
    } catch {
      // A full disk, say, must not end the program: the next time tries again.
    }
  }, TOUCH_MS).unref();
  const leave = (): void => clearInterval(timer);
  return {
    end() {
      leave();
      rmSync(path, { force: true });
    },
    leave,
  };
}

/** The note of a process that still runs this analysis here. */
export function runningNote(env: Environment, id: string, api: string): DevNote | undefined {
  const note = noteIn(pathOf(env, id));
  if (note === undefined || note.api !== api) return undefined;
  return leftovers(env, api).some((left) => left.id === id) ? undefined : note;
}

/**
 * Puts back what a killed `analysis dev` left. An analysis that is about to be set is only forgotten.
 *
 * @param settled id whose mode the user decides right now
 */
export async function restoreLeftovers(ctx: CommandContext, settled?: string): Promise<void> {
  const { api, label } = await ctx.connection();
  const found = leftovers(ctx.env, api);
  if (found.length === 0 || ctx.flags.dryRun) return;
  const client = await batchClient(ctx);
  for (const { id, name, runOn } of found) {
    try {
      if (id !== settled) {
        await client.analysis.edit(id, { run_on: runOn });
        ctx.say.info(
          `Analysis "${name}" in ${label} runs on ${runOn} again; "iot analysis dev" stopped before it could switch it back.`,
        );
      }
      rmSync(pathOf(ctx.env, id), { force: true });
    } catch (error) {
      if (error instanceof ApiError && isNotFound(error)) rmSync(pathOf(ctx.env, id), { force: true });
      else ctx.say.warning(`Analysis "${name}" still runs on external: ${messageOf(error)}`);
    }
  }
}
