/** A loopback server that does what S3 does for datasets: objects, conditions, checksums, uploads in parts. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { crc32 } from "node:zlib";

export const ACCESS_KEY = "AKIDOFTHETEST";
export const SECRET_KEY = "secret-key-of-the-test/0123456789";

interface StoredObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface OpenUpload {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Buffer>;
}

interface S3Request {
  readonly method: string;
  /** `bucket/key`, decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

/** An error response, or a request that is never answered. */
type S3Fault = { readonly status: number; readonly code: string } | "hang";

export interface S3Server {
  readonly url: string;
  /** Variables that lead the program here. */
  readonly env: Readonly<Record<string, string>>;
  /** By `bucket/key`. */
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, OpenUpload>;
  readonly requests: readonly S3Request[];
  /** Decides about every request from now on; undefined lets it pass. */
  fault(decide: (request: S3Request) => S3Fault | undefined): void;
  close(): Promise<void>;
}

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
const tag = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;
const md5 = (body: Buffer): string => createHash("md5").update(body).digest("hex");
const MIN_PART_BYTES = 5 * 1024 * 1024;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${code} of the test server`);
    this.status = status;
    this.code = code;
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Bodies whose checksum is not that of the header are rejected, and those without one. */
function checkSum(headers: IncomingMessage["headers"], body: Buffer): void {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  const own = [
    ["x-amz-checksum-crc32", crc.toString("base64")],
    ["x-amz-checksum-sha256", createHash("sha256").update(body).digest("base64")],
  ].filter(([name = ""]) => headers[name] !== undefined);
  if (own.length === 0) throw new Refusal(400, "MissingChecksum");
  if (own.some(([name = "", sum]) => headers[name] !== sum)) throw new Refusal(400, "BadDigest");
}

class Store {
  readonly buckets: ReadonlySet<string>;
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, OpenUpload>();
  #count = 0;

  constructor(buckets: readonly string[]) {
    this.buckets = new Set(buckets);
  }

  respond(request: S3Request, body: Buffer, response: ServerResponse): void {
    const { path, headers } = request;
    const isAllowed = headers.authorization?.includes(`Credential=${ACCESS_KEY}/`) === true;
    if (!isAllowed) throw new Refusal(403, "InvalidAccessKeyId");
    const [bucket = "", ...names] = path.split("/");
    if (!this.buckets.has(bucket)) throw new Refusal(404, "NoSuchBucket");
    const isBucket = names.join("/") === "";
    this.#step(request, body, response, isBucket ? "" : bucket);
  }

  #step(request: S3Request, body: Buffer, response: ServerResponse, bucket: string): void {
    const { method, path, query } = request;
    const upload = query.get("uploadId");
    const name = path.replace(/\/$/, "");
    if (bucket === "" && query.has("list-type")) this.#listObjects(name, query, response);
    else if (bucket === "") this.#list(name, query, response);
    else if (method === "POST" && upload === null) this.#begin(request, response);
    else if (method === "POST") this.#complete(request, upload ?? "", body, response);
    else if (method === "PUT" && upload === null) this.#put(request, body, response);
    else if (method === "PUT") this.#part(request, upload ?? "", body, response);
    else if (method === "DELETE") this.#delete(path, upload, response);
    else this.#get(path, response);
  }

  #delete(path: string, upload: string | null, response: ServerResponse): void {
    if (upload === null) this.objects.delete(path);
    else if (!this.uploads.delete(upload)) throw new Refusal(404, "NoSuchUpload");
    response.writeHead(204).end();
  }

  #list(bucket: string, query: URLSearchParams, response: ServerResponse): void {
    const own = [...this.uploads].filter(([, { key }]) => key.startsWith(`${bucket}/${query.get("prefix") ?? ""}`));
    // Two at a time: whoever asks must ask for the rest.
    const start = own.findIndex(([id]) => id === query.get("upload-id-marker")) + 1;
    const page = own.slice(start, start + 2);
    const rows = page.map(
      ([id, { key }]) => `<Upload>${tag("Key", key.slice(bucket.length + 1))}${tag("UploadId", id)}</Upload>`,
    );
    const [lastId = "", last] = page.at(-1) ?? [];
    const next = `${tag("NextKeyMarker", last?.key.slice(bucket.length + 1) ?? "")}${tag("NextUploadIdMarker", lastId)}`;
    const more = start + 2 < own.length ? `${tag("IsTruncated", "true")}${next}` : tag("IsTruncated", "false");
    xml(response, "ListMultipartUploadsResult", more + rows.join(""));
  }

  #listObjects(bucket: string, query: URLSearchParams, response: ServerResponse): void {
    const prefix = `${bucket}/${query.get("prefix") ?? ""}`;
    const keys = [...this.objects.keys()].filter((path) => path.startsWith(prefix)).sort();
    const start = Number(query.get("continuation-token") ?? 0);
    const page = keys.slice(start, start + 5);
    const rows = page.map((path) => {
      const size = String(this.objects.get(path)?.body.length ?? 0);
      return `<Contents>${tag("Key", path.slice(bucket.length + 1))}${tag("Size", size)}</Contents>`;
    });
    const isMore = start + 5 < keys.length;
    const more = isMore ? tag("NextContinuationToken", String(start + 5)) : "";
    xml(response, "ListBucketResult", `${tag("IsTruncated", String(isMore))}${more}${rows.join("")}`);
  }

  #begin({ path, headers }: S3Request, response: ServerResponse): void {
    this.#count += 1;
    const id = `upload-${this.#count}`;
    this.uploads.set(id, { key: path, headers: metadataOf(headers), parts: new Map() });
    xml(response, "InitiateMultipartUploadResult", tag("UploadId", id));
  }

  #part({ path, query, headers }: S3Request, id: string, body: Buffer, response: ServerResponse): void {
    checkSum(headers, body);
    this.#upload(id, path).parts.set(Number(query.get("partNumber")), body);
    response.writeHead(200, { etag: `"${md5(body)}"` }).end();
  }

  #complete(request: S3Request, id: string, body: Buffer, response: ServerResponse): void {
    const { path } = request;
    const { parts, headers } = this.#upload(id, path);
    this.#check(request);
    const numbers = [...body.toString("utf8").matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number));
    const bodies = numbers.map((number) => parts.get(number));
    if (bodies.some((part) => part === undefined)) throw new Refusal(400, "InvalidPart");
    if (bodies.slice(0, -1).some((part) => (part?.length ?? 0) < MIN_PART_BYTES))
      throw new Refusal(400, "EntityTooSmall");
    const whole = Buffer.concat(bodies.flatMap((part) => part ?? []));
    const etag = `"${md5(whole)}-${numbers.length}"`;
    this.objects.set(path, { body: whole, etag, headers });
    this.uploads.delete(id);
    xml(response, "CompleteMultipartUploadResult", tag("ETag", etag));
  }

  #put(request: S3Request, body: Buffer, response: ServerResponse): void {
    const { path, headers } = request;
    checkSum(headers, body);
    this.#check(request);
    const etag = `"${md5(body)}"`;
    this.objects.set(path, { body, etag, headers: metadataOf(headers) });
    response.writeHead(200, { etag }).end();
  }

  #get(path: string, response: ServerResponse): void {
    const found = this.objects.get(path);
    if (found === undefined) throw new Refusal(404, "NoSuchKey");
    const { body, etag, headers } = found;
    response.writeHead(200, { etag, "content-length": body.length, ...headers }).end(body);
  }

  #upload(id: string, path: string): OpenUpload {
    const found = this.uploads.get(id);
    if (found?.key !== path) throw new Refusal(404, "NoSuchUpload");
    return found;
  }

  #check({ path, headers }: S3Request): void {
    const etag = this.objects.get(path)?.etag;
    const { "if-match": match, "if-none-match": none } = headers;
    if (match !== undefined && etag === undefined) throw new Refusal(404, "NoSuchKey");
    if (match !== undefined && match !== etag) throw new Refusal(412, "PreconditionFailed");
    if (none === "*" && etag !== undefined) throw new Refusal(412, "PreconditionFailed");
  }
}

