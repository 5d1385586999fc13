import { createWriteStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { COPY_MS, placeOf, resultOf, type SandboxPlace, sandboxOptions, unreachable, withStopped } from "./place.ts";
import { jsonOf, requestSandbox } from "./request.ts";

/**
 * The file to read. Standard input is saved to one first, because nothing is changed before it is known to be complete.
 */
async function withInput(ctx: CommandContext, file: string, work: (path: string) => Promise<void>): Promise<void> {
  if (file !== "-") {
    const path = ctx.path(file);
    if (existsSync(path)) return work(path);
    throw inputError(`The file ${file} does not exist.`, { code: "input.not_found", next: "Check the path." });
  }
  const folder = mkdtempSync(join(tmpdir(), "iot-import-"));
  try {
    const path = join(folder, "sandbox.tar.gz");
    await pipeline(ctx.io.stdin, createWriteStream(path, { mode: 0o600 }));
    await work(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refused(file: string, why: string, cause?: unknown): Error {
  return inputError(`${file === "-" ? "Standard input" : file} is not a usable sandbox export.`, {
    code: "sandbox.not_an_export",
    why,
    next: 'Nothing was changed. Use a file written by "iot sandbox export".',
    cause,
  });
}

async function importInto(place: SandboxPlace, file: string, path: string): Promise<void> {
  const { running } = place;
  if (running === undefined) {
    return withStopped(place.dataDir, true, (saved) => saved.importFrom(path)).catch((error: unknown) => {
      throw error instanceof Error && error.name === "SnapshotError"
        ? refused(file, `${error.message}.`, error)
        : error;
    });
  }
  const reply = await requestSandbox(running, "import", { method: "POST", file: path, timeoutMs: COPY_MS }).catch(
    (error: unknown) => {
      throw unreachable(running, error);
    },
  );
  if (reply.statusCode === 400) {
    const body = await jsonOf(reply);
    const why = typeof body === "object" && body !== null && "message" in body ? `${String(body.message)}.` : "";
    throw refused(file, why);
  }
  await resultOf(running, reply);
}

async function question(ctx: CommandContext, place: SandboxPlace): Promise<void> {
  if (place.running === undefined && !existsSync(join(place.dataDir, "sandbox.db"))) return;
  const action = `Replace everything in ${place.name}`;
  const name = place.running === undefined ? place.dataDir : String(place.running.port);
  await ctx.confirm({ level: 1, action, where: "on this machine", name });
}

const importedColumns = [{ key: "place" }, { key: "file" }] as const;

const args = [
  { name: "file", file: "in", summary: "file written by iot sandbox export; - is stdin", required: true },
] as const satisfies Arguments;

type Given = Input<typeof args, typeof sandboxOptions>;

async function runImport(ctx: CommandContext, input: Given): Promise<void> {
  const file = input.args.file;
  const place = await placeOf(ctx, input);
  await withInput(ctx, file, async (path) => {
    await question(ctx, place);
    await importInto(place, file, path);
  });
  const from = file === "-" ? "stdin" : file;
  await ctx.out.item({ place: place.name, file: from }, { columns: importedColumns, idKey: "place" });
  ctx.say.info(`Imported ${from} into ${place.name}.`);
}

export const importCommand: Command = defineCommand({
  path: ["import"],
  asks: "nothing",
  result: one(importedColumns),
  effect: "local",
  summary: "Replace all data of a sandbox with an exported file",
  details:
    "The import is atomic: a damaged, incomplete or invalid file changes nothing. A folder without a sandbox works, " +
    "too. Files from older versions are upgraded. - reads stdin.",
  args,
  options: sandboxOptions,
  groups: ["confirm"],
  examples: [
    "iot sandbox seed --data-dir plant --seed empty && iot sandbox export plant.tar.gz --data-dir plant --yes && iot sandbox import plant.tar.gz --data-dir twin --yes",
    "iot sandbox seed --data-dir plant --seed empty && iot sandbox export - --data-dir plant | iot sandbox import - --data-dir twin --yes",
  ],
  exitCodes: { only: [3, 6, 7] },
  related: ["iot sandbox export"],
  run: runImport,
});
