import type { ServerResponse } from "node:http";
import { Readable, type Transform } from "node:stream";
import { constants, createBrotliCompress, createDeflate, createGzip, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiError, type ClientOptions, Resources } from "../../../src/index.ts";
import { HttpClient } from "../../../src/lib/api/client.ts";
import { get } from "../../../src/lib/api/route.ts";
import { MAX_REPLY_BYTES } from "../../../src/lib/core/limits.ts";
import { isFull } from "../../helpers/amount.ts";
import { failureOf, token } from "../../helpers/fault-client.ts";
import { type SmallServer, smallServer } from "../../helpers/small-server.ts";
import { transports } from "../../helpers/transports.ts";

const piece = Buffer.alloc(1024 * 1024, " ");
const piecesAboveLimit = MAX_REPLY_BYTES / piece.length + 1;

const manyPieces = (): Buffer[] => Array.from({ length: piecesAboveLimit }, () => piece);

/** A small body that unfolds to just more than the limit. */
async function bomb(compress: Transform): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of Readable.from(manyPieces()).pipe(compress)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const nested = (depth: number): string => `${"[".repeat(depth)}1${"]".repeat(depth)}`;
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const deep = 100_000;
const tooDeep = "The reply is nested more than 1,000 levels deep, the most that is read";
/** An error of a response that arrived. */
const unusable = { name: "ApiError", code: "INVALID_REPLY", status: 200, mayHaveArrived: true };
const hostileKeys = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';

