/** One file of an archive. */
export interface TarEntry {
  readonly name: string;
  /** Bytes of `content`, known before. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** The bytes are no archive, or not a whole one. */
export class TarError extends Error {
  override readonly name = "TarError";
}

const BLOCK_BYTES = 512;
/** Above this the eleven octal digits of the size do not suffice. */
const MAX_OCTAL_SIZE = 8 ** 11 - 1;

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;

function sizeField(size: number): Buffer {
  if (size <= MAX_OCTAL_SIZE) return Buffer.from(octal(size, 11));
  const field = Buffer.alloc(12);
  field.writeBigUInt64BE(BigInt(size), 4);
  field[0] = 0x80;
  return field;
}

function checksum(header: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < BLOCK_BYTES; i += 1) sum += i >= 148 && i < 156 ? 32 : (header[i] ?? 0);
  return sum;
}

function headerOf(name: string, size: number, modifiedMs: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new TarError(`The name ${name} is too long for an archive`);
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0);
  header.write(octal(0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  sizeField(size).copy(header, 124);
  header.write(octal(Math.floor(modifiedMs / 1_000), 11), 136);
  header.write("0", 156);
  header.write("ustar\u000000", 257);
  header.write(`${octal(checksum(header), 6)} `, 148);
  return header;
}

const padding = (size: number): Buffer => Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);

/** Writes an archive as common tools read it. A content that is longer or shorter than its size is an error. */
export async function* packTar(
  entries: AsyncIterable<TarEntry> | Iterable<TarEntry>,
  modifiedMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { name, size, content } of entries) {
    yield headerOf(name, size, modifiedMs);
    let seen = 0;
    for await (const chunk of content) {
      seen += chunk.byteLength;
      yield chunk;
    }
    if (seen !== size) throw new TarError(`${name} has ${seen} bytes instead of ${size}`);
    yield padding(size);
  }
  yield Buffer.alloc(BLOCK_BYTES * 2);
}

/** Hands out a stream in pieces of the sizes asked for. */
function createByteReader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);

  /** At most `most` bytes; none at the end. */
  const some = async (most: number): Promise<Uint8Array> => {
    while (rest.byteLength === 0) {
      const next = await chunks.next();
      if (next.done === true) return rest;
      rest = next.value;
    }
    const piece = rest.subarray(0, most);
    rest = rest.subarray(piece.byteLength);
    return piece;
  };

  async function* exactly(size: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (let left = size; left > 0; ) {
      const piece = await some(left);
      if (piece.byteLength === 0) throw new TarError("The archive ends in the middle of a file");
      left -= piece.byteLength;
      yield piece;
    }
  }

  const block = async (size: number): Promise<Buffer> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of exactly(size)) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  return { some, exactly, block };
}

function sizeOf(header: Buffer): number {
  const isBinary = ((header[124] ?? 0) & 0x80) !== 0;
  const size = isBinary ? Number(header.readBigUInt64BE(128)) : Number.parseInt(header.toString("latin1", 124, 135), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new TarError("The archive names a size that cannot be read");
  return size;
}

function nameOf(header: Buffer): string {
  const end = header.indexOf(0);
  return header.toString("utf8", 0, end < 0 || end > 100 ? 100 : end);
}

/** Reads an archive of plain files; `take` must read each content to its end. */
export async function unpackTar(
  source: AsyncIterable<Uint8Array>,
  take: (entry: { readonly name: string; readonly size: number }, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const reader = createByteReader(source);
  for (;;) {
    const header = await reader.block(BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) break;
    if (Number.parseInt(header.toString("latin1", 148, 154), 8) !== checksum(header)) {
      throw new TarError("The archive has a header that cannot be read");
    }
    const type = header.toString("latin1", 156, 157);
    if (type !== "0" && type !== "\0") throw new TarError("The archive holds something else than plain files");
    const entry = { name: nameOf(header), size: sizeOf(header) };
    await take(entry, reader.exactly(entry.size));
    await reader.block(padding(entry.size).byteLength);
  }
  // What follows the end is padding; reading it lets the unpacker check the last bytes.
  while ((await reader.some(BLOCK_BYTES * 32)).byteLength > 0);
}
