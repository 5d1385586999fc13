import { PlatformError } from "../core/platform-error.ts";
import type { Blob, ByteSource } from "./blobs.ts";

/** A multipart form: texts by name, and at most one file, which was stored while it came in. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly file?: Blob;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_FIELD_BYTES = 1024 * 1024;
const MAX_FIELDS = 100;

const invalid = (why: string): PlatformError => new PlatformError(400, `Invalid multipart body: ${why}`);

/** Takes bytes off a stream up to a mark. Holds back no more than a mark's length. */
class Scanner {
  #rest: Buffer;
  readonly #source: AsyncIterator<unknown>;

  constructor(source: AsyncIterable<unknown>) {
    this.#source = source[Symbol.asyncIterator]();
    // The first boundary has no line break before it.
    this.#rest = Buffer.from("\r\n");
  }

  /** False at the end of the stream. */
  async #more(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#source.next();
      if (done) return false;
      if (!Buffer.isBuffer(value) || value.length === 0) continue;
      this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
      return true;
    }
  }

  /** Everything before the mark, which is taken off too. */
  async *upTo(mark: Buffer): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const at = this.#rest.indexOf(mark);
      if (at >= 0) {
        const piece = this.#rest.subarray(0, at);
        this.#rest = this.#rest.subarray(at + mark.length);
        if (piece.length > 0) yield piece;
        return;
      }
      const safe = Math.max(0, this.#rest.length - mark.length + 1);
      const piece = this.#rest.subarray(0, safe);
      this.#rest = this.#rest.subarray(safe);
      if (piece.length > 0) yield piece;
      if (!(await this.#more())) throw invalid("it ends too early");
    }
  }

  /** As `upTo`, in memory. */
  async text(mark: Buffer, maxBytes: number): Promise<string> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of this.upTo(mark)) {
      size += piece.length;
      if (size > maxBytes) throw invalid("a field is too long");
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString("utf8");
  }

  async take(length: number): Promise<string> {
    while (this.#rest.length < length) if (!(await this.#more())) throw invalid("it ends too early");
    const text = this.#rest.subarray(0, length).toString("latin1");
    this.#rest = this.#rest.subarray(length);
    return text;
  }

  /** Reads on to the end: what follows the last boundary means nothing. */
  async drain(): Promise<void> {
    do this.#rest = Buffer.alloc(0);
    while (await this.#more());
  }
}

const HEADER_END = Buffer.from("\r\n\r\n");

/** The boundary of a multipart form, `undefined` for other content. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^\s*multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const match = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;,"]{1,200}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

interface PartHead {
  readonly name: string;
  readonly isFile: boolean;
}

function headOf(text: string): PartHead {
  const disposition = /(?:^|\r\n)content-disposition:([^\r]*)/i.exec(text)?.[1] ?? "";
  const name = /;\s*name="([^"]*)"/i.exec(disposition) ?? /;\s*name=([^\s;]+)/i.exec(disposition);
  if (name?.[1] === undefined) throw invalid("a part has no name");
  return { name: name[1], isFile: /;\s*filename\*?=/i.test(disposition) };
}

/**
 * Reads a form in constant memory; `store` takes the file's bytes as they arrive.
 *
 * @throws PlatformError 400 for what is no form, too long fields, several files
 */
export async function readForm(
  incoming: AsyncIterable<unknown>,
  boundary: string,
  store: (content: ByteSource) => Promise<Blob>,
  discard: (blob: Blob) => void,
): Promise<Form> {
  const scanner = new Scanner(incoming);
  const mark = Buffer.from(`\r\n--${boundary}`);
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let file: Blob | undefined;
  try {
    await scanner.text(mark, MAX_HEADER_BYTES);
    for (let count = 0; (await scanner.take(2)) !== "--"; count += 1) {
      if (count >= MAX_FIELDS) throw invalid("it has too many parts");
      const head = headOf(await scanner.text(HEADER_END, MAX_HEADER_BYTES));
      if (!head.isFile) fields[head.name] = await scanner.text(mark, MAX_FIELD_BYTES);
      else if (file === undefined) file = await store(scanner.upTo(mark));
      else throw invalid("it has more than one file");
    }
    await scanner.drain();
  } catch (error) {
    if (file !== undefined) discard(file);
    throw error;
  }
  return { fields, ...(file !== undefined && { file }) };
}