const compressors: readonly (readonly [encoding: string, compress: () => Transform])[] = [
  ["gzip", () => createGzip({ level: 1 })],
  ["deflate", () => createDeflate({ level: 1 })],
  ["br", () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
];
const bombs = new Map<string, Promise<Buffer>>();

/** The bomb of an encoding, made once. */
function bombIn(encoding: string, compress: () => Transform): Promise<Buffer> {
  const known = bombs.get(encoding) ?? bomb(compress());
  bombs.set(encoding, known);
  return known;
}

/** Filling 256 MiB takes its time: each with one way to the network in every run. */
const slowUnless = (isQuick: boolean) => (isQuick ? {} : { tags: ["slow" as const] });

/** Unfolding 256 MiB takes its time: every transport with one encoding, and one with each in the nightly run. */
const encodings = (transport: string): typeof compressors =>
  isFull && transport === "undici" ? compressors : compressors.slice(0, 1);

describe.each(transports)("a hostile reply over $name", ({ name, transport }) => {
  let server: SmallServer;
  let reply: (response: ServerResponse) => void = (response) => response.end();

  beforeAll(async () => {
    server = await smallServer((_request, response) => reply(response));
  });

  beforeEach(() => {
    server.seen.length = 0;
  });

  afterAll(() => server.close());

  const resources = (options: Omit<ClientOptions, "token"> = {}) =>
    new Resources({ token, transport, region: { api: server.url, sse: server.url }, retryDelayMs: 1, ...options });
  const answer = (body: string, status = 200): void => {
    reply = (response) => response.writeHead(status, { "content-type": "application/json" }).end(body);
  };

  it.each(encodings(name))(
    "that is a bomb in %s is refused, and not asked for again",
    slowUnless(name === "http"),
    async (encoding, compress) => {
      const body = await bombIn(encoding, compress);
      reply = (response) => response.writeHead(200, { "content-encoding": encoding }).end(body);
      const error = await failureOf(resources().devices.info("d1"));
      expect(error).toMatchObject({ ...unusable, attempts: [{ code: "REPLY_TOO_LARGE", mayHaveArrived: true }] });
      expect(error.message).toContain("larger than 256 MiB");
      expect(server.seen).toHaveLength(1);
    },
  );

  it("that says it is larger than 256 MiB is refused at its headers", async () => {
    reply = (response) => response.writeHead(200, { "content-length": String(MAX_REPLY_BYTES + 1) }).write("{");
    expect(await failureOf(resources().devices.info("d1"))).toMatchObject({
      ...unusable,
      message: "The reply is larger than 256 MiB, the most that is read",
    });
    expect(server.seen).toHaveLength(1);
  });

  it("that cannot be decoded is asked for again, but a write is not sent again", async () => {
    reply = (response) => response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip");
    const { devices } = resources();
    for (const [call, times] of [
      [() => devices.create({ name: "Pump" }), 1],
      [() => devices.delete("d1"), 1],
      [() => devices.info("d1"), 5],
    ] as const) {
      server.seen.length = 0;
      expect(await failureOf(call())).toMatchObject({ ...unusable, attempts: { length: times } });
      expect(server.seen).toHaveLength(times);
    }
  });

  it("that cannot be decoded is a failure of the server where its status says so", async () => {
    reply = (response) => response.writeHead(503, { "content-encoding": "gzip" }).end("no gzip");
    expect(await failureOf(resources().devices.delete("d1"))).toMatchObject({ code: "HTTP_ERROR", status: 503 });
    expect(server.seen).toHaveLength(5);
  });

  it("without end is refused at 256 MiB, and not asked for again", slowUnless(name === "undici"), async () => {
    let sentPieces = 0;
    reply = (response) => {
      const more = (): void => {
        while (!response.destroyed) {
          sentPieces += 1;
          if (!response.write(piece)) break;
        }
      };
      response.on("drain", more).writeHead(200);
      more();
    };
    const error = await failureOf(resources().devices.info("d1"));
    expect(error.message).toContain("larger than 256 MiB");
    expect(server.seen).toHaveLength(1);
    expect(sentPieces).toBeLessThan(piecesAboveLimit * 1.5);
  });

  it.each([400, 500])("nested 100,000 levels deep in a refusal (%i) is an ApiError", async (status) => {
    for (const body of [nested(deep), `{"status":false,"message":${nested(deep)}}`]) {
      answer(body, status);
      const error = await failureOf(resources({ attempts: 1 }).devices.info("d1"));
      expect(error).toBeInstanceOf(ApiError);
      expect(error.message).toBe(tooDeep);
    }
  });

  it.each([deep, 999, 1_000])("nested %i levels deep in a success is an ApiError", async (depth) => {
    const { devices, files } = resources();
    const refused = { ...unusable, message: tooDeep, attempts: [{ code: "REPLY_TOO_DEEP", mayHaveArrived: true }] };
    answer(`{"status":true,"result":{"id":"d1","created_at":${nested(depth)}}}`);
    expect(await failureOf(devices.info("d1"))).toMatchObject(refused);
    answer(`{"status":true,"result":{"files":${nested(depth)},"folders":[]}}`);
    expect(await failureOf(files.list())).toMatchObject(refused);
    answer(`{"status":true,"result":{"id":"p1","info":${objects(depth)}}}`);
    const client = new HttpClient({ token, transport, region: { api: server.url, sse: server.url } });
    const cached = get("/cached", { cacheMs: 1000 });
    for (const outcome of await Promise.allSettled([client.call(cached, {}), client.call(cached, {})]))
      expect(outcome).toMatchObject({ status: "rejected", reason: refused });
  });

  it("nested up to 1,000 levels deep is a result that can be written again", async () => {
    for (const inner of [nested(998), objects(998)]) {
      answer(`{"status":true,"result":{"id":"d1","info":${inner},"more":[${"{},".repeat(2_000)}0]}}`);
      const info = await resources().devices.info("d1");
      expect(JSON.stringify(info)).toContain(inner);
    }
  });

  it("with keys of prototypes changes no prototype, in success and refusal", async () => {
    answer(`{"status":true,"result":{"id":"d1",${hostileKeys},"created_at":"2026-01-01T00:00:00.000Z"}}`);
    const info = await resources().devices.info("d1");
    expect(info.created_at).toBeInstanceOf(Date);
    expect(Object.getPrototypeOf(info)).toBe(Object.prototype);
    answer(`{"status":true,"result":[{"id":"r1","time":"2026-01-01T00:00:00.000Z",${hostileKeys}}]}`);
    const [row] = await resources().devices.getDeviceData("d1");
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
    answer(`{"status":false,"message":{${hostileKeys},"code":7}}`, 400);
    const error = await failureOf(resources().devices.info("d1"));
    expect(error).toBeInstanceOf(ApiError);
    expect(Object.getPrototypeOf(error)).toBe(ApiError.prototype);
    expect("polluted" in {} || "polluted" in error).toBe(false);
  });
});

// With fetch the platform itself decodes.
describe.each(transports.filter(({ name }) => name !== "fetch"))("a reply over $name", ({ transport }) => {
  it("in more than three encodings is refused", async () => {
    const body = [1, 2, 3, 4].reduce((inner: Buffer) => gzipSync(inner), Buffer.from('{"status":true,"result":{}}'));
    const server = await smallServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip, gzip, gzip, gzip" }).end(body);
    });
    const { devices } = new Resources({ token, transport, region: { api: server.url, sse: server.url }, attempts: 1 });
    const error = await failureOf(devices.info("d1"));
    expect(error.message).toContain("it has 4 encodings");
    await server.close();
  });
});
