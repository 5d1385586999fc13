import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { countText } from "../../text/count.ts";

/** Much more than the settings and scripts of any profile, unpacked. */
const MOST_MIB = 256;
/** Files of an archive: a profile has a dozen of them, and one for each analysis. */
const MOST_FILES = 50_000;

/** An archive that is more than any backup. Its message is a sentence. */
export class TooLargeError extends Error {}

/** Counts what an archive unpacks to, the archives inside it as well. */
export class Room {
  #leftBytes = MOST_MIB * 1024 * 1024;
  #leftFiles = MOST_FILES;

  /** @throws TooLargeError when there is no room for a file of this size */
  take(bytes: number): void {
    this.#leftBytes -= bytes;
    this.#leftFiles -= 1;
    if (this.#leftBytes < 0) throw new TooLargeError(`It unpacks to more than ${MOST_MIB} MiB.`);
    if (this.#leftFiles < 0) throw new TooLargeError(`It has more than ${countText(MOST_FILES)} files.`);
  }

  /** @throws TooLargeError when there is no room for the content */
  gunzip(packed: Buffer): Buffer {
    // zlib takes no limit of 0.
    const maxOutputLength = this.#leftBytes + 1;
    try {
      const content = gunzipSync(packed, { maxOutputLength });
      this.#leftBytes -= content.length;
      return content;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
        this.take(maxOutputLength);
      throw error;
    }
  }
}

/**
 * The files of a ZIP archive whose names fit, by name.
 *
 * @throws Error when the bytes are no archive, or one that is cut off, broken or too large
 */
export function readZip(
  archive: Buffer,
  fits: (name: string) => boolean,
  room = new Room(),
): ReadonlyMap<string, Buffer> {
  const files = unzipSync(archive, {
    filter: ({ name, size, originalSize }) => {
      if (!fits(name)) return false;
      // Entries may lie over each other, and what is stored takes its packed size, whatever the other one claims.
      room.take(Math.max(size, originalSize));
      return true;
    },
  });
  return new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]));
}
