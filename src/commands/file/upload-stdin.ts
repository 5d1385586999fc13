import { defined } from "../../lib/core/defined.ts";
import { UPLOAD_PART_BYTES } from "../../lib/core/limits.ts";
import type { OptionsOf } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { createProgress } from "../kit/say/progress.ts";
import { transferColumns } from "./columns.ts";
import { createSums, isSameContent } from "./hash.ts";
import { type fileOptions, publicMember, sendingOf } from "./options.ts";
import { contentTypeOf, remotePath } from "./paths.ts";
import { remoteFiles } from "./remote.ts";

/** Uploads what comes in on stdin. It is read once, so it cannot be resumed. */
export async function uploadStdin(ctx: CommandContext, given: OptionsOf<typeof fileOptions>): Promise<void> {
  const place = given.path;
  if (place === undefined || place.trimEnd().endsWith("/")) {
    throw usageError("Uploading stdin needs --path.", { next: "Add --path notes/hello.txt." });
  }
  if (given.resume) {
    throw usageError("An upload of stdin cannot be resumed.", { next: "Save it to a file and upload that." });
  }
  if (ctx.io.stdinIsTerminal) {
    throw usageError("- reads stdin, and stdin is a terminal.", { next: "Pipe the content in, or pass a file." });
  }
  const path = remotePath(place, "--path");
  const { isPublic, chunkSize, isChecked } = sendingOf(given, 0);
  const contentType = given.contentType ?? contentTypeOf(path);
  const body = { multipart_action: "start", filename: path, contentType, ...publicMember(isPublic) };
  if (await ctx.dryRun({ method: "POST", path: "/files", body })) return;
  const remote = await remoteFiles(ctx);
  if ((await remote.isPublic(path)) !== undefined) {
    await ctx.confirm({ level: 1, action: `Overwrite the file "${path}"`, name: path });
  }
  const sums = createSums(chunkSize ?? UPLOAD_PART_BYTES);
  const progress = createProgress(ctx, ["Uploading", "bytes"]);
  let size = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    for await (const chunk of ctx.io.stdin) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      sums.add(bytes);
      size += bytes.length;
      progress.at(size);
      yield bytes;
    }
  }
  const options = defined({ contentType, isPublic, chunkSize });
  await remote.client.files.uploadFile(content(), path, options).finally(progress.end);
  const own = sums.end();
  if (isChecked) {
    const there = await remote.md5(path);
    if (isSameContent(there, own) === false) {
      throw new CommandError(`Checksum mismatch: the content of "${path}" differs from what was sent.`, {
        code: "file.checksum",
        exit: 1,
        why: `The MD5 checksum is ${there} on the platform; ${own.md5} was sent.`,
        next: "Run the command again.",
      });
    }
  }
  const row = { filename: path, size, md5: own.md5, result: "uploaded", resumed_bytes: 0 };
  await ctx.out.list([row], { columns: transferColumns, empty: "Nothing was uploaded.", idKey: "filename" });
  ctx.say.info(`Uploaded "${path}" to ${(await ctx.connection()).label}.`);
}
