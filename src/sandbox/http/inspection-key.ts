import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sameText } from "../core/one-time-code.ts";
import { PlatformError } from "../core/platform-error.ts";
import { isLoopback } from "./host-check.ts";
import { isOwnOrigin } from "./origin-check.ts";
import type { Exchange } from "./router.ts";

/** Who may look inside the sandbox: programs that have the secret of this run, and browsers that were let in. */
export interface Inspection {
  /** What a program sends. */
  readonly headers: { readonly authorization: string };
  /** Refuses everybody without the secret, and without the cookie of a browser that was let in. */
  admit(request: Pick<Exchange, "incoming">): void;
  /** Refuses everybody without the secret. */
  admitProgram(request: Pick<Exchange, "incoming">): void;
  /** A path that lets one browser in, once, within a minute. */
  createPath(): string;
  /** Lets the browser in that comes with the code of such a path. Returns the cookie for it. */
  enter(request: Pick<Exchange, "incoming">, code: string): string;
}

const CODE_MS = 60_000;
/** Codes nobody used, and browsers, that are remembered. */
const MAX_HELD = 100;
export const OPEN_PATH = "open";

const newSecret = (): string => randomBytes(24).toString("base64url");

/** Cookies know no ports: the name keeps sandboxes beside each other apart. */
const cookieName = ({ socket }: IncomingMessage): string => `iot_sandbox_${socket.localPort ?? 0}`;

function cookieOf(incoming: IncomingMessage): string | undefined {
  const start = `${cookieName(incoming)}=`;
  const pairs = (incoming.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

/** Adds to a list that forgets its oldest member when it is full. */
function hold<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MAX_HELD) list.shift();
}

export function createInspection(): Inspection {
  const headers = { authorization: `Bearer ${newSecret()}` };
  const sessions: string[] = [];
  let codes: { readonly code: string; readonly endsAtMs: number }[] = [];

  const hasSecret = ({ headers: sent }: IncomingMessage): boolean =>
    sameText(sent.authorization ?? "", headers.authorization);
  const hasCookie = (incoming: IncomingMessage): boolean => {
    const cookie = cookieOf(incoming);
    return cookie !== undefined && sessions.some((session) => sameText(session, cookie));
  };
  const refuseUnless = (isKnown: boolean): void => {
    if (!isKnown) throw new PlatformError(401, 'This is for the user who started the sandbox: run "iot sandbox open"');
  };

  return {
    headers,
    admit: (request) => {
      refuseStrangers(request);
      refuseUnless(hasSecret(request.incoming) || hasCookie(request.incoming));
    },
    admitProgram: (request) => {
      refuseStrangers(request);
      refuseUnless(hasSecret(request.incoming));
    },
    createPath: () => {
      const code = newSecret();
      hold(codes, { code, endsAtMs: performance.now() + CODE_MS });
      return `/__sandbox/${OPEN_PATH}?code=${code}`;
    },
    enter: (request, code) => {
      refuseStrangers(request);
      const found = codes.find((held) => sameText(held.code, code));
      codes = codes.filter((held) => held !== found);
      if (found === undefined || found.endsAtMs < performance.now()) {
        throw new PlatformError(401, 'This address works once, within a minute: run "iot sandbox open" again');
      }
      const session = newSecret();
      hold(sessions, session);
      return `${cookieName(request.incoming)}=${session}; HttpOnly; SameSite=Strict; Path=/__sandbox/`;
    },
  };
}

/** Marks the calls that the sandbox makes by itself for an action or a button. */
export const OWN_CALL_HEADER = "x-sandbox-own-call";

/** Only programs on this machine: no other address, no web page but the sandbox's own, and not the sandbox itself. */
export function refuseStrangers({ incoming }: Pick<Exchange, "incoming">): void {
  const address = (incoming.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const site = incoming.headers["sec-fetch-site"];
  const isNear = site === undefined || site === "none" || site === "same-origin";
  const isOwn = incoming.headers.origin === undefined || isOwnOrigin(incoming);
  if (!isLoopback(address) || !isNear || !isOwn)
    throw new PlatformError(403, "Inspection is for programs on this machine");
  if (incoming.headers[OWN_CALL_HEADER] !== undefined)
    throw new PlatformError(403, "Actions and buttons do not reach the inspection routes");
}
