import { join } from "node:path";
import { defined } from "../../../lib/core/defined.ts";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import type { TipCipher, TipClient, TipClientOptions, TipOver, TipRegion } from "../../../lib/tip/index.ts";
import type { Input, OptionSpec } from "../command/options.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, notFoundError, usageError } from "../failures/command-error.ts";
import { deviceFinder } from "../finders/device.ts";
import { resolveId } from "../resource/resolve-id.ts";
import { rememberSecret } from "../say/redact.ts";
import { userFolders } from "../settings/paths.ts";
import { tipFailure } from "./failures.ts";

export const TRANSPORTS = ["udp", "tcp", "http", "mqtt"] as const satisfies readonly TipOver[];

/** Who is spoken for. */
export const senderOptions = [
  {
    name: "authorization",
    value: "name",
    summary: "service authorization, as name:… (default: IOT_TIP_AUTHORIZATION, else the only one of the profile)",
  },
  { name: "hash", value: "digits", summary: "hash of an authorization; the device is then its serial number" },
] as const satisfies readonly OptionSpec[];

export const cipherOption = {
  name: "cipher",
  value: "name",
  choices: ["aes-128-ccm", "aes-128-gcm", "aes-256-ccm", "aes-256-gcm", "chacha20-poly1305"],
} as const satisfies Omit<OptionSpec, "summary"> & { choices: readonly TipCipher[] };

/** How requests are sent. */
export const tipOptions = [
  {
    name: "over",
    value: "transport",
    summary: "udp, tcp, http or mqtt, which needs the package mqtt (http)",
    choices: TRANSPORTS,
  },
  { name: "tls", summary: "use TLS, over tcp, http and mqtt; the platform's addresses always do" },
  { name: "secure", summary: "send envelopes, with the key that follows from the authorization" },
  { ...cipherOption, summary: "cipher of the envelopes (aes-128-ccm)", needs: ["secure"] },
  {
    name: "seq",
    value: "n|auto",
    summary: "counter of the request; auto counts on this machine (auto with --secure)",
  },
  ...senderOptions,
] as const satisfies readonly OptionSpec[];

export const tipDeviceArgument = {
  name: "id",
  summary: "device: full id, or a unique name:…, tag:key=value, serial:…; with --hash its serial number",
  required: true,
} as const;

type TipInput = Input<[typeof tipDeviceArgument], typeof tipOptions>;
type SenderInput = Input<[typeof tipDeviceArgument], typeof senderOptions>;

/** Who sends: the serial number of the device, and what proves it. */
export interface TipSender {
  readonly serial: string;
  readonly authorization?: string;
  readonly hash?: string;
}

/** The sender that the arguments name. With `--hash` nothing is asked for. */
export async function senderOf(ctx: CommandContext, { args, options }: SenderInput): Promise<TipSender> {
  const { hash, authorization: named } = options;
  if (hash !== undefined && named !== undefined)
    throw usageError("--hash and --authorization cannot be used together.", { next: "Use one of them." });
  if (hash !== undefined) return { serial: args.id.replace(/^serial:/, ""), hash };
  const own = named === undefined ? ctx.env["IOT_TIP_AUTHORIZATION"] : undefined;
  const authorization = own || (await authorizationOf(ctx, named));
  rememberSecret(authorization);
  return { serial: await serialOf(ctx, args.id), authorization };
}

async function serialOf(ctx: CommandContext, id: string): Promise<string> {
  if (id.startsWith("serial:")) return id.slice("serial:".length);
  const target = await resolveId(ctx, deviceFinder, id);
  const client = await ctx.client();
  const tokens = await client.devices.tokenList(target.id, { fields: ["name", "serie_number"], amount: 100 });
  const serial = tokens.map(({ serie_number: own }) => own).find((own) => typeof own === "string" && own !== "");
  if (serial !== undefined && serial !== null) return serial;
  throw notFoundError(`Device "${await target.name()}" has no serial number.`, {
    code: "tip.no_serial",
    next: `Run "iot device update ${target.id} --serial ..." with the one that the device sends.`,
  });
}

async function authorizationOf(ctx: CommandContext, named: string | undefined): Promise<string> {
  const name = named?.replace(/^name:/, "");
  const all = await (await ctx.client()).serviceAuthorization.tokenList({ amount: 100, fields: ["name", "token"] });
  const found = all.filter((one) => name === undefined || one.name === name);
  const [first, ...others] = found;
  if (first === undefined)
    throw notFoundError(
      name === undefined
        ? "The profile has no service authorization."
        : `Service authorization ${quote(name)} not found.`,
      {
        code: "tip.no_authorization",
        next: 'Run "iot service-auth list", or create one with "iot service-auth create --name Sensors".',
      },
    );
  if (others.length > 0)
    throw usageError(`${found.length} service authorizations fit.`, {
      next: 'Choose one with --authorization "name:…", or set IOT_TIP_AUTHORIZATION.',
    });
  if (/^at[0-9a-f]{32}$/i.test(String(first.token))) return String(first.token);
  throw new CommandError("The service authorization may not be seen in full.", {
    code: "auth.permission",
    exit: 5,
    why: "The token in use may do less than the authorization.",
    next: "Use a token with full permission, or set IOT_TIP_AUTHORIZATION.",
  });
}

