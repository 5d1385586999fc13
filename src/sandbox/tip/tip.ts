import type { Clock } from "../core/clock.ts";
import type { ServerCertificate } from "../http/listener.ts";
import type { RequestLog } from "../http/request-log.ts";
import type { HttpServer } from "../http/server.ts";
import type { SandboxTip, TipOptions } from "../options.ts";
import type { Signals } from "../signals.ts";
import { serveTipOverHttp } from "./listeners/http.ts";
import { Lives } from "./listeners/lives.ts";
import { loadBroker, MqttBroker } from "./listeners/mqtt.ts";
import { TcpListener } from "./listeners/tcp.ts";
import { UdpListener } from "./listeners/udp.ts";
import { Messages } from "./messages.ts";
import { ResponseCounters } from "./sequences.ts";
import { type ServiceParts, TipService } from "./service.ts";

export interface TipParts extends ServiceParts {
  readonly server: HttpServer;
  readonly signals: Signals;
  readonly clock: Clock;
}

/** Where it listens. */
type Addresses = Omit<SandboxTip, "http" | "hash" | "authorization">;

export interface ListenOptions {
  readonly host: string;
  /** The host as programs on this machine write it. */
  readonly name: string;
  /** Whether the ports of the platform are taken, where they are free. */
  readonly hasUsualPorts: boolean;
  readonly certificate?: ServerCertificate | undefined;
}

/** Ports of the platform. */
const USUAL = { udp: 5683, udps: 5684, tcp: 5693, tls: 5694, mqtt: 1883, mqtts: 8883 } as const;
type Port = keyof typeof USUAL;

/** A port that was asked for and is taken is an error; that of another program is left to it. */
async function onPort(
  options: TipOptions,
  { hasUsualPorts }: ListenOptions,
  name: Port,
  listen: (port: number) => Promise<number>,
): Promise<number> {
  const wanted = options.ports?.[name];
  if (wanted !== undefined || !hasUsualPorts) return listen(wanted ?? 0);
  return listen(USUAL[name]).catch(() => listen(0));
}

/** The device protocol TagoTiP of a sandbox: what serves requests, and what listens for them. */
export class Tip {
  readonly service: TipService;
  readonly #app: TipParts;
  readonly #options: TipOptions;
  readonly #messages: Messages;
  readonly #closing: (() => Promise<void>)[] = [];
  #addresses: Addresses = { udp: "", udps: "", tcp: "" };

  constructor(app: TipParts, options: TipOptions, requestLog: RequestLog) {
    const { db, clock, signals } = app;
    this.#app = app;
    this.#options = options;
    this.service = new TipService(app, options.sequence ?? true);
    const responses = new ResponseCounters(db);
    this.#messages = new Messages({ db, clock, requestLog, service: this.service, responses });
    signals.on("everythingReplaced", () => {
      this.service.clear();
      responses.reserveAgain();
    });
    signals.on("resourceChanged", ({ kind, event, document }) => {
      if (kind === "device" && event === "delete") this.service.forget(document.id);
    });
  }

  /** Binds the routes; before the server listens. */
  serveHttp(): void {
    serveTipOverHttp(this.#app.server, this.#messages);
  }

  get addresses(): Addresses {
    return this.#addresses;
  }

  /** Opens the other transports. */
  async listen(listening: ListenOptions): Promise<void> {
    this.#addresses = await this.#open(listening);
  }

  async #open(listening: ListenOptions): Promise<Addresses> {
    const { host, certificate } = listening;
    const on = async (name: Port, listen: (port: number) => Promise<number>): Promise<string> =>
      `${listening.name}:${await onPort(this.#options, listening, name, listen)}`;
    const udp = await on("udp", (port) => this.#openUdp(port, host, false));
    const udps = await on("udps", (port) => this.#openUdp(port, host, true));
    const tcp = await on("tcp", (port) => this.#openTcp(port, host));
    const broker = await this.#openBroker();
    const mqtt = broker && (await on("mqtt", (port) => broker.listen(port, host)));
    const plain = { udp, udps, tcp, ...(mqtt !== undefined && { mqtt }) };
    if (certificate === undefined) return plain;
    const tls = await on("tls", (port) => this.#openTcp(port, host, certificate));
    const mqtts = broker && (await on("mqtts", (port) => broker.listen(port, host, certificate)));
    return { ...plain, tls, ...(mqtts !== undefined && { mqtts }) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing.splice(0).map((close) => close()));
  }

  async #openUdp(port: number, host: string, isSealed: boolean): Promise<number> {
    const listener = new UdpListener({ port, host, isSealed, messages: this.#messages });
    const taken = await listener.listen();
    this.#closing.push(() => listener.close());
    return taken;
  }

  async #openTcp(port: number, host: string, certificate?: ServerCertificate): Promise<number> {
    const { db } = this.#app;
    const { commands } = this.service;
    const listener = new TcpListener({ db, commands, messages: this.#messages, lives: this.#lives() }, certificate);
    const taken = await listener.listen(port, host);
    this.#closing.push(() => listener.close());
    return taken;
  }

  async #openBroker(): Promise<MqttBroker | undefined> {
    const broker = await loadBroker();
    if (broker === undefined) {
      this.#app.log("TagoTiP over MQTT is off: it needs the package aedes (npm install aedes@2.0.0-beta.1)");
      return undefined;
    }
    const { db, limits } = this.#app;
    const parts = { db, limits, service: this.service, messages: this.#messages, lives: this.#lives() };
    const opened = new MqttBroker(parts, broker);
    this.#closing.push(() => opened.close());
    return opened;
  }

  #lives(): Lives {
    const { limits } = this.#app;
    return new Lives({
      hasLives: this.#options.lives ?? true,
      planOf: (profile = "") => limits.planOf(profile),
      isLimited: () => limits.settings.perMinute,
    });
  }
}
