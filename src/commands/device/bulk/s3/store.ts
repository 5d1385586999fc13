import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ListMultipartUploadsCommandInput } from "@aws-sdk/client-s3";
import { defined } from "../../../../lib/core/defined.ts";
import type { CommandContext } from "../../../kit/context.ts";
import { inputError } from "../../../kit/failures/command-error.ts";
import { isPart } from "../dataset-parts.ts";
import { type DatasetStore, hashOf, type StoredFile } from "../store.ts";
import { s3Address } from "./address.ts";
import { type S3Connection, s3Connection } from "./connect.ts";
import { explained, statusOf } from "./failures.ts";
import { ownFolder } from "./temporary.ts";

/** Files up to this size are one request. A larger one has parts of it, which four requests send side by side. */
export const PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;
/** Up to this many objects are asked for one by one. */
const FEW = 10;
/** A write is sent again where it met another one of the same object. */
const CONFLICT_ATTEMPTS = 5;

/** A dataset below a prefix of a bucket. Files on their way are in a temporary folder of this process. */
export function s3Store(ctx: CommandContext, out: string): DatasetStore {
  return new S3Store(ctx, out);
}

interface OpenUpload {
  readonly key: string;
  readonly id: string;
}

class S3Store implements DatasetStore {
  readonly shown: string;
  readonly location: string;
  readonly #ctx: CommandContext;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(ctx: CommandContext, out: string) {
    const { bucket, prefix } = s3Address(out);
    this.#ctx = ctx;
    this.#bucket = bucket;
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.shown = this.location = `s3://${bucket}/${prefix}`.replace(/\/$/, "");
  }

  async check(): Promise<void> {
    await this.#openUploads(this.#prefix);
  }

  async prepare(): Promise<void> {}

  unfinished(name: string): string {
    return join(ownFolder(), name);
  }

  /** Readers see an object when all of it has arrived, whether it is one request or many. */
  async publish(localPath: string, name: string): Promise<StoredFile> {
    const stored = await hashOf(localPath);
    const Key = this.#key(name);
    if (stored.bytes > PART_BYTES) await this.#abortUploads(Key, (key) => key === Key);
    await this.#send(({ Upload, client }) => {
      const partSize = Math.max(PART_BYTES, Math.ceil(stored.bytes / MOST_PARTS));
      const checked = { ChecksumAlgorithm: "CRC32", Metadata: { sha256: stored.sha256 } } as const;
      const params = { Bucket: this.#bucket, Key, Body: createReadStream(localPath), ...checked };
      return new Upload({ client, params, partSize, queueSize: 4 }).done();
    });
    return stored;
  }

  async withFile<T>(name: string, read: (localPath: string) => Promise<T>): Promise<T> {
    const path = this.unfinished(`read.${crypto.randomUUID()}`);
    try {
      await this.#send(async ({ sdk, client }) => {
        const found = await client.send(new sdk.GetObjectCommand(this.#object(name)));
        await pipeline(found.Body as Readable, createWriteStream(path));
      });
      return await read(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  async sizeOf(name: string): Promise<number | undefined> {
    return (await this.#head(name))?.bytes;
  }

  /** Many are found by listing, a thousand with each request. */
  async sizesOf(names: readonly string[]): Promise<readonly (number | undefined)[]> {
    if (names.length < FEW) return Promise.all(names.map((name) => this.sizeOf(name)));
    const sizes = new Map<string, number>();
    await this.#send(async ({ sdk, client }) => {
      const listed = { Bucket: this.#bucket, Prefix: this.#prefix };
      for await (const { Contents = [] } of sdk.paginateListObjectsV2({ client }, listed))
        for (const { Key = "", Size } of Contents) if (Size !== undefined) sizes.set(Key, Size);
    });
    return names.map((name) => sizes.get(this.#key(name)));
  }

  async versionOf(name: string): Promise<string | undefined> {
    return (await this.#head(name))?.version;
  }

  readText(name: string): Promise<string | undefined> {
    return this.#send(async ({ sdk, client }) => {
      const found = await ifThere(() => client.send(new sdk.GetObjectCommand(this.#object(name))));
      return found?.Body?.transformToString("utf8");
    });
  }

  async writeText(name: string, text: string): Promise<void> {
    await this.#put(name, text, {});
  }

  async replaceText(name: string, text: string, version: string | null): Promise<boolean> {
    if (version !== null && (await this.#put(name, text, { IfMatch: version }))) return true;
    // Where it was not there, or was removed since.
    return this.create(name, text);
  }

  create(name: string, content: string | Uint8Array): Promise<boolean> {
    return this.#put(name, content, { IfNoneMatch: "*" });
  }

  async remove(name: string): Promise<void> {
    await this.#send(({ sdk, client }) => client.send(new sdk.DeleteObjectCommand(this.#object(name))));
  }

  /** Uploads of killed workers whose items were not done again by the same name: nobody else would ever end them. Others stay. */
  async removeUnfinished(): Promise<void> {
    await this.#abortUploads(this.#prefix, (key) => isPart(key.slice(this.#prefix.length)));
  }

  #head(name: string): Promise<{ readonly bytes?: number; readonly version?: string } | undefined> {
    return this.#send(async ({ sdk, client }) => {
      const found = await ifThere(() => client.send(new sdk.HeadObjectCommand(this.#object(name))));
      return found && { bytes: found.ContentLength ?? 0, version: found.ETag ?? "" };
    });
  }

  /** @returns whether the condition held */
  #put(
    name: string,
    content: string | Uint8Array,
    condition: { readonly IfMatch?: string; readonly IfNoneMatch?: string },
    attempt = 1,
  ): Promise<boolean> {
    const Body = typeof content === "string" ? Buffer.from(content) : content;
    return this.#send(async ({ sdk, client }) => {
      try {
        const input = { ...this.#object(name), Body, ...condition, ChecksumAlgorithm: "CRC32" } as const;
        await client.send(new sdk.PutObjectCommand(input));
        return true;
      } catch (error) {
        const status = statusOf(error);
        // Another write of the same object was under way.
        if (status === 409 && attempt < CONFLICT_ATTEMPTS) return this.#put(name, content, condition, attempt + 1);
        if (status === 412 || (status === 404 && "IfMatch" in condition)) return false;
        throw error;
      }
    });
  }

  async #openUploads(prefix: string): Promise<readonly OpenUpload[]> {
    const open: OpenUpload[] = [];
    let after: Pick<ListMultipartUploadsCommandInput, "KeyMarker" | "UploadIdMarker"> | undefined = {};
    while (after !== undefined) {
      const asked: ListMultipartUploadsCommandInput = { Bucket: this.#bucket, Prefix: prefix, ...after };
      const page = await this.#send(({ sdk, client }) => client.send(new sdk.ListMultipartUploadsCommand(asked)));
      for (const { Key = "", UploadId = "" } of page.Uploads ?? []) open.push({ key: Key, id: UploadId });
      const { IsTruncated: isMore = false, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      after = isMore ? defined({ KeyMarker, UploadIdMarker }) : undefined;
    }
    return open;
  }

  async #abortUploads(prefix: string, isOurs: (key: string) => boolean): Promise<void> {
    for (const { key: Key, id: UploadId } of await this.#openUploads(prefix)) {
      if (!isOurs(Key)) continue;
      await this.#send(({ sdk, client }) =>
        ifThere(() => client.send(new sdk.AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }))),
      );
    }
  }

  #object(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: this.#key(name) };
  }

  /** What came from a queue must not lead out of the dataset. */
  #key(name: string): string {
    const isPlain = !/[\\\0]/.test(name) && name.split("/").every((part) => !["", ".", ".."].includes(part));
    if (isPlain) return this.#prefix + name;
    throw inputError(`The path ${JSON.stringify(name)} leads out of the dataset.`, { code: "job.bad_path" });
  }

  async #send<T>(work: (connection: S3Connection) => Promise<T>): Promise<T> {
    const connection = await s3Connection(this.#ctx, this.#bucket);
    try {
      return await work(connection);
    } catch (error) {
      throw explained(error, this.#bucket);
    }
  }
}

/** The response, or nothing where the object or upload does not exist. */
async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const isMissing = error instanceof Error && /^(NoSuchKey|NoSuchUpload|NotFound)$/.test(error.name);
    if (isMissing) return undefined;
    throw error;
  }
}
