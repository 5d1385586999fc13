import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sameText } from "../core/one-time-code.ts";
import { PlatformError } from "../core/platform-error.ts";
import { isLoopback } from "./host-check.ts";
import { isOwnOrigin } from "./origin-check.ts";
import type { Exchange } from "./router.ts";

const CODE_MS = 60_000;
/** Codes nobody used, and keys, that are remembered. */
const MAX_HELD = 100;
/** Of the console's page that exchanges a code. */
export const OPEN_PATH = "/__sandbox/open";

const newSecret = (): string => randomBytes(24).toString("base64url");

/** Adds to a list that forgets its oldest member when it is full. */
function hold<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MAX_HELD) list.shift();
}

function isSent({ headers: sent }: IncomingMessage, value: string): boolean {
  return sameText(sent.authorization ?? "", value);
}

function refuseUnless(isKnown: boolean): void {
  if (!isKnown) throw new PlatformError(401, 'This is for the user who started the sandbox: run "iot sandbox open"');
}

/** Who may look inside the sandbox: programs that have the secret of this run, and pages that were let in. */
export class Inspection {
  /** What a program sends. */
  readonly headers = { authorization: `Bearer ${newSecret()}` };
  readonly #keys: string[] = [];
  #codes: { readonly code: string; readonly endsAtMs: number }[] = [];

  /** Refuses everybody without the secret, and without the key of a page that was let in. */
  admit(request: Pick<Exchange, "incoming">): void {
    refuseStrangers(request);
    refuseUnless(this.#hasSecret(request.incoming) || this.#hasKey(request.incoming));
  }

  /** Refuses everybody without the secret. */
  admitProgram(request: Pick<Exchange, "incoming">): void {
    refuseStrangers(request);
    refuseUnless(this.#hasSecret(request.incoming));
  }

  /** A path that lets one page in, once, within a minute. The code stands where no browser sends it. */
  createPath(): string {
    const code = newSecret();
    hold(this.#codes, { code, endsAtMs: performance.now() + CODE_MS });
    return `${OPEN_PATH}#${code}`;
  }

  /**
   * Lets the page in that sends the code of such a path, as programs send the secret. Returns the key that it sends from then
   * on. It is no cookie: browsers send those to every port of the host name.
   */
  enter(request: Pick<Exchange, "incoming">): string {
    refuseStrangers(request);
    const found = this.#codes.find(({ code }) => isSent(request.incoming, `Bearer ${code}`));
    this.#codes = this.#codes.filter((held) => held !== found);
    if (found === undefined || found.endsAtMs < performance.now()) {
      throw new PlatformError(401, 'This address works once, within a minute: run "iot sandbox open" again');
    }
    const key = newSecret();
    hold(this.#keys, key);
    return key;
  }

  #hasSecret(incoming: IncomingMessage): boolean {
    return isSent(incoming, this.headers.authorization);
  }

  #hasKey(incoming: IncomingMessage): boolean {
    return this.#keys.some((key) => isSent(incoming, `Bearer ${key}`));
  }
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
