import type { CommandContext } from "../../kit/context.ts";
import { CommandError, inputError, notFoundError, usageError } from "../../kit/failures/command-error.ts";
import { isTlsCode, networkCode, networkReason } from "../../kit/failures/network-reason.ts";
import { readTextIfThere } from "../../kit/files/files.ts";
import { rememberSecret } from "../../kit/say/redact.ts";
import { isLoopback } from "../../kit/settings/cleartext.ts";
import { type Engine, type SinkAddress, sinkAddress } from "./address.ts";
import type { Sink } from "./sink.ts";

/** What a sink is opened with. */
export interface SinkSettings extends SinkAddress {
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly token: string | undefined;
  /** Own authorities to trust besides the usual ones. */
  readonly tls: { readonly ca?: string[] };
}

/** How long an engine has to accept a connection, or to acknowledge. */
export const ANSWER_MS = 10_000;

const packages: Readonly<Record<Engine, string>> = {
  kafka: "kafkajs",
  nats: "@nats-io/transport-node @nats-io/jetstream",
  mqtt: "mqtt",
  http: "",
};

/** Connects to the engine, or fails at once. Its package is loaded only here. */
export async function openSink(ctx: CommandContext, text: string): Promise<Sink> {
  const address = sinkAddress(text);
  const user = credential(ctx, "USER");
  const [password, token] = [credential(ctx, "PASSWORD"), credential(ctx, "TOKEN")];
  for (const secret of [password, token]) rememberSecret(secret);
  const isLocal = address.servers.every(({ host }) => isLoopback(host.includes(":") ? `[${host}]` : host));
  if (!address.isSecure && !isLocal && (address.engine === "http" || (password ?? token) !== undefined)) {
    throw usageError(`${address.label} is not encrypted.`, {
      code: "sink.cleartext",
      why: "Records or a password would cross the network in plain text.",
      next: "Use kafkas://, natss://, mqtts:// or https://.",
    });
  }
  const { ca } = ctx.clientOptions();
  const { trusting } = await import("../../../lib/http/node-transport.ts");
  const settings = { ...address, user, password, token, tls: trusting(ca) };
  try {
    return await openers[address.engine](ctx, settings);
  } catch (error) {
    throw ctx.signal.aborted ? error : explained(address, error);
  }
}

type Opener = (ctx: CommandContext, settings: SinkSettings) => Promise<Sink>;

const openers: Readonly<Record<Engine, Opener>> = {
  kafka: async (_, settings) => (await import("./kafka.ts")).openKafka(settings),
  nats: async (_, settings) => (await import("./nats.ts")).openNats(settings),
  mqtt: async (_, settings) => (await import("./mqtt.ts")).openMqtt(settings),
  http: async (ctx, settings) => (await import("./http.ts")).openHttp(ctx, settings),
};

/** `IOT_SINK_<name>`, or the content of the file that `IOT_SINK_<name>_FILE` names. */
function credential(ctx: CommandContext, name: string): string | undefined {
  const own = ctx.env[`IOT_SINK_${name}`];
  const file = ctx.env[`IOT_SINK_${name}_FILE`];
  if (own || !file) return own || undefined;
  const text = readTextIfThere(ctx.path(file))?.trim();
  if (text) return text;
  throw inputError(`The file ${file} cannot be read, or is empty.`, {
    code: "input.not_found",
    why: `IOT_SINK_${name}_FILE names it.`,
    next: "Correct the variable.",
  });
}

/** The engine rejects user, password or target: no record can be delivered. */
export function denied({ label }: SinkAddress, why: string, cause?: unknown): CommandError {
  return new CommandError(`${label} rejects the records.`, {
    code: "sink.denied",
    exit: 5,
    why,
    next: "Check IOT_SINK_USER and IOT_SINK_PASSWORD (or IOT_SINK_TOKEN), and what this user may write to.",
    cause,
  });
}

/** What the records would go to does not exist: nothing would store and acknowledge them. */
export function noTarget(what: string): CommandError {
  return notFoundError(`The engine has no ${what}.`, {
    code: "sink.no_target",
    why: "Without it, nothing stores the records and acknowledges them.",
    next: "Create it, or correct the address of --to.",
  });
}

/** An error of opening, or of an engine that stayed away. */
function explained(address: SinkAddress, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const { engine, label } = address;
  if (error instanceof Error && "code" in error && /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code))) {
    return new CommandError(`The package for ${engine === "nats" ? "NATS" : engine} is not installed.`, {
      code: "sink.not_installed",
      exit: 1,
      why: "It is installed on request only.",
      next: `Run npm install ${packages[engine]} beside iotdeck (npm install -g, where iotdeck was installed so).`,
      cause: error,
    });
  }
  const code = networkCode(error);
  const isTls = isTlsCode(code);
  return new CommandError(`${label} cannot be reached.`, {
    code: "sink.unreachable",
    exit: 10,
    // What has no code of the system is the word of the engine or of TLS.
    why: (code === undefined || isTls) && error instanceof Error ? error.message : networkReason(error),
    next: isTls ? "Check its certificate; --ca-file adds your own authority." : "Check that it runs there.",
    cause: error,
  });
}
