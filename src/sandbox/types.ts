import type { IncomingMessage } from "node:http";
import type { ListDefaults, PathValues } from "../lib/api/route.ts";

/** What a column gives back. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** What may be bound: booleans are stored as 0 and 1, `undefined` as null. Text with a NUL character is refused. */
export type SqlInput = string | number | bigint | null | undefined | boolean | Uint8Array;

export type SqlRow = Record<string, SqlValue>;

/** A prepared statement. Rows are plain objects, read to the end at once. */
export interface SqlStatement<Row = SqlRow> {
  get(...values: readonly SqlInput[]): Row | undefined;
  all(...values: readonly SqlInput[]): Row[];
  run(...values: readonly SqlInput[]): { readonly changes: number };
}

/**
 * SQLite behind a thin, synchronous wrapper.
 *
 * Writes are committed in groups: the first write of a turn opens one transaction, which is committed when the turn
 * ends. `handle()` keeps every answer back until that commit, so an acknowledged write is on disk. Handlers need not
 * care: they write, return, and are answered for.
 */
export interface SandboxDatabase {
  /** Prepares once per text; calling it again with the same text is cheap. */
  prepare<Row = SqlRow>(sql: string): SqlStatement<Row>;
  get<Row = SqlRow>(sql: string, ...values: readonly SqlInput[]): Row | undefined;
  all<Row = SqlRow>(sql: string, ...values: readonly SqlInput[]): Row[];
  run(sql: string, ...values: readonly SqlInput[]): { readonly changes: number };
  /** Runs several statements without values. For migrations. */
  exec(sql: string): void;
  /** All or nothing: when `work` throws, its writes are undone and the error goes on. May be nested. Synchronous only. */
  transaction<T>(work: () => T): T;
  /** Runs `effect` once the open group of writes is committed, at once when none is open; never when it is lost. */
  afterCommit(effect: () => void): void;
  /** Resolves when everything written so far is on disk. Rejects with a `PlatformError` 503 when it was lost. */
  committed(): Promise<void>;
}

/** One numbered change of the database. Versions are compared as text, per owner: "0001-data", "0002-data" ... */
export interface Migration {
  readonly version: string;
  readonly sql: string;
}

/** What the sandbox takes its moments from. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface IdSource {
  /** 24 lower-case hex characters, creation seconds first, rising. `atMs` defaults to the clock. */
  id(atMs?: number): string;
  uuid(): string;
}

/** Texts per body field, as the platform sends them. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A refusal: becomes `{status: false, message, field_errors?}` with its HTTP status. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly status: number;
  readonly fieldErrors?: FieldErrors;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Sent as `message` in place of the text. */
  messages?: Readonly<Record<string, readonly { readonly message: string }[]>>;
  /** What stays although the request is refused: runs in a transaction of its own, once the request is undone. */
  afterwards?: () => void;

  constructor(status: number, message: string, fieldErrors?: FieldErrors, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    if (fieldErrors !== undefined) this.fieldErrors = fieldErrors;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type TokenKind = "profile" | "analysis" | "run_user" | "network" | "service" | "device" | "dashboard" | "link";
export type Permission = "full" | "write" | "read" | "deny";

/** Who is asking. */
export interface Principal {
  readonly kind: TokenKind | "anonymous";
  readonly profile: string;
  /** Id of what the token opens: the profile, device, analysis, network ... */
  readonly refId: string;
  readonly permission: Permission;
  /** The token as stored, without prefix; empty for anonymous calls. Never log it. */
  readonly key: string;
}

/** A decoded query string (QUERY.md section 1): texts, lists and objects without a prototype. */
export type QueryValue = string | QueryValue[] | { [key: string]: QueryValue };
/** A whole query, by the names of its members. */
export type QueryObject = { [key: string]: QueryValue };

export interface HandlerContext<Path extends string = string, Body = unknown> {
  readonly params: PathValues<Path>;
  readonly query: QueryObject;
  /** Parsed JSON checked by the schema of the route, text for text/plain, `undefined` without a body. */
  readonly body: Body;
  readonly principal: Principal;
  /** Profile of the principal: every look-up is bound to it. */
  readonly profile: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly contentType: string;
    /** Origin the client reached the sandbox by, for links in answers. */
    readonly origin: string;
  };
  /** Time of the request in milliseconds. */
  readonly now: number;
}

/** A result with another status than 200. Made with `created()`. */
export interface Answer {
  readonly answer: true;
  readonly status: number;
  readonly result: unknown;
  /** The result as JSON text, instead of `result`. */
  readonly json?: string;
}

/** A result that is JSON text already, so that long lists are not built as objects first. */
export function jsonResult(json: string): Answer {
  return { answer: true, status: 200, result: undefined, json };
}

export function created(result: unknown): Answer {
  return { answer: true, status: 201, result };
}

/**
 * Answers a request: the return value becomes `result`. Runs synchronously in a transaction of its own, so a throw
 * undoes everything it wrote.
 */
