import { unzipSync } from "fflate";

/** Much more than the settings of any profile; an archive that claims more is no backup. */
export const LARGEST_FILE = 256 * 1024 * 1024;

/**
 * The files of a ZIP archive whose names fit, by name.
 *
 * @throws Error when the bytes are no archive, or one that is cut off, broken or too large
 */
export function readZip(archive: Buffer, fits: (name: string) => boolean): ReadonlyMap<string, Buffer> {
  const files = unzipSync(archive, {
    filter: ({ name, originalSize }) => {
      if (!fits(name)) return false;
      if (originalSize > LARGEST_FILE) throw new RangeError(`${name} is too large`);
      return true;
    },
  });
  return new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]));
}
