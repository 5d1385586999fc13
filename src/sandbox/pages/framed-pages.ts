import type { IncomingMessage } from "node:http";
import { PlatformError } from "../core/platform-error.ts";
import { schemeOf } from "../http/listener.ts";
import type { Reply } from "../http/respond.ts";
import { hold, newSecret } from "../http/secrets.ts";

/** Pages are served below this path, each at a part that cannot be guessed: a frame sends no header with a key. */
export const FRAME_PATH = "/__sandbox/page";

/** The address of all framed pages, for the policy of the page around them. */
export const framesAddress = (incoming: IncomingMessage): string =>
  `${schemeOf(incoming)}://${incoming.headers.host ?? ""}${FRAME_PATH}/`;

/**
 * An origin of its own that nothing else has, even when the page is opened by itself: no cookies, no storage, no requests, no
 * windows. It can only send messages to the page around it.
 */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; " +
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; form-action 'none'; " +
    "base-uri 'none'; frame-ancestors 'self'",
  "content-type": "text/html; charset=utf-8",
  // Chromium connects to where a page leads itself before it looks whether the policy around the frame allows that.
  "connection-allowlist": "(response-origin)",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), clipboard-read=(), clipboard-write=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "cache-control": "no-store",
};

/**
 * Runs before the page. Peer connections have no content security policy in most browsers. The messages report to the page around it
 * that a document has started, and what went wrong in it.
 */
const PRELUDE = `<script>{
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete globalThis[name];
const tell = (type, text) => parent.postMessage({ type, text: String(text).slice(0, 500) }, "*");
addEventListener("securitypolicyviolation", (event) => tell("iot:blocked", event.effectiveDirective + " " + event.blockedURI));
addEventListener("error", (event) => tell("iot:error", event.message));
addEventListener("unhandledrejection", (event) => tell("iot:error", event.reason));
tell("iot:start", "");
}</script>`;

/** After the doctype: before it, the page would be shown in quirks mode. */
const withPrelude = (html: string): string => {
  const [doctype = ""] = /^\s*(?:<!--[\s\S]*?-->\s*)*<!doctype[^>]*>/i.exec(html.replace(/^\ufeff/, "")) ?? [];
  return `${doctype || "<!doctype html>"}${PRELUDE}${html.replace(/^\ufeff/, "").slice(doctype.length)}`;
};

interface Held {
  readonly id: string;
  readonly read: () => Promise<string>;
}

/** Pages that may be shown in a frame. */
export class FramedPages {
  readonly #pages: Held[] = [];

  /** Returns the path of a page, which is read each time it is loaded. */
  add(read: () => Promise<string>): string {
    const id = newSecret();
    hold(this.#pages, { id, read });
    return `${FRAME_PATH}/${id}`;
  }

  /** @throws PlatformError 404 for another path than those that were added */
  async serve(id: string): Promise<Reply> {
    const found = this.#pages.find((page) => page.id === id);
    if (found === undefined) throw new PlatformError(404, "Page not found: load the page around it again");
    return { status: 200, text: withPrelude(await found.read()), headers: HEADERS };
  }
}
