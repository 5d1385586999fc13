import { Zip, ZipDeflate } from "fflate";

/** The earliest date of the format: the same content produces the same bytes. */
const NO_DATE = new Date(1980, 0, 1);

/** Writes a ZIP archive in chunks. Without ZIP64: at most 65,535 files and 4 GiB. */
export class ZipWriter {
  #written: Uint8Array[] = [];
  readonly #zip: Zip;

  constructor() {
    this.#zip = new Zip((error, bytes) => {
      if (error !== null) throw error;
      this.#written.push(bytes);
    });
  }

  /** The bytes of one more file. */
  add(name: string, content: Uint8Array): Buffer {
    const file = new ZipDeflate(name);
    file.mtime = NO_DATE;
    this.#zip.add(file);
    file.push(content, true);
    return this.#taken();
  }

  /** The bytes after the last file. */
  end(): Buffer {
    this.#zip.end();
    return this.#taken();
  }

  #taken(): Buffer {
    const bytes = Buffer.concat(this.#written);
    this.#written = [];
    return bytes;
  }
}
