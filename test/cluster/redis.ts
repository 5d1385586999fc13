import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { Redis } from "ioredis";
import { temporaryFolder } from "../helpers/cli.ts";

/** A redis-server of the test's own. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** A client for looking into it. */
  client(): Redis;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder. */
  start(): Promise<void>;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Starts one. With `isKept` it writes every command to its append-only file before it answers. */
export async function testRedis(isKept = false, more: readonly string[] = []): Promise<TestRedis> {
  const port = await freePort();
  const folder = temporaryFolder();
  const kept = isKept ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", ...kept, ...more];
  const clients: Redis[] = [];
  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    for await (const chunk of child.stdout ?? []) {
      said += String(chunk);
      if (said.includes("Ready to accept connections")) break;
    }
    if (!said.includes("Ready to accept connections")) throw new Error(`redis-server did not start:\n${said}`);
  }
  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  await start();
  return {
    url: `redis://127.0.0.1:${port}/0`,
    port,
    client() {
      const client = new Redis(port, "127.0.0.1");
      clients.push(client);
      return client;
    },
    kill,
    start,
    async close() {
      for (const client of clients) client.disconnect();
      await kill();
    },
  };
}
