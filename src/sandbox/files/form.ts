import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { PlatformError } from "../core/platform-error.ts";
import type { Blob, ByteSource } from "../store/blobs.ts";

/** A multipart form: fields by name, and at most one file, which is stored while it arrives. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly file?: Blob;
}

const LIMITS = { headerSize: 16 * 1024, headerPairs: 100, fieldSize: 1024 * 1024, parts: 100, files: 1 };

const invalid = (why: string): PlatformError => new PlatformError(400, `Invalid multipart body: ${why}`);

/** The boundary of a multipart form, `undefined` for other content. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^\s*multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const match = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;,"]{1,200}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/**
 * Reads a form in constant memory; `store` receives the file's bytes as they arrive.
 *
 * @throws PlatformError 400 for an invalid form, fields that are too long, several files
 */
export async function readForm(
  incoming: AsyncIterable<unknown>,
  boundary: string,
  store: (content: ByteSource) => Promise<Blob>,
  discard: (blob: Blob) => void,
): Promise<Form> {
  const source = Readable.from(incoming);
  const parser = new Busboy({
    headers: { "content-type": `multipart/form-data; boundary="${boundary.replaceAll("\\", "\\\\")}"` },
    isPartAFile: (_name, _type, filename) => filename !== undefined,
    limits: LIMITS,
  });
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let content: BusboyFileStream | undefined;
  let storing: Promise<Blob> | undefined;
  // When one part fails, all others do: the first error is the cause.
  let cause: Error | undefined;
  const refuse = (error: Error): void => {
    cause ??= error;
    source.destroy(cause);
  };

  source.on("error", refuse);
  parser.on("error", () => refuse(invalid("it ends too early")));
  parser.on("partsLimit", () => refuse(invalid("it has too many parts")));
  parser.on("filesLimit", () => refuse(invalid("it has more than one file")));
  parser.on("field", (name: string | undefined, value, _cutName, isCut) => {
    if (name === undefined) refuse(invalid("a part has no name"));
    else if (isCut) refuse(invalid("a field is too long"));
    else fields[name] = value;
  });
  parser.on("file", (name: string | undefined, stream) => {
    if (name === undefined) refuse(invalid("a part has no name"));
    content = stream.on("error", () => {});
    storing = store(stream);
    storing.catch(refuse);
  });

  try {
    await pipeline(source, parser);
    const file = await storing;
    if (cause !== undefined) throw cause;
    return { fields, ...(file !== undefined && { file }) };
  } catch (error) {
    content?.destroy(cause);
    const file = await storing?.catch(() => undefined);
    if (file !== undefined) discard(file);
    throw cause ?? error;
  }
}
