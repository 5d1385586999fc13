import { Zip, ZipDeflate } from "fflate";

/** Writes a ZIP archive piece by piece. */
export interface ZipWriter {
  /** The bytes of one more file. */
  add(name: string, content: Uint8Array): Buffer;
  /** The bytes after the last file. */
  end(): Buffer;
}

/** The first date of the format: the same content gives the same bytes. */
const NO_DATE = new Date(1980, 0, 1);

/** Makes a writer. It knows no ZIP64: at most 65,535 files and 4 GiB. */
export function createZip(): ZipWriter {
  let written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    written.push(bytes);
  });
  const taken = (): Buffer => {
    const bytes = Buffer.concat(written);
    written = [];
    return bytes;
  };
  return {
    add: (name, content) => {
      const file = new ZipDeflate(name);
      file.mtime = NO_DATE;
      zip.add(file);
      file.push(content, true);
      return taken();
    },
    end: () => {
      zip.end();
      return taken();
    },
  };
}
