import { html } from "hono/html";
import { PlatformError } from "../core/platform-error.ts";
import type { QueryObject } from "../core/query.ts";
import { decodeQuery, textOf } from "../core/query.ts";
import { successReply } from "../http/envelope.ts";
import { OPEN_PATH, refuseStrangers } from "../http/inspection-key.ts";
import type { Reply } from "../http/respond.ts";
import type { OwnServe } from "../http/server.ts";
import { frame } from "./frame.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import { type PageParts, renderPage } from "./views.ts";

/** Nothing from elsewhere, nothing inline, in nobody's frame. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
    "form-action 'self'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

const LIVE_CHANNEL = "sandbox_live";
/** Rows of one event: a page shows no more at once. */
const MAX_LIVE_ROWS = 200;

const file = (type: string, text: string, status = 200): Reply => ({
  status,
  text,
  headers: { ...HEADERS, "content-type": `${type}; charset=utf-8` },
});

function queryOf(url = ""): QueryObject {
  return decodeQuery(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
}

/** A refusal people can read. */
async function refusal(error: PlatformError): Promise<Reply> {
  const next = error.status === 404 ? html`<p class="about">Choose a view above.</p>` : "";
  const content = html`<h1>${error.message}</h1>${next}`;
  return file("text/html", String(await frame("", error.message, content)), error.status);
}

/** Data as it is stored, for the page: only while somebody looks. */
function serveStream({ app }: PageParts): OwnServe {
  let watching = 0;
  let stop = (): void => {};
  return (request) => {
    app.inspection.admit(request);
    const device = textOf(queryOf(request.incoming.url)["device"]);
    const topic = device === undefined ? LIVE_CHANNEL : `${LIVE_CHANNEL}.${device}`;
    const publish = (payload: unknown, resourceId?: string): void =>
      app.hub.publish({
        channel: LIVE_CHANNEL,
        profile: "",
        payload,
        ...(resourceId === undefined ? {} : { resourceId }),
      });
    if (watching === 0) {
      stop = app.signals.on("dataStored", ({ device: { id, name }, records }) => {
        const payload = { device: id, name, records: records.slice(-MAX_LIVE_ROWS) };
        publish(payload);
        publish(payload, id);
      });
    }
    watching += 1;
    request.outgoing.once("close", () => {
      watching -= 1;
      if (watching === 0) stop();
    });
    app.hub.open(request.outgoing, { profile: "", topics: new Set([topic]) });
    return "sent";
  };
}

/** The web page of the sandbox. */
export function servePage(parts: PageParts): void {
  const serve = (path: string, work: OwnServe): void =>
    parts.app.server.serve("GET", `/__sandbox/${path}`, work, { faults: false });

  const page: OwnServe = async (request) => {
    try {
      parts.app.inspection.admit(request);
      const query = queryOf(request.incoming.url);
      const asked = {
        view: textOf(query["view"]) ?? "",
        id: textOf(query["id"]) ?? "",
        search: (textOf(query["q"]) ?? "").slice(0, 200),
      };
      return file("text/html", String(await renderPage(parts, asked)));
    } catch (error) {
      if (error instanceof PlatformError) return refusal(error);
      throw error;
    }
  };
  /** A browser with a code gets a cookie in its place, and an address without it. */
  const enter: OwnServe = async (request) => {
    try {
      const code = textOf(queryOf(request.incoming.url)["code"]) ?? "";
      const cookie = parts.app.inspection.enter(request, code);
      return { status: 303, text: "", headers: { ...HEADERS, location: "/__sandbox/", "set-cookie": cookie } };
    } catch (error) {
      if (error instanceof PlatformError) return refusal(error);
      throw error;
    }
  };
  const asset =
    (type: string, text: string): OwnServe =>
    (request) => {
      refuseStrangers(request);
      return file(type, text);
    };
  serve("", page);
  serve(OPEN_PATH, enter);
  parts.app.server.serve(
    "POST",
    `/__sandbox/${OPEN_PATH}`,
    (request) => {
      parts.app.inspection.admitProgram(request);
      const path = parts.app.inspection.createPath();
      return successReply({ url: `${parts.app.address.origin}${path}` });
    },
    { faults: false },
  );
  serve("page.css", asset("text/css", STYLE));
  serve("page.js", asset("text/javascript", SCRIPT));
  serve("stream", serveStream(parts));
}
