import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Redis } from "ioredis";
import type { Certificate } from "../../src/sandbox/http/certificate.ts";
import { temporaryFolder } from "../helpers/cli.ts";

/** A redis-server of the test's own. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** A client for looking into it. */
  client(): Redis;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Leaves its connections open and answers nothing. */
  hang(): void;
  /** Starts it again on the same port and folder. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function tlsArguments(folder: string, port: number, { cert, key }: Certificate): string[] {
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const files = ["--tls-cert-file", certFile, "--tls-key-file", keyFile, "--tls-ca-cert-file", certFile];
  return ["--port", "0", "--tls-port", String(port), "--tls-auth-clients", "no", ...files];
}

interface RedisSettings {
  /** It writes every command to its append-only file before it answers. */
  readonly isKept?: boolean;
  /** It answers over TLS only, with this certificate. */
  readonly certificate?: Certificate;
}

export async function testRedis({ isKept = false, certificate }: RedisSettings = {}): Promise<TestRedis> {
  const port = await freePort();
  const folder = temporaryFolder();
  const kept = isKept ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
  const ports = certificate === undefined ? ["--port", String(port)] : tlsArguments(folder, port, certificate);
  const args = [...ports, "--bind", "127.0.0.1", "--dir", folder, "--save", "", ...kept];
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
    url: `${certificate === undefined ? "redis" : "rediss"}://127.0.0.1:${port}/0`,
    port,
    client() {
      const tls = certificate === undefined ? {} : { tls: { ca: certificate.cert } };
      const client = new Redis({ port, host: "127.0.0.1", ...tls });
      clients.push(client);
      return client;
    },
    kill,
    hang: () => void child?.kill("SIGSTOP"),
    start,
    async close() {
      for (const client of clients) client.disconnect();
      await kill();
    },
  };
}