export type Handler<Path extends string = string, Body = unknown> = (context: HandlerContext<Path, Body>) => unknown;

/** What a body was refused for. */
export interface BodyIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Problems of each alternative of a union, with paths relative to this one. */
  readonly errors?: readonly (readonly BodyIssue[])[];
}

/** The part of a zod schema the server uses; schemas live in src/schema. */
export interface BodySchema<Body> {
  safeParse(
    value: unknown,
    options?: { error(issue: object): string | undefined },
  ):
    | { readonly success: true; readonly data: Body }
    | { readonly success: false; readonly error: { readonly issues: readonly BodyIssue[] } };
  /** Problems are answered as `message`, by field. Made by `messagesByField`. */
  readonly messagesByField?: boolean;
}

/** A body that was read by a route's own reader. */
export interface OwnBody {
  readonly body: unknown;
  /** Takes back what reading left behind. Called when the request is refused after all. */
  readonly discard?: () => void;
}

export interface HandlerOptions<Body = unknown> {
  /** Kinds of token let in. Default: profile and analysis; none for routes marked anonymous. */
  readonly tokens?: readonly TokenKind[];
  /**
   * What tokens other than a profile's may do where no demand of access rules covers them (src/sandbox/policy):
   * `own`: the handler touches only what belongs to the token; `free`: what every token of these kinds is made for.
   * A route that leaves it open is refused when it is registered.
   */
  readonly rule?: "own" | "free";
  /** Lets in requests without a token too; a token that is sent must be a good one. */
  readonly tokenOptional?: boolean;
  /** Least permission. Default by method: GET read, POST and PUT write, DELETE full. */
  readonly permission?: "read" | "write" | "full";
  /** Check of the body. Without it the body is handed over as `unknown`. */
  readonly body?: BodySchema<Body>;
  /** Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * Runs before the handler, outside its transaction, and may answer a promise. What it answers takes the place of the
   * body; `undefined` leaves the body as it is.
   */
  prepare?(context: HandlerContext): unknown;
  /** Reads the body instead of the server, once the token is known to be good: for content too large for memory. */
  readonly read?: (incoming: IncomingMessage) => Promise<OwnBody>;
}

/** A route that has a handler. */
export interface ServedRoute {
  /** HTTP method. */
  readonly method: string;
  /** Path with a `:name` for every part. */
  readonly path: string;
}

/** A stored record: JSON values only. `id`, `profile`, `created_at` and `updated_at` (ISO texts) are always there. */
export type EntityDocument = { readonly id: string; readonly profile: string } & { readonly [key: string]: unknown };

/** What a list route adds to the query of its caller. */
export interface ListScope {
  /** Only these records. */
  readonly ids?: readonly string[];
  /** Defaults of this route instead of the collection's. */
  readonly defaults?: ListDefaults;
  /** Members to return besides the fields asked for. */
  readonly always?: readonly string[];
  /** Changes a record before its fields are picked. */
  readonly present?: (document: EntityDocument) => Readonly<Record<string, unknown>>;
}

export interface Collection {
  /** Name in errors: `Device` gives `Device Not Found` and `Invalid Device ID`. */
  readonly thing: string;
  get(id: string): EntityDocument | undefined;
  /** The record of this profile; throws `Invalid {Thing} ID` (400) or `{Thing} Not Found` (404). */
  need(id: string, profile: string): EntityDocument;
  /** `id`, `created_at` and `updated_at` may be given (seed); else they are made. */
  insert(profile: string, document: Readonly<Record<string, unknown>>): EntityDocument;
  /** Members sent replace, `undefined` ones are skipped, updated_at moves. */
  update(id: string, changes: Readonly<Record<string, unknown>>): EntityDocument;
  /** Sets members without moving updated_at: last_input and the like. A hot path, one statement. */
  touch(id: string, changes: Readonly<Record<string, string | number | boolean | null>>): void;
  remove(id: string): void;
  /** List query of QUERY.md section 2. */
  list(profile: string, query: QueryObject, scope?: ListScope): Record<string, unknown>[];
  /** Records that belong to another one: the widgets of a dashboard. */
  children(parent: string): EntityDocument[];
  /** Every record of the profile, oldest first. */
  all(profile: string): EntityDocument[];
  count(profile: string): number;
}

/** A token to make. */
export interface NewToken {
  readonly kind: TokenKind;
  readonly profile: string;
  readonly refId: string;
  readonly name: string;
  readonly permission?: Permission;
  /** "never", ISO text or duration ("3 months"); default never. */
  readonly expireTime?: string;
  /** The token text with or without prefix (seed); default a new one. */
  readonly token?: string;
  readonly serieNumber?: string | null;
  readonly lastAuthorization?: string | null;
  readonly createdBy?: string | null;
  readonly verificationCode?: string | null;
}

