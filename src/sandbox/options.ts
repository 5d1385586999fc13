/** The options and types of `createSandbox`. Imports no package, so that its declarations need none. */

import type { Clock, ClockOption } from "./core/clock.ts";
import type { FaultRule, Faults } from "./core/fault-rules.ts";
import type { Limits } from "./core/limit-settings.ts";
import type { Plan } from "./core/plans.ts";
import type { ServedRoute } from "./core/served-route.ts";
import type { RequestLogEntry } from "./http/request-log.ts";
import type { SandboxCertificate } from "./http/tls.ts";
import type { StoredState } from "./snapshots/stored-state.ts";

import type { OutboxFilter, OutboxMessage } from "./store/outbox.ts";

/** How scripts of analyses run. */
export interface AnalysisOptions {
  /** Longest time of a run. Default 120,000. */
  readonly timeoutMs?: number;
  /** Directory in which scripts find their packages. Default the working directory. */
  readonly folder?: string;
}

/** How a sandbox speaks TagoTiP, the platform's device protocol. */
export interface TipOptions {
  /**
   * Ports by transport: `udp` for frames, `udps` for envelopes, `tcp` and `mqtt`, and with `tls` also `tls` and `mqtts`; 0 is
   * any free one. Default: those of the platform where they are free and `port` is not 0, else free ones.
   */
  readonly ports?: Readonly<Partial<Record<"udp" | "udps" | "tcp" | "tls" | "mqtt" | "mqtts", number>>>;
  /** Reject counters that do not rise. Default true. */
  readonly sequence?: boolean;
  /** End connections after 10 to 15 s, and after 5 s of silence, as the platform does. Default true. */
  readonly lives?: boolean;
}

/** Where a sandbox listens for TagoTiP: `127.0.0.1:5683` for example. */
export interface SandboxTip {
  /** Frames over UDP. */
  readonly udp: string;
  /** Envelopes over UDP. */
  readonly udps: string;
  /** Frames and envelopes over TCP. */
  readonly tcp: string;
  /** The same with TLS; present with `tls`. */
  readonly tls?: string;
  /** Origin of the routes `/v1/tip/{serial}` and `/v1/tips`. */
  readonly http: string;
  /** Broker; absent where the package `aedes` is not installed. */
  readonly mqtt?: string;
  /** The same with TLS; present with `tls`. */
  readonly mqtts?: string;
  /** Service authorization of the profile, the one named TagoTiP if there is one. An empty string means it has none. */
  readonly authorization: string;
  /** Its hash, which requests carry. An empty string means there is none. */
  readonly hash: string;
}

/** How a sandbox is started. Everything has a default. */
export interface SandboxOptions {
  /** Default 0: a free port. */
  readonly port?: number;
  /** Address to listen at. Default 127.0.0.1. Where other machines reach it, tokens and passwords are always random. */
  readonly host?: string;
  /**
   * Serve HTTPS, with a certificate created for this sandbox. Programs have to trust it: see `certificate` of the
   * sandbox. Default false.
   */
  readonly tls?: boolean;
  /**
   * Origins whose web pages can use it, such as `http://localhost:3000`. Default: none but its own. Requests of other
   * pages get 403.
   */
  readonly allowOrigins?: readonly string[];
  /** Directory of `sandbox.db`. Without it all data is removed at the end. */
  readonly dataDir?: string;
  /** Store nothing. Default true without `dataDir`; together with one it wins. */
  readonly ephemeral?: boolean;
  /**
   * Tokens and passwords of the demo account. `demo` are the published ones, which every program on this machine knows:
   * meant for the process of a test, and the default here. `random` makes tokens and passwords that only this sandbox
   * has, the same ones at the next start on the same `dataDir`; `iot sandbox start` and `exec` do that. Device tokens of
   * the demo account stay as published.
   */
  readonly tokens?: "demo" | "random";
  /** Run uploaded scripts of analyses as programs of your user. Default true; false where other machines reach it. */
  readonly scripts?: boolean;
  /**
   * Contents of a new database: the demo account (a number selects its history), an almost empty account, another
   * scenario of this package by its name, or the path of a folder with files of the same format or with an exported
   * profile. See docs/sandbox-content.md. Default `demo`.
   */
  readonly seed?: "demo" | "empty" | number | (string & {});
  /**
   * Readings per second that each device of the seed sends, with values like its history. Default: they send nothing.
   */
  readonly rate?: number;
  /** Default `real`. A `Date` stands still; `x60` runs sixty times as fast. */
  readonly clock?: ClockOption;
  /** Faults to inject from the start. Default: none. */
  readonly faults?: readonly FaultRule[];
  /** Requests per minute are limited by the plan: 429 with `Retry-After`. Default false. */
  readonly rateLimits?: boolean;
  /** Plan whose limits apply. Default: that of the account, which is scale for the demo. */
  readonly plan?: Plan;
  /**
   * How far access rules reach. By default portal users need a rule for everything, an analysis as soon as a rule names
   * it. `enforced` requires a rule for every analysis; `open` checks no rules.
   */
  readonly access?: "open" | "enforced";
  /**
   * Reject with 501 whatever rests on an assumption about the platform (see `gaps`). Otherwise the response names the
   * assumption in the header `x-sandbox-gap`. Default false.
   */
  readonly strict?: boolean;
  /**
   * Speak TagoTiP over UDP, TCP, HTTP and MQTT. A new database then has a network, connectors, an authorization and two devices
   * for it besides the demo account. MQTT needs the package `aedes`. Default false.
   */
  readonly tip?: boolean | TipOptions;
  /** How scripts of analyses run. */
  readonly analyses?: AnalysisOptions;
  /** Called with defects of the sandbox itself. Default: standard error. */
  readonly log?: (message: string) => void;
  /** Upper limit of the database in pages of 4 KiB. For tests of a full disk. */
  readonly maxPages?: number;
}

