import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sameText } from "../core/one-time-code.ts";
import { PlatformError } from "../core/platform-error.ts";
import { isLoopback } from "./host-check.ts";
import { isOwnOrigin } from "./origin-check.ts";
import type { Exchange } from "./router.ts";
import { hold, newSecret } from "./secrets.ts";

const CODE_MS = 60_000;
/** Path of the console page that exchanges a code. */
export const OPEN_PATH = "/__sandbox/open";

function isSent({ headers: sent }: IncomingMessage, value: string): boolean {
  return sameText(sent.authorization ?? "", value);
}

/** How messages name what is let into, and what its user does to get in. */
interface Owner {
  readonly what: string;
  readonly again: string;
}

const OF_SANDBOX: Owner = { what: "sandbox", again: 'run "iot sandbox open"' };

/** Access to the inspection routes: for programs with the secret of this run, and pages with a key. */
export class Inspection {
  /** Header that a program sends. */
  readonly headers = { authorization: `Bearer ${newSecret()}` };
  /** Names this run, to everybody. */
  readonly run = newSecret();
  /**
   * What a page that was let in makes its key of the next run from, where that has the same data folder. The page holds it in
   * memory and sends it nowhere: whoever takes over the port meanwhile learns keys of runs that ended.
   */
  readonly renewal: string;
  readonly #origin: () => string;
  readonly #owner: Owner;
  readonly #keys: string[] = [];
  #codes: { readonly code: string; readonly endsAtMs: number }[] = [];

  /**
   * @param secret of the data folder
   * @param origin of the console; a key made for another origin is rejected
   * @param owner for messages
   */
  constructor(secret: Buffer, origin: () => string, owner = OF_SANDBOX) {
    this.renewal = createHmac("sha256", secret).update("console").digest("base64url");
    this.#origin = origin;
    this.#owner = owner;
  }

  /** Rejects requests without the secret or the key of a page. */
  admit(request: Pick<Exchange, "incoming">): void {
    refuseStrangers(request);
    this.#refuseUnless(this.#hasSecret(request.incoming) || this.#hasKey(request.incoming));
  }

  /** Rejects requests without the secret. */
  admitProgram(request: Pick<Exchange, "incoming">): void {
    refuseStrangers(request);
    this.#refuseUnless(this.#hasSecret(request.incoming));
  }

  /**
   * A path that grants access to one page, once, within a minute. The code is in the fragment, which browsers do not
   * send.
   */
  createPath(): string {
    const code = newSecret();
    hold(this.#codes, { code, endsAtMs: performance.now() + CODE_MS });
    return `${OPEN_PATH}#${code}`;
  }

  /**
   * Grants access to the page that sends the code of such a path, in the header in which programs send the secret.
   * Returns the key that it sends from then on. It is not a cookie: browsers send those to every port of the host name.
   */
  enter(request: Pick<Exchange, "incoming">): string {
    refuseStrangers(request);
    const found = this.#codes.find(({ code }) => isSent(request.incoming, `Bearer ${code}`));
    this.#codes = this.#codes.filter((held) => held !== found);
    if (found === undefined || found.endsAtMs < performance.now()) {
      throw new PlatformError(401, `This address works once, within a minute: ${this.#owner.again} again`);
    }
    const key = newSecret();
    hold(this.#keys, key);
    return key;
  }

  #refuseUnless(isKnown: boolean): void {
    const { what, again } = this.#owner;
    if (!isKnown) throw new PlatformError(401, `This is for the user who started the ${what}: ${again}`);
  }

  #hasSecret(incoming: IncomingMessage): boolean {
    return isSent(incoming, this.headers.authorization);
  }

  #hasKey(incoming: IncomingMessage): boolean {
    const renewed = createHmac("sha256", this.renewal).update(`${this.#origin()}\n${this.run}`).digest("base64url");
    return isSent(incoming, `Bearer ${renewed}`) || this.#keys.some((key) => isSent(incoming, `Bearer ${key}`));
  }
}

/** Marks the calls that the sandbox makes for an action or a button. */
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
