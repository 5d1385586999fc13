import { crc32, deflateRawSync } from "node:zlib";

/** Writes a ZIP archive piece by piece. */
export interface ZipWriter {
  /** The bytes of one more file. */
  add(name: string, content: Uint8Array): Buffer;
  /** The bytes after the last file. */
  end(): Buffer;
}

const VERSION = 20;
const UTF8_NAMES = 0x0800;
const DEFLATE = 8;
/** 1 January 1980, the first date of the format. */
const NO_DATE = 0x0021;
const MOST_FILES = 0xffff;
const MOST_BYTES = 0xffff_ffff;

/** Makes a writer. It knows no ZIP64: at most 65,535 files and 4 GiB. */
export function createZip(): ZipWriter {
  const directory: Buffer[] = [];
  let offset = 0;

  return {
    add: (name, content) => {
      const path = Buffer.from(name);
      const packed = deflateRawSync(content);
      const size = offset + 30 + path.length + packed.length;
      if (directory.length === MOST_FILES || size > MOST_BYTES || content.length > MOST_BYTES)
        throw new RangeError("The backup has more than 65,535 files or 4 GiB");
      // Both headers share these fields.
      const shared = Buffer.alloc(26);
      shared.writeUInt16LE(VERSION, 0);
      shared.writeUInt16LE(UTF8_NAMES, 2);
      shared.writeUInt16LE(DEFLATE, 4);
      shared.writeUInt16LE(NO_DATE, 8);
      shared.writeUInt32LE(crc32(content), 10);
      shared.writeUInt32LE(packed.length, 14);
      shared.writeUInt32LE(content.length, 18);
      shared.writeUInt16LE(path.length, 22);
      const tail = Buffer.alloc(14);
      tail.writeUInt32LE(offset, 10);
      directory.push(Buffer.concat([Buffer.of(0x50, 0x4b, 1, 2, VERSION, 0), shared, tail, path]));
      offset = size;
      return Buffer.concat([Buffer.of(0x50, 0x4b, 3, 4), shared, path, packed]);
    },
    end: () => {
      const entries = Buffer.concat(directory);
      const last = Buffer.alloc(18);
      last.writeUInt16LE(directory.length, 4);
      last.writeUInt16LE(directory.length, 6);
      last.writeUInt32LE(entries.length, 8);
      last.writeUInt32LE(offset, 12);
      return Buffer.concat([entries, Buffer.of(0x50, 0x4b, 5, 6), last]);
    },
  };
}
