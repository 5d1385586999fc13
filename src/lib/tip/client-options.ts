/** (node) The options of a client, checked, with their defaults. */
import { checkHash, checkSerial } from "./build.ts";
import type { CounterStore } from "./counter.ts";
import { type TipCipher, traitsOf } from "./crypto.ts";
import { invalidInput } from "./errors.ts";
import { authHash, deriveKey } from "./hashes.ts";

/** Regions of the platform. */
export type TipRegion = "us-e1" | "eu-w1";

/** How requests get to the server. */
export type TipOver = "udp" | "tcp" | "http" | "mqtt";

/** How requests are encrypted. */
export interface TipSecurity {
  /** Cipher, as the device is set up. @default "aes-128-ccm" */
  readonly cipher?: TipCipher;
  /** Key of the device, 16 or 32 bytes. @default derived from the `authorization` */
  readonly key?: Uint8Array;
  /** Where counters come from. @default `sequence` */
  readonly counter?: CounterStore;
}

/** Options of `TipClient`. */
export interface TipClientOptions {
  /** Transport. MQTT needs the package `mqtt`. */
  readonly over: TipOver;
  /** Name or address of the server. @default that of the region, such as `udp.tip.us-e1.tago.io` */
  readonly host?: string;
  /**
   * Port. @default UDP 5683 (5684 with `secure`), TCP 5693 (5694 with `tls`), HTTP 80 (443 with `tls`), MQTT 1883 (8883 with
   * `tls`)
   */
  readonly port?: number;
  /** Region of the platform. @default "us-e1" */
  readonly region?: TipRegion;
  /** Uses TLS, which UDP does not have. @default true without `host`, except for UDP; else false */
  readonly tls?: boolean;
  /** Certificates to trust besides those of Node, PEM. */
  readonly ca?: string | readonly string[];
  /** Service authorization of the profile, `at` and 32 hex digits. It is never sent. */
  readonly authorization?: string;
  /** Hash of the authorization, 16 hex digits, instead of the authorization. */
  readonly hash?: string;
  /** Serial number of the device. */
  readonly serial: string;
  /**
   * Sends envelopes. They need counters, from here or from `sequence`, and a key, which is derived from the `authorization`
   * if none is given. @default false
   */
  readonly secure?: boolean | TipSecurity;
  /** Numbers the requests: a repeated PUSH is then stored once. Not over HTTP, except with `secure`. */
  readonly sequence?: CounterStore;
  /** Time to connect, and time to wait for each response, milliseconds. @default 5000 */
  readonly timeoutMs?: number;
  /** Further attempts for what may be repeated. @default 2 */
  readonly retries?: number;
}

/** What envelopes are made with. */
interface Seal {
  readonly cipher: TipCipher;
  readonly key: Uint8Array;
}

/** Checked options. */
export interface TipSettings {
  readonly over: TipOver;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly ca: TipClientOptions["ca"];
  readonly auth: string;
  readonly serial: string;
  /** Absent for plain requests. */
  readonly seal: Seal | undefined;
  /** Absent where requests have no counter. */
  readonly counter: CounterStore | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
}

const PORTS: Readonly<Record<TipOver, { readonly plain: number; readonly other: number }>> = {
  udp: { plain: 5683, other: 5684 },
  tcp: { plain: 5693, other: 5694 },
  http: { plain: 80, other: 443 },
  mqtt: { plain: 1883, other: 8883 },
};
const REGIONS: readonly unknown[] = ["us-e1", "eu-w1"] satisfies TipRegion[];
const MAX_TIMEOUT_MS = 2_147_483_647;

/** Where a server is, and how long it is waited for. */
export type TipAddress = Pick<TipSettings, "over" | "host" | "port" | "tls" | "ca" | "timeoutMs">;

type AddressOptions = Pick<TipClientOptions, "over" | "host" | "port" | "region" | "tls" | "ca" | "timeoutMs">;

/** @throws TipError `invalid_input` */
export function settingsOf(options: TipClientOptions): TipSettings {
  const serial = checkSerial(options.serial);
  const seal = sealOf(options, serial);
  return {
    ...addressOf(options, seal !== undefined),
    auth: hashOf(options),
    serial,
    seal,
    counter: counterOf(options, seal !== undefined),
    retries: wholeNumber(options.retries ?? 2, "retries", 100),
  };
}

/** @throws TipError `invalid_input` */
export function addressOf(options: AddressOptions, isSealed: boolean): TipAddress {
  const { over, host, region = "us-e1", tls = host === undefined && over !== "udp" } = options;
  if (!Object.hasOwn(PORTS, over)) throw invalidInput("over must be udp, tcp, http or mqtt");
  if (!REGIONS.includes(region)) throw invalidInput("region must be us-e1 or eu-w1");
  if (tls && over === "udp") throw invalidInput("UDP has no TLS: use secure to encrypt requests");
  const isOther = over === "udp" ? isSealed : tls;
  return {
    over,
    host: host ?? `${over}.tip.${region}.tago.io`,
    port: wholeNumber(options.port ?? PORTS[over][isOther ? "other" : "plain"], "port", 65_535),
    tls,
    ca: options.ca,
    timeoutMs: wholeNumber(options.timeoutMs ?? 5_000, "timeoutMs", MAX_TIMEOUT_MS),
  };
}

function hashOf({ authorization, hash }: TipClientOptions): string {
  if (authorization !== undefined) return authHash(authorization);
  if (hash === undefined) throw invalidInput("An authorization is needed, or its hash");
  return checkHash(hash);
}

function sealOf({ secure = false, authorization }: TipClientOptions, serial: string): Seal | undefined {
  if (secure === false) return undefined;
  const { cipher = "aes-128-ccm", key } = secure === true ? {} : secure;
  const { keyBytes } = traitsOf(cipher);
  if (key === undefined && authorization === undefined)
    throw invalidInput("Envelopes need a key, or the authorization to derive it from");
  const used = key ?? deriveKey(authorization ?? "", serial, cipher);
  if (used.length !== keyBytes) throw invalidInput(`The key for ${cipher} must be ${keyBytes} bytes`);
  return { cipher, key: used };
}

function counterOf({ over, secure, sequence }: TipClientOptions, isSealed: boolean): CounterStore | undefined {
  const counter = (typeof secure === "object" ? secure.counter : undefined) ?? sequence;
  if (isSealed && counter === undefined)
    throw invalidInput("Envelopes need counters that are never used twice: set sequence to fileCounter(path)");
  if (!isSealed && over === "http" && counter !== undefined)
    throw invalidInput("Plain requests over HTTP have no counter");
  return counter;
}

function wholeNumber(value: number, name: string, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw invalidInput(`${name} must be a whole number from 0 to ${most}`);
}
