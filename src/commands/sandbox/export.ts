import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { replaceFile } from "../kit/files/replace-file.ts";
import { COPY_MS, placeOf, resultOf, type SandboxPlace, sandboxOptions, unreachable, withStopped } from "./place.ts";
import { isSuccess, requestSandbox } from "./request.ts";

/** Writes a file as a whole: it appears when it is complete, and only the user can read it. */
async function wholeFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await write(temporary);
    replaceFile(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

async function exportPlace(place: SandboxPlace, file: string): Promise<void> {
  const { running } = place;
  if (running === undefined) return withStopped(place.dataDir, false, (saved) => saved.exportTo(file));
  await wholeFile(file, async (temporary) => {
    const reply = await requestSandbox(running, "export", { timeoutMs: COPY_MS }).catch((error: unknown) => {
      throw unreachable(running, error);
    });
    if (isSuccess(reply)) await pipeline(reply, createWriteStream(temporary, { mode: 0o600, flush: true }));
    else await resultOf(running, reply);
  });
}

async function toStdout(ctx: CommandContext, place: SandboxPlace): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "iot-export-"));
  try {
    const file = join(folder, "sandbox.tar.gz");
    await exportPlace(place, file);
    for await (const chunk of createReadStream(file)) if (Buffer.isBuffer(chunk)) await ctx.io.write(chunk);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const exportCommand: Command = defineCommand({
  path: ["export"],
  asks: "nothing",
  result: value({ type: "string", description: "Path of the file." }),
  effect: "local",
  summary: "Export all data of a sandbox to a file",
  details:
    "The file is a .tar.gz of the database and stored files. It contains the tokens, so only you can read it. " +
    "- writes to stdout.",
  args: [{ name: "file", file: "out", summary: "file to write, such as plant.tar.gz; - is stdout", required: true }],
  options: sandboxOptions,
  groups: ["confirm"],
  examples: [
    "iot sandbox seed --data-dir plant --seed empty && iot sandbox export plant.tar.gz --data-dir plant",
    "iot sandbox start --detach --port 0 --ephemeral --seed empty && iot sandbox export - > copy.tar.gz && iot sandbox stop --all",
  ],
  exitCodes: { only: [6] },
  related: ["iot sandbox import", "iot sandbox snapshot create"],
  async run(ctx, input) {
    const file = input.args.file ?? "-";
    const place = await placeOf(ctx, input);
    if (file === "-") {
      if (ctx.io.stdoutIsTerminal) {
        throw usageError("An export is not written to a terminal.", { next: "Give a file, or pipe the output." });
      }
      return toStdout(ctx, place);
    }
    const path = ctx.path(file);
    if (existsSync(path)) {
      await ctx.confirm({ level: 1, action: `Replace the file ${file}`, where: "on this machine", name: file });
    }
    await exportPlace(place, path);
    await ctx.out.value(path);
    ctx.say.info(`Exported ${place.name} to ${file}.`, file);
  },
});
