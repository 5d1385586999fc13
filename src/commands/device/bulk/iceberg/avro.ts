import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { isObject, type JsonObject } from "../../../kit/files/files.ts";

/** An Avro file: a schema, properties and rows. */
export async function encodeAvro(
  schema: object,
  properties: Readonly<Record<string, string>>,
  rows: readonly object[],
): Promise<Buffer> {
  const { default: avsc } = await import("avsc");
  const metadata = Object.fromEntries(Object.entries(properties).map(([name, text]) => [name, Buffer.from(text)]));
  const encoder = new avsc.streams.BlockEncoder(
    schema as never,
    { codec: "deflate", metadata, writeHeader: true } as object,
  );
  const chunks: Buffer[] = [];
  await pipeline(rows, encoder, async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** The rows of an Avro file on this machine. */
export async function decodeAvro(path: string): Promise<readonly JsonObject[]> {
  const { default: avsc } = await import("avsc");
  const rows: JsonObject[] = [];
  await pipeline(createReadStream(path), new avsc.streams.BlockDecoder(), async (source: AsyncIterable<unknown>) => {
    for await (const row of source) if (isObject(row)) rows.push(row);
  });
  return rows;
}
