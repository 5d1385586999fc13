import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import mqtt from "mqtt";
import type { Certificate } from "../../src/sandbox/http/certificate.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { freePort } from "./redis.ts";

/** An engine in a process of its own, which stores what it acknowledges. */
export interface TestEngine {
  /** Address for `--to`. */
  readonly to: string;
  /** Ids of the records that a reader of the engine received so far, repetitions included. */
  received(): Promise<readonly string[]>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again with what it has stored. */
  start(): Promise<void>;
  close(): Promise<void>;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

interface Program {
  child(): ChildProcess | undefined;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** A program that listens on a port. */
function programOf(name: string, args: readonly string[], port: number): Program {
  let child: ChildProcess | undefined;
  return {
    child: () => child,
    async start() {
      child = spawn(name, args, { stdio: "ignore" });
      await waitFor(() => isListening(port), name);
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Largest message that the engines take. */
export const MOST_BYTES = 4_096;

interface EngineSettings {
  readonly login?: { readonly user: string; readonly password: string };
  /** It is spoken to over TLS only, with this certificate. */
  readonly certificate?: Certificate;
  /** Lines of the configuration of mosquitto. */
  readonly lines?: readonly string[];
}

/** Writes a certificate to files of its own. */
function certificateFiles({ cert, key }: Certificate): { readonly certFile: string; readonly keyFile: string } {
  const folder = temporaryFolder();
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  return { certFile, keyFile };
}

/** nats-server with a stream in files that it writes before it acknowledges. */
export async function natsEngine({ login, certificate }: EngineSettings = {}): Promise<TestEngine> {
  const port = await freePort();
  const folder = temporaryFolder();
  const loginArgs = login === undefined ? [] : ["--user", login.user, "--pass", login.password];
  const files = certificate && certificateFiles(certificate);
  const tlsArgs = files === undefined ? [] : ["--tls", "--tlscert", files.certFile, "--tlskey", files.keyFile];
  const place = ["--addr", "127.0.0.1", "--port", String(port), "--jetstream", "--store_dir", folder];
  const args = [...place, ...loginArgs, ...tlsArgs];
  const program = programOf("nats-server", args, port);
  await program.start();
  const open = () =>
    connect({
      servers: `127.0.0.1:${port}`,
      ...(login && { user: login.user, pass: login.password }),
      ...(certificate && { tls: { ca: certificate.cert } }),
    });
  const connection = await open();
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: "devices", subjects: ["devices.>"], max_msg_size: MOST_BYTES });
  await connection.close();
  return {
    ...program,
    to: `${certificate === undefined ? "nats" : "natss"}://127.0.0.1:${port}/devices.data`,
    async received() {
      const reader = await open();
      try {
        const { streams } = await jetstreamManager(reader);
        const { state } = await streams.info("devices");
        const stream = await streams.get("devices");
        const ids: string[] = [];
        for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
          const message = await stream.getMessage({ seq });
          if (message !== null) ids.push(message.header.get("Nats-Msg-Id"));
        }
        return ids;
      } finally {
        await reader.close();
      }
    },
    close: program.kill,
  };
}

/** mosquitto with a reader whose session it has stored: it gets what is published after a kill as well. */
export async function mqttEngine({ lines: more = [], certificate }: EngineSettings = {}): Promise<TestEngine> {
  const port = await freePort();
  const folder = temporaryFolder();
  const file = join(folder, "mosquitto.conf");
  const lines = [
    `listener ${port} 127.0.0.1`,
    "allow_anonymous true",
    "persistence true",
    `persistence_location ${folder}/`,
    // As root it would become another user, who may not write there.
    "user root",
    // Messages go to the reader before their publisher hears of them.
    "max_inflight_messages 0",
    "max_queued_messages 0",
  ];
  const files = certificate && certificateFiles(certificate);
  const tlsLines = files === undefined ? [] : [`certfile ${files.certFile}`, `keyfile ${files.keyFile}`];
  writeFileSync(file, `${[...lines, ...tlsLines, ...more].join("\n")}\n`);
  const program = programOf("mosquitto", ["-c", file], port);
  await program.start();
  const ids: string[] = [];
  const reader = await mqtt.connectAsync({
    ...{ host: "127.0.0.1", port, protocolVersion: 5, clientId: "reader" },
    ...(certificate === undefined ? { protocol: "mqtt" } : { protocol: "mqtts", ca: certificate.cert }),
    ...{ clean: false, properties: { sessionExpiryInterval: 3_600 }, reconnectPeriod: 50 },
  });
  reader.on("error", () => undefined);
  reader.on("message", (_, __, { properties }) => ids.push(String(properties?.userProperties?.["id"])));
  await reader.subscribeAsync("plant/data", { qos: 1 });
  program.child()?.kill("SIGUSR1");
  await waitFor(() => existsSync(join(folder, "mosquitto.db")), "the stored session");
  return {
    ...program,
    to: `${certificate === undefined ? "mqtt" : "mqtts"}://127.0.0.1:${port}/plant/data`,
    received: async () => ids,
    async close() {
      await reader.endAsync(true);
      await program.kill();
    },
  };
}

/** The mock cluster of librdkafka, in memory, and its consumer. */
export async function kafkaEngine(): Promise<TestEngine> {
  const args = ["-X", "test.mock.num.brokers=1", "-b", "x:1", "-C", "-t", "devices", "-o", "beginning"];
  const child = spawn("kcat", [...args, "-u", "-f", "%k\\n"], { stdio: ["ignore", "pipe", "pipe"] });
  let [keys, said] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    keys += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  await waitFor(() => /127\.0\.0\.1:\d+/.test(said), "kcat");
  const close = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    to: `kafka://${/127\.0\.0\.1:\d+/.exec(said)?.[0]}/devices`,
    received: async () => keys.split("\n").filter((key) => key !== ""),
    kill: close,
    start: () => Promise.reject(new Error("It stores nothing")),
    close,
  };
}
