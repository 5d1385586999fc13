import { Device, Resources } from "../index.ts";
import { keyHeaders } from "./key.ts";

/** What the sandbox tells the console of itself. */
export interface Session {
  readonly version: string;
  readonly source: string;
  readonly profileId: string;
  readonly runsScripts: boolean;
  readonly strict: boolean;
  readonly clock: ClockState;
  readonly tokens: Readonly<Record<string, string>> & { readonly profile: string };
  readonly logins: readonly { readonly kind: string; readonly email: string; readonly password: string }[];
  readonly variables: Readonly<Record<string, string>>;
}

export interface ClockState {
  readonly now: string;
  /** True for a fixed clock. */
  readonly manual: boolean;
  readonly offset_ms?: number;
}

/** The time of the sandbox's clock. */
export const clockMs = ({ now, manual, offset_ms: offsetMs = 0 }: ClockState, ownMs = Date.now()): number =>
  manual ? Date.parse(now) : ownMs + offsetMs;

/** The sandbox rejected a call of its own routes. */
export class InspectError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends a request to a route below `/__sandbox/`, with the key of this page. */
export function request(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  return fetch(`/__sandbox/${path}`, { ...init, headers: { ...keyHeaders(), ...headers } });
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

const region = { api: location.origin, sse: `${location.origin}/events` };

const made = new Map<string, Resources>();

/** The platform's API for a token: the library, as any web program uses it. */
export function resourcesFor(token: string): Resources {
  const known = made.get(token) ?? new Resources({ token, region });
  made.set(token, known);
  return known;
}

/** A device by one of its tokens. */
export const deviceFor = (token: string): Device => new Device({ token, region });
