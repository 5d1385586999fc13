import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** Sums of a content. */
export interface ContentSums {
  /** MD5 sum as hex digits. */
  readonly md5: string;
  /** The ETag of a multipart upload in object stores: the MD5 sum of the parts' MD5 sums, and the number of parts. */
  readonly inParts: string;
}

/** Sums of a file, read once in constant memory. */
export async function fileSums(path: string, partBytes: number, signal?: AbortSignal): Promise<ContentSums> {
  const sums = createSums(partBytes);
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, ...(signal && { signal }) }))
    sums.add(chunk);
  return sums.end();
}

/** Sums of bytes as they come. */
export function createSums(partBytes: number): { add(bytes: Buffer): void; end(): ContentSums } {
  const whole = createHash("md5");
  const ofParts = createHash("md5");
  let part = createHash("md5");
  let filled = 0;
  let parts = 0;
  const closePart = (): void => {
    ofParts.update(part.digest());
    part = createHash("md5");
    parts += 1;
    filled = 0;
  };
  return {
    add(bytes) {
      whole.update(bytes);
      for (let at = 0; at < bytes.length; ) {
        const piece = bytes.subarray(at, at + partBytes - filled);
        part.update(piece);
        filled += piece.length;
        at += piece.length;
        if (filled === partBytes) closePart();
      }
    },
    end() {
      if (filled > 0 || parts === 0) closePart();
      return { md5: whole.digest("hex"), inParts: `${ofParts.digest("hex")}-${parts}` };
    },
  };
}

/** Whether the platform's checksum matches the content; undefined if it is of a kind we cannot compare. */
export function isSameContent(given: string, { md5, inParts }: ContentSums): boolean | undefined {
  const text = given.replaceAll('"', "").trim().toLowerCase();
  if (/^[0-9a-f]{32}$/.test(text)) return text === md5;
  if (!/^[0-9a-f]{32}-\d+$/.test(text)) return undefined;
  // Another number of parts says nothing: somebody may have sent the same content in other pieces.
  return text.split("-")[1] === inParts.split("-")[1] ? text === inParts : undefined;
}
