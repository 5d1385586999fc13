import { usageError } from "../../kit/failures/command-error.ts";

export type Engine = "kafka" | "nats" | "mqtt" | "http";

/** Where records go. */
export interface SinkAddress {
  readonly engine: Engine;
  readonly isSecure: boolean;
  /** Host and port of each server; of http, one. */
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  /** Topic or subject; of http, the path with its query. */
  readonly target: string;
  readonly query: URLSearchParams;
  /** As it was given: it holds no secret. */
  readonly label: string;
}

const schemes: Readonly<Record<string, readonly [Engine, isSecure: boolean, port: number]>> = {
  kafka: ["kafka", false, 9092],
  kafkas: ["kafka", true, 9092],
  nats: ["nats", false, 4222],
  natss: ["nats", true, 4222],
  tls: ["nats", true, 4222],
  mqtt: ["mqtt", false, 1883],
  mqtts: ["mqtt", true, 8883],
  http: ["http", false, 80],
  https: ["http", true, 443],
};

const next =
  "Use kafka://host:9092/topic, nats://host:4222/subject, mqtt://host:1883/topic or https://host/path; " +
  "kafkas://, natss:// and mqtts:// use TLS.";

const invalid = (why: string): Error =>
  usageError("The address of --to is not valid.", { code: "usage.invalid_value", why, next });

/** Reads the address of `--to`. The list of processes shows it to everybody, so it must hold no password. */
export function sinkAddress(text: string): SinkAddress {
  const [, scheme = "", authority = "", path = "", search = ""] =
    /^([a-z]+):\/\/([^/?#]+)(\/[^?#]*)?(?:\?([^#]*))?$/i.exec(text) ?? [];
  const found = schemes[scheme.toLowerCase()];
  if (found === undefined) throw invalid("It needs an engine, a host and what to send to.");
  if (authority.includes("@")) {
    throw usageError("--to takes no user and no password.", {
      code: "usage.secret_value",
      why: "Other users of this machine can see command lines.",
      next: "Set IOT_SINK_USER and IOT_SINK_PASSWORD, or IOT_SINK_TOKEN; with _FILE at the end, each names a file.",
    });
  }
  const [engine, isSecure, usualPort] = found;
  const servers = authority.split(",").map((server) => serverOf(server, usualPort));
  if (engine === "http" && servers.length > 1) throw invalid("An address of https has one host.");
  const target = engine === "http" ? `${path || "/"}${search && `?${search}`}` : decoded(path.slice(1));
  if (target === "") throw invalid(`It names no ${engine === "nats" ? "subject" : "topic"}.`);
  if (engine !== "http" && /[\s*>#+]/.test(target)) throw invalid(`"${target}" is not one topic or subject.`);
  return { engine, isSecure, servers, target, query: new URLSearchParams(search), label: text };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("A % in it is not followed by two hexadecimal digits.");
  }
}

function serverOf(text: string, usualPort: number): SinkAddress["servers"][number] {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  if (url === undefined || url.hostname === "") throw invalid(`"${text}" is not a host with a port.`);
  // The usual port of http vanishes from its addresses.
  const port = /:(\d+)$/.exec(text)?.[1];
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: port === undefined ? usualPort : Number(port) };
}