/** Tokens of the first profile. An empty string means the seed has none. */
export interface SandboxTokens {
  /** With full permission. */
  readonly profile: string;
  /** Of the profile, with read permission. */
  readonly read: string;
  /** Of the profile, with permission to create and update. */
  readonly write: string;
  /** Of the profile; rejected because it has expired. */
  readonly expired: string;
  /** Of an analysis. */
  readonly analysis: string;
  /** Of a device. */
  readonly device: string;
}

/** A login of the demo account. */
export interface SandboxLogin {
  /** Target: the account, or the portal of its first profile. */
  readonly kind: "account" | "portal_user";
  /** Email address to log in with. */
  readonly email: string;
  /** Password set by the seed. */
  readonly password: string;
  /** Token of a portal user; absent for accounts. */
  readonly token?: string;
}

/** A running sandbox. */
export interface Sandbox extends StoredState {
  /** Origin, for `TAGOIO_API`. */
  readonly url: string;
  /** URL of the event stream, for `TAGOIO_SSE`. */
  readonly eventsUrl: string;
  /** Port it listens at. */
  readonly port: number;
  /** Present with `tls`. */
  readonly certificate?: SandboxCertificate;
  /** Undefined without the option `tip`. */
  readonly tip: SandboxTip | undefined;
  /** Tokens created by the seed. */
  readonly tokens: SandboxTokens;
  /** Available logins: the demo account first, then the others and the users of its portal. */
  readonly logins: readonly SandboxLogin[];
  /** Whether uploaded scripts of analyses run. */
  readonly runsScripts: boolean;
  /** Headers for the routes below `/__sandbox/`, with a secret of this run. */
  readonly inspectionHeaders: {
    /** `Bearer` and the secret. */
    readonly authorization: string;
  };
  /** A URL that opens the web page in a browser. It works once, within a minute. */
  pageAddress(): string;
  /** Id of the profile the tokens belong to. */
  readonly profileId: string;
  /** Its source of dates. */
  readonly clock: Clock;
  /** Injected faults, changed while it runs. */
  readonly faults: Faults;
  /** The limits of the plans, which can be changed while it runs. */
  readonly limits: Limits;
  /** The routes that have a handler. */
  readonly routes: readonly ServedRoute[];
  /** The last 1,000 requests, oldest first, without tokens. */
  requestLog(): RequestLogEntry[];
  /** All messages that would have left the machine. */
  outbox(filter?: OutboxFilter): OutboxMessage[];
  /** Removes all data and applies the seed again. */
  reset(): void;
  /** Closes open streams and connections, writes everything, releases the data directory. */
  close(): Promise<void>;
}