type Server = Pick<TipClientOptions, "host" | "port" | "region" | "tls">;

/** Where requests go: to the sandbox that the variables describe, else to the region of the environment. */
export async function serverOf(ctx: CommandContext, over: TipOver, isSecure: boolean, isTls: boolean): Promise<Server> {
  const { env } = ctx;
  const { api } = await ctx.target();
  const origin = new URL(api).origin;
  if (env["IOT_TIP_HTTP"] === origin) return sandboxServer(ctx, over, isSecure, isTls);
  const { hostname, port, protocol } = new URL(api);
  if (hostname.endsWith(".tago.io"))
    return defined({ region: regionOf(hostname), tls: over === "udp" ? false : undefined });
  if (over === "http")
    return { host: hostname, port: Number(port) || (protocol === "https:" ? 443 : 80), tls: protocol === "https:" };
  throw usageError(`The address for TagoTiP over ${over.toUpperCase()} is not known.`, {
    why: `${origin} is neither the platform nor the sandbox of IOT_TIP_HTTP.`,
    next: 'Use --over http, or the variables that "iot sandbox start --tip" prints.',
  });
}

const regionOf = (hostname: string): TipRegion => (hostname.includes("eu-w1") ? "eu-w1" : "us-e1");

function sandboxServer({ env }: CommandContext, over: TipOver, isSecure: boolean, isTls: boolean): Server {
  const { protocol, host } = new URL(env["IOT_TIP_HTTP"] ?? "");
  const names = {
    udp: isSecure ? "UDPS" : "UDP",
    tcp: isTls ? "TLS" : "TCP",
    mqtt: isTls ? "MQTTS" : "MQTT",
    http: "HTTP",
  };
  const address = over === "http" ? host : env[`IOT_TIP_${names[over]}`];
  const [, name, port] = /^(.*):(\d+)$/.exec(address ?? "") ?? [];
  if (name === undefined)
    throw usageError(`IOT_TIP_${names[over]} is not set.`, {
      why:
        over === "mqtt"
          ? "The sandbox has no broker without the package aedes, and none with TLS without --tls."
          : "It is the address of the sandbox.",
      next: 'Use the variables that "iot sandbox start --tip" prints, with --tls for those of TLS.',
    });
  return {
    host: name.replace(/^\[|\]$/g, ""),
    port: Number(port),
    tls: over === "http" ? protocol === "https:" : isTls,
  };
}

export interface OpenTip {
  readonly client: TipClient;
  readonly sender: TipSender;
  readonly over: TipOver;
}

/** A client for what the flags say. It connects with its first request. */
export async function openTip(ctx: CommandContext, input: TipInput, usual: TipOver = "http"): Promise<OpenTip> {
  const { options } = input;
  return openAs(ctx, await senderOf(ctx, input), { ...options, over: options.over ?? usual });
}

interface Sending {
  readonly over: TipOver;
  readonly tls?: boolean;
  readonly secure?: boolean;
  readonly cipher?: TipCipher | undefined;
  readonly seq?: string | undefined;
}

/** A client for one sender. */
export async function openAs(ctx: CommandContext, sender: TipSender, sending: Sending): Promise<OpenTip> {
  const { over, tls = false, secure: isSecure = false, cipher, seq } = sending;
  const { TipClient: Client } = await import("../../../lib/tip/index.ts");
  const server = await serverOf(ctx, over, isSecure, tls);
  const sequence = await sequenceOf(ctx, sender, seq ?? (isSecure ? "auto" : undefined));
  const { timeoutMs } = ctx.clientOptions();
  try {
    const client = new Client({
      ...sender,
      over,
      ...defined({ ...server, sequence, timeoutMs }),
      ...(isSecure && { secure: defined({ cipher }) }),
    });
    return { client, sender, over };
  } catch (error) {
    throw tipFailure(error);
  }
}

async function sequenceOf(
  ctx: CommandContext,
  sender: TipSender,
  seq: string | undefined,
): Promise<TipClientOptions["sequence"]> {
  if (seq === undefined) return undefined;
  if (/^\d{1,10}$/.test(seq)) return { next: async () => Number(seq) };
  if (seq !== "auto")
    throw usageError(`Invalid --seq ${quote(seq)}.`, { next: "Use auto, or a whole number from 0 to 4294967295." });
  const { authHash, fileCounter } = await import("../../../lib/tip/index.ts");
  const folder = join(userFolders(ctx.env).state, "tip");
  makeFolder(folder, 0o700);
  const hash = sender.hash ?? authHash(sender.authorization ?? "");
  return fileCounter(join(folder, `${hash}-${sender.serial.replaceAll(/[^\w-]/g, "_")}.seq`));
}

/** Runs requests, and closes the client whatever happens. */
export async function withTip<T>({ client }: OpenTip, work: (client: TipClient) => Promise<T>): Promise<T> {
  try {
    return await work(client);
  } catch (error) {
    throw tipFailure(error);
  } finally {
    await client.close();
  }
}
