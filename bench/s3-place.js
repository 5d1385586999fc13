// What the measurements of S3 share: a server with the bucket `lake`, the small one of the tests in a process of its own or
// moto_server.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const MOTO_PORT = 5077;

/** The server of the tests, in this process. */
async function serve(file) {
  const { s3Server } = await import(pathToFileURL(file).href);
  const { env } = await s3Server("lake");
  process.send(env);
}

async function startSmall(folder) {
  const outfile = join(folder, "server.mjs");
  const entryPoints = [join(root, "test/helpers/s3-server.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
  const child = fork(self, [], { env: { ...process.env, BENCH_S3: outfile } });
  const [env] = await once(child, "message");
  return { env, child };
}

/** A client of the server that the variables name. */
function clientOf(env) {
  const { S3Client } = createRequire(self)("@aws-sdk/client-s3");
  const credentials = { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY };
  return new S3Client({ endpoint: env.AWS_ENDPOINT_URL, region: "us-east-1", forcePathStyle: true, credentials });
}

async function startMoto() {
  const child = spawn("moto_server", ["-H", "127.0.0.1", "-p", String(MOTO_PORT)], { stdio: "ignore" });
  const url = `http://127.0.0.1:${MOTO_PORT}`;
  while (!(await fetch(url).catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 100));
  const env = { AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: "bench", AWS_SECRET_ACCESS_KEY: "bench" };
  const { CreateBucketCommand } = createRequire(self)("@aws-sdk/client-s3");
  await clientOf(env).send(new CreateBucketCommand({ Bucket: "lake" }));
  return { env, child };
}

/** Starts the server; `env` leads the program there. */
export const startS3 = (isMoto, folder) => (isMoto ? startMoto() : startSmall(folder));

/** Keys below a prefix, with what changes when an object is written again. */
export async function objectsOf(env, prefix) {
  const { ListObjectsV2Command } = createRequire(self)("@aws-sdk/client-s3");
  const client = clientOf(env);
  const found = [];
  let token;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: "lake", Prefix: prefix, ContinuationToken: token }),
    );
    for (const { Key, ETag, LastModified } of page.Contents ?? []) found.push([Key, ETag, LastModified?.getTime()]);
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return found.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Keys of uploads that were begun and not ended. */
export async function openUploads(env) {
  const { ListMultipartUploadsCommand } = createRequire(self)("@aws-sdk/client-s3");
  const { Uploads = [] } = await clientOf(env).send(new ListMultipartUploadsCommand({ Bucket: "lake" }));
  return Uploads.map(({ Key }) => Key);
}

/** Copies all objects below a prefix into a folder. */
export async function download(env, prefix, folder) {
  const { GetObjectCommand } = createRequire(self)("@aws-sdk/client-s3");
  const client = clientOf(env);
  for (const [key] of await objectsOf(env, prefix)) {
    const path = join(folder, key.slice(prefix.length));
    mkdirSync(dirname(path), { recursive: true });
    const { Body } = await client.send(new GetObjectCommand({ Bucket: "lake", Key: key }));
    writeFileSync(path, await Body.transformToByteArray());
  }
}

if (process.env.BENCH_S3) await serve(process.env.BENCH_S3);
