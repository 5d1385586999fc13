import type { CommandContext } from "../../kit/context.ts";
import { CommandError, inputError, usageError } from "../../kit/failures/command-error.ts";
import { isTlsCode, networkCode, networkReason } from "../../kit/failures/network-reason.ts";
import { readTextIfThere } from "../../kit/files/files.ts";
import { rememberSecret } from "../../kit/say/redact.ts";
import { isLoopback } from "../../kit/settings/cleartext.ts";
import { type Engine, type SinkAddress, sinkAddress } from "./address.ts";
import type { SinkSettings } from "./settings.ts";
import type { RecordSink } from "./sink.ts";

const packages: Readonly<Record<Engine, string>> = {
  kafka: "kafkajs",
  nats: "@nats-io/transport-node @nats-io/jetstream",
  mqtt: "mqtt",
  http: "",
};

/** Connects to the engine, or fails at once. Its package is loaded only here. */
export async function openSink(ctx: CommandContext, text: string): Promise<RecordSink> {
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

type Opener = (ctx: CommandContext, settings: SinkSettings) => Promise<RecordSink>;

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
