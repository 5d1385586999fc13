import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
/** Much more than the settings of any profile; an archive that claims more is no backup. */
export const LARGEST_FILE = 256 * 1024 * 1024;

/** Where the list of files begins, and how many it names. Absent when the bytes are no ZIP archive. */
function directoryOf(archive: Buffer): { readonly start: number; readonly count: number } | undefined {
  const first = Math.max(0, archive.length - END_BYTES - LONGEST_COMMENT);
  for (let at = archive.length - END_BYTES; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === END)
      return { start: archive.readUInt32LE(at + 16), count: archive.readUInt16LE(at + 10) };
  }
  return undefined;
}

function contentAt(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const packedBytes = archive.readUInt32LE(entry + 20);
  const header = archive.readUInt32LE(entry + 42);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const packed = archive.subarray(start, start + packedBytes);
  if (method === 0) return packed;
  if (method === 8) return inflateRawSync(packed, { maxOutputLength: LARGEST_FILE });
  throw new RangeError(`The archive uses compression ${method}`);
}

/**
 * The files of a ZIP archive whose names fit, by name. Absent when the bytes are no archive.
 *
 * @throws Error when the archive is cut off or broken
 */
export function readZip(archive: Buffer, fits: (name: string) => boolean): ReadonlyMap<string, Buffer> | undefined {
  const directory = directoryOf(archive);
  if (directory === undefined) return undefined;
  const files = new Map<string, Buffer>();
  let at = directory.start;
  for (let i = 0; i < directory.count; i += 1) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new RangeError("The list of files is broken");
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + 46, at + 46 + nameBytes);
    if (fits(name)) files.set(name, contentAt(archive, at));
    at += 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
