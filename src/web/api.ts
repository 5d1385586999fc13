import { Device, Resources } from "../index.ts";
import { keyHeaders, renew } from "./key.ts";
import { FormError, UNANSWERED } from "./text.ts";

interface SessionFacts {
  readonly version: string;
  /** The scenario of a sandbox; environment and profile of an account. */
  readonly source: string;
  readonly profileId: string;
  /** Ids of the dashboards that were marked. */
  readonly favourites: readonly string[];
}

/** What the console of an account may do. */
interface Capabilities {
  readonly writes: boolean;
  /** Least time between two reads of the same thing. */
  readonly readEveryMs: number;
  /** Sent to the platform before this page was opened. */
  readonly requests: number;
}

export interface AccountSession extends SessionFacts {
  readonly capabilities: Capabilities;
  readonly clock?: undefined;
}

/** What the console knows of its sandbox. */
export interface SandboxSession extends SessionFacts {
  readonly capabilities?: undefined;
  readonly runsScripts: boolean;
  readonly strict: boolean;
  readonly clock: ClockState;
  readonly tokens: Readonly<Record<string, string>> & { readonly profile: string };
  readonly logins: readonly { readonly kind: string; readonly email: string; readonly password: string }[];
  readonly variables: Readonly<Record<string, string>>;
}

export type Session = SandboxSession | AccountSession;

/** With what the page keeps to itself, see `holdRenewal`. */
export type SessionReply = Session & { readonly renewal: string };

export interface ClockState {
  readonly now: string;
  /** True for a fixed clock. */
  readonly manual: boolean;
  readonly offset_ms?: number;
}

/** The time of the sandbox's clock; an account has that of the machine. */
export function clockMs(clock: ClockState | undefined, ownMs = Date.now()): number {
  if (clock === undefined) return ownMs;
  const { now, manual, offset_ms: offsetMs = 0 } = clock;
  return manual ? Date.parse(now) : ownMs + offsetMs;
}

/** The sandbox rejected a call of its own routes. */
export class InspectError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Throws an error about a field, where the sandbox rejected the one field of a form. */
export const aboutField =
  (name: string) =>
  (error: unknown): never => {
    throw error instanceof InspectError && error.status < 500 ? new FormError({ [name]: error.message }) : error;
  };

/** Sends a request to a route below `/__sandbox/`, with the key of this page; after a restart of the sandbox with a new one. */
export async function request(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  const send = (key: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`/__sandbox/${path}`, { ...init, headers: { ...key, ...headers } });
  try {
    const key = keyHeaders();
    const response = await send(key);
    return response.status === 401 && (await renew(key)) ? await send(keyHeaders()) : response;
  } catch (error) {
    throw error instanceof TypeError ? new Error(UNANSWERED) : error;
  }
}

/** Calls a route below `/__sandbox/`. */
export async function inspect<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await request(path, { method, ...init });
  const text = await response.text();
  let reply: { readonly status?: boolean; readonly result?: T; readonly message?: unknown };
  try {
    reply = JSON.parse(text);
  } catch {
    throw new InspectError(response.status, `The sandbox sent no JSON (status ${response.status})`);
  }
  if (!response.ok) throw new InspectError(response.status, String(reply.message ?? response.status));
  return reply.result as T;
}

/** One attempt: the sandbox is on this machine, and whoever looks sees at once that it is gone. */
const options = { region: { api: location.origin, sse: `${location.origin}/events` }, attempts: 1 };

const made = new Map<string, Resources>();

/** The platform's API for a token: the library, as any web program uses it. */
export function resourcesFor(token: string): Resources {
  const known = made.get(token) ?? new Resources({ token, ...options });
  made.set(token, known);
  return known;
}

/** The API of an account, by the server of this page: it adds the token, which the page never has. */
const accountResources = (isFresh: boolean): Resources =>
  new Resources({
    ...options,
    token: "none",
    fetch: (url, { headers, ...init }) => {
      const { pathname, search } = new URL(url);
      const own = new Headers(headers);
      own.delete("token");
      if (isFresh) own.set("x-console-fresh", "1");
      for (const [name, value] of Object.entries(keyHeaders())) own.set(name, value);
      return fetch(`/api${pathname}${search}`, { ...init, headers: own });
    },
  });

/** @param isFresh reads nothing that the server of an account's console still holds */
export const resourcesOf = (session: Session, isFresh = false): Resources =>
  session.capabilities === undefined ? resourcesFor(session.tokens.profile) : accountResources(isFresh);

/** A device by one of its tokens. */
export const deviceFor = (token: string): Device => new Device({ token, ...options });
