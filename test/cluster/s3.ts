import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from "@aws-sdk/client-s3";
import { ACCESS_KEY, SECRET_KEY, s3Environment, s3Server } from "../helpers/s3-server.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** A server with the bucket `lake`: moto, a program of others, where it is installed. */
export interface TestS3 {
  /** Variables that lead the program there. */
  readonly env: Readonly<Record<string, string>>;
  readonly isMoto: boolean;
  /** The objects of the bucket. */
  objects(): Promise<ReadonlyMap<string, Buffer>>;
  /** Keys of uploads that were begun and not ended. */
  openUploads(): Promise<string[]>;
  close(): Promise<void>;
}

const hasMoto = (): boolean => spawnSync("moto_server", ["--help"], { stdio: "ignore" }).status === 0;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function startMoto(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const child = spawn("moto_server", ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await waitFor(answers, "moto_server");
  return { url, child };
}

export async function testS3(): Promise<TestS3> {
  const moto = hasMoto() ? await startMoto() : undefined;
  const own = moto === undefined ? await s3Server("lake") : undefined;
  const url = moto?.url ?? own?.url ?? "";
  const client = new S3Client({
    ...{ endpoint: url, region: "us-east-1", forcePathStyle: true },
    credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
  });
  if (moto !== undefined) await client.send(new CreateBucketCommand({ Bucket: "lake" }));
  return {
    env: s3Environment(url),
    isMoto: moto !== undefined,
    async objects() {
      if (own !== undefined)
        return new Map([...own.objects].map(([path, { body }]) => [path.slice("lake/".length), body]));
      const found = new Map<string, Buffer>();
      let token: string | undefined;
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket: "lake", ContinuationToken: token }));
        for (const { Key = "" } of page.Contents ?? []) {
          const { Body } = await client.send(new GetObjectCommand({ Bucket: "lake", Key }));
          found.set(Key, Buffer.from((await Body?.transformToByteArray()) ?? []));
        }
        token = page.NextContinuationToken;
      } while (token !== undefined);
      return found;
    },
    async openUploads() {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: "lake" }));
      return Uploads.map(({ Key = "" }) => Key);
    },
    async close() {
      client.destroy();
      await own?.close();
      if (moto === undefined || moto.child.exitCode !== null) return;
      const ended = once(moto.child, "exit");
      moto.child.kill("SIGKILL");
      await ended;
    },
  };
}