const metadataOf = (headers: IncomingMessage["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([k, v]) => (k.startsWith("x-amz-meta-") ? [[k, String(v)]] : [])),
  );

function xml(response: ServerResponse, name: string, content: string): void {
  response.writeHead(200, { "content-type": "application/xml" });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${content}</${name}>`);
}

export async function s3Server(...buckets: readonly string[]): Promise<S3Server> {
  const store = new Store(buckets);
  const requests: S3Request[] = [];
  let decide: (request: S3Request) => S3Fault | undefined = () => undefined;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://s3");
    const { method = "", headers } = request;
    const seen = { method, path: decodeURIComponent(pathname.slice(1)), query, headers };
    requests.push(seen);
    const body = await bodyOf(request);
    try {
      const fault = decide(seen);
      if (fault === "hang") return;
      if (fault !== undefined) throw new Refusal(fault.status, fault.code);
      store.respond(seen, body, response);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response.writeHead(error.status, { "content-type": "application/xml" });
      const text = `<Error>${tag("Code", error.code)}${tag("Message", error.message)}</Error>`;
      response.end(method === "HEAD" ? "" : text);
    }
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url,
    env: s3Environment(url),
    objects: store.objects,
    uploads: store.uploads,
    requests,
    fault(next) {
      decide = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Variables for the program and its package, which reads no file of the developer's then. */
export const s3Environment = (url: string): Record<string, string> => ({
  AWS_ENDPOINT_URL: url,
  AWS_ACCESS_KEY_ID: ACCESS_KEY,
  AWS_SECRET_ACCESS_KEY: SECRET_KEY,
  AWS_CONFIG_FILE: "/nonexistent",
  AWS_SHARED_CREDENTIALS_FILE: "/nonexistent",
  AWS_EC2_METADATA_DISABLED: "true",
});
