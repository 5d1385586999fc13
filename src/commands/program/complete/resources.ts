import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../../kit/context.ts";
import { isObject } from "../../kit/files/files.ts";
import type { Io } from "../../kit/io.ts";
import type { Finder, NamedResource } from "../../kit/resource/resolve-id.ts";
import { userFolders } from "../../kit/settings/paths.ts";
import { digest } from "../../kit/state/digest.ts";
import { readNote, writeNote } from "../../kit/state/notes.ts";
import { createContext, readAuthority } from "../create-context.ts";
import { settleSettings } from "../settle.ts";
import type { CompletionContext } from "./types.ts";

const freshMs = 60_000;
/** More than a person reads through; beyond it the platform is asked for the letters typed so far. */
const mostRows = 200;

/** A process nobody talks to: no questions, no messages. */
const silent: Omit<Io, "stdin"> = {
  write: async () => undefined,
  writeError: () => undefined,
  stdoutIsTerminal: false,
  stderrIsTerminal: false,
  stdinIsTerminal: false,
  columns: () => 80,
};

function contextOf(place: CompletionContext): CommandContext {
  const { env, cwd, signal, flags } = place;
  const shared = { ...flags, timeout: `${place.patienceMs}ms`, retries: "0", input: false };
  const settled = settleSettings(shared, env, cwd, false);
  const ca = readAuthority(settled.flags, cwd);
  return createContext({ io: { ...silent, stdin: process.stdin }, env, cwd, signal, ca, ...settled });
}

function rowsOf(value: unknown): readonly NamedResource[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((row: unknown) => {
    if (!isObject(row) || typeof row["id"] !== "string" || typeof row["name"] !== "string") return [];
    return [{ id: row["id"], name: row["name"] }];
  });
}

function isOld(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || Date.now() - stats.mtimeMs > freshMs;
}

function readFresh(path: string): readonly NamedResource[] | undefined {
  try {
    if (isOld(path)) return undefined;
    return rowsOf(readNote(path));
  } catch {
    return undefined;
  }
}

function removeOld(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    if (isOld(path)) rmSync(path, { force: true });
  }
}

async function cached(place: CompletionContext, key: readonly string[], read: () => Promise<readonly NamedResource[]>) {
  const folder = join(userFolders(place.env).cache, "completion");
  const path = join(folder, `${digest(key)}.json`);
  const known = readFresh(path);
  if (known !== undefined) return known;
  const rows = (await read()).map(({ id, name: label }) => ({ id, name: label }));
  // A full disk costs the cache, not the result.
  try {
    removeOld(folder);
    writeNote(path, rows);
  } catch {}
  return rows;
}

/** Texts that the platform is asked for, kept for a minute as the names of resources are. */
export async function findTexts(
  place: CompletionContext,
  what: string,
  read: (ctx: CommandContext) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const ctx = contextOf(place);
  const { api, token } = await ctx.connection();
  const rows = await cached(place, [api, token, what], async () => (await read(ctx)).map((id) => ({ id, name: "" })));
  return rows.map(({ id }) => id);
}

/**
 * Resources that `typed` may mean: those of the list, cached for a minute in the user's cache folder; of a long list
 * those whose name starts with what was typed.
 */
export async function findResources(
  place: CompletionContext,
  finder: Finder,
  typed: string,
): Promise<readonly NamedResource[]> {
  const ctx = contextOf(place);
  // The token decides what is seen, so another one has another cache. It is not readable from the name.
  const { api, token } = await ctx.connection();
  const key = [api, token, finder.noun];
  const rows = await cached(place, key, () => finder.find(ctx, undefined, mostRows));
  const start = typed.startsWith("name:") ? typed.slice("name:".length) : "";
  if (rows.length < mostRows || start === "" || start.includes("*")) return rows;
  return cached(place, [...key, start], () => finder.find(ctx, { form: "name", name: `${start}*` }, mostRows));
}