export interface StoredToken {
  /** As handed out: with its prefix. */
  readonly token: string;
  readonly kind: TokenKind;
  readonly profile: string;
  readonly refId: string;
  readonly name: string;
  readonly permission: Permission;
  /** ISO text or "never". */
  readonly expireTime: string;
  readonly serieNumber: string | null;
  readonly lastAuthorization: string | null;
  readonly verificationCode: string | null;
  readonly createdBy: string | null;
  readonly createdAt: string;
}

export interface TokenStore {
  create(token: NewToken): StoredToken;
  find(token: string): StoredToken | undefined;
  list(kind: TokenKind, refId: string): StoredToken[];
  remove(token: string): boolean;
  removeOf(refId: string): void;
  /** Notes the service authorization a device token was resolved with, on both. */
  noteAuthorization(token: string, authorization: string): void;
  /** Puts a serial number on the first token of a device. */
  setSerial(deviceId: string, serial: string): void;
  /** The additional parameter of a service authorization. */
  setVerificationCode(token: string, code: string | null): void;
}

export interface DeviceParam {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly sent: boolean;
}

export interface ParamStore {
  list(deviceId: string, sent?: boolean): DeviceParam[];
  /** Adds or, with a known id, edits. At most 60 per device. */
  set(deviceId: string, params: readonly { id?: string; key?: string; value?: string; sent?: boolean }[]): void;
  remove(deviceId: string, paramId: string): boolean;
}

/** A second factor: authenticator secrets are base32 text. */
export interface NewAccount {
  readonly id?: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly company?: string;
  readonly phone?: string | null;
  readonly timezone?: string;
  readonly language?: string;
  readonly plan?: "free" | "starter" | "scale";
  readonly newsletter?: boolean;
  /** Default true; false until a mail is answered. */
  readonly active?: boolean;
  readonly otp?: { readonly authenticator?: string; readonly sms?: boolean; readonly email?: boolean };
  readonly createdAt?: string;
}

export interface AccountStore {
  create(account: NewAccount): { readonly id: string };
  /** A profile of the account; answers its id. */
  createProfile(profile: {
    readonly id?: string;
    readonly account: string;
    readonly name: string;
    readonly logoUrl?: string | null;
    readonly bannerUrl?: string | null;
    readonly createdAt?: string;
  }): string;
  /** Lets another account see the profile (`from_share`). */
  share(profileId: string, accountId: string): void;
}

/** All collections the first floor has; later floors add theirs. `app.collection("device")` and so on. */
export type CollectionName =
  | "device"
  | "dashboard"
  | "widget"
  | "connector"
  | "network"
  | "analysis"
  | "am"
  | "run_user"
  | "run_notification"
  | "template"
  | "action"
  | "notification"
  | "entity"
  | "dictionary"
  | "secret"
  | "tcore"
  | "sql";

export interface Hub {
  /** True when somebody listens: lets a hot path skip building a payload. */
  listening(channel: string, resourceId?: string): boolean;
  /** The same for events meant for one analysis or one portal user. */
  listeningFor(channel: string, audience: string): boolean;
  /** Ids of the resources somebody listens to on a channel. */
  resources(channel: string): string[];
  /** Sends `{channel, timestamp, payload}` once the writes of the request are committed. Bound to one profile. */
  publish(event: {
    readonly channel: string;
    readonly resourceId?: string;
    /** Only for the streams of this analysis or portal user. */
    readonly audience?: string;
    readonly profile: string;
    readonly payload: unknown;
    /** Even when the request is refused in the end. */
    readonly atOnce?: boolean;
  }): void;
}

/** A message that would have left the machine; more members depend on `kind`. */
export interface OutboxMessage {
  /** Made by the sandbox. */
  readonly id: string;
  /** `email`, `sms`, `push`, `mqtt`, `http`, `queue-sqs` and so on. */
  readonly kind: string;
  /** When it was to be sent, ISO text. */
  readonly created_at: string;
  readonly [key: string]: unknown;
}

/** Which messages to list: those that have all the members named. */
export interface OutboxFilter {
  /** `email`, `sms`, `push`, `mqtt`, `http`, `queue-sqs` and so on. */
  readonly kind?: string;
  /** Address or number it goes to. */
  readonly to?: string;
  /** Id of the profile, action or analysis that sent it. */
  readonly profile?: string;
  /** Id of the action that sent it. */
  readonly action?: string;
  /** Id of the analysis that sent it. */
  readonly analysis?: string;
  /** ISO text: messages at or after that moment. */
  readonly since?: string;
}

/** Everything that would have left the machine. */
export interface Outbox {
  add(kind: string, message: Readonly<Record<string, unknown>>): OutboxMessage;
  /** Oldest first. */
  list(filter?: OutboxFilter): OutboxMessage[];
  clear(): void;
}

/** What the device and dashboard handlers need from the store of device data (src/sandbox/data/store.ts). */
export interface DeviceDataStore {
  /** Forgets all data of a device that was deleted. */
  removeDevice(deviceId: string): void;
  /** Rows of a device. */
  amount(deviceId: string): number;
  /** True while the device holds no data: some settings can only change then. */
  isEmpty?(deviceId: string): boolean;
}
