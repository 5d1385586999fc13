import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { pipeline } from "node:stream/promises";
import { CommandError } from "../../../kit/failures/command-error.ts";
import { isObject, type JsonObject } from "../../../kit/files/files.ts";

/** Called before the first part is written as well, so that its absence is noticed in time. */
export function loadAvro(): typeof import("avsc") {
  try {
    return createRequire(import.meta.url)("avsc") as typeof import("avsc");
  } catch (cause) {
    throw new CommandError("The package for Iceberg tables is not installed.", {
      code: "table.not_installed",
      exit: 1,
      why: "--table iceberg needs avsc, which is installed on request only.",
      next: "Run npm install avsc beside iotdeck (npm install -g, where iotdeck was installed so).",
      cause,
    });
  }
}

/** An Avro file: a schema, properties and rows. */
export async function encodeAvro(
  schema: object,
  properties: Readonly<Record<string, string>>,
  rows: readonly object[],
): Promise<Buffer> {
  const avsc = loadAvro();
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
  const avsc = loadAvro();
  const rows: JsonObject[] = [];
  await pipeline(createReadStream(path), new avsc.streams.BlockDecoder(), async (source: AsyncIterable<unknown>) => {
    for await (const row of source) if (isObject(row)) rows.push(row);
  });
  return rows;
}
