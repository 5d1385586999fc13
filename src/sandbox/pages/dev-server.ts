import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isRecord } from "../../lib/core/json.ts";
import { ownPackageFolder } from "../core/package-folder.ts";
import { PlatformError } from "../core/platform-error.ts";
import { splitTarget } from "../core/query.ts";
import { readJson } from "../http/body.ts";
import { failureReply, successReply } from "../http/envelope.ts";
import { checkHost } from "../http/host-check.ts";
import { Inspection, OPEN_PATH, refuseStrangers } from "../http/inspection-key.ts";
import { createListener } from "../http/listener.ts";
import { type Reply, send } from "../http/respond.ts";
import { FRAME_PATH, FramedPages, framesAddress } from "./framed-pages.ts";
import { hostHeaders } from "./headers.ts";

const HOST = "127.0.0.1";
const BODY_BYTES = 4 * 1024 * 1024;
/** How long a request for changes waits for one. */
const WAIT_MS = 20_000;

/** What a page is shown with. */
export interface DevPageParts {
  /** Command that opens it, for messages. */
  readonly command: string;
  /** What the page around it gets. No secrets: it is in a browser. */
  readonly settings: object;
  readonly port?: number | undefined;
  /** Does what the page asks for, and resolves to JSON. An error that is not a PlatformError is a defect. */
  readonly call: (body: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** A page that is served while it is written. */
export interface DevPage {
  /** Opens the page around it once, within a minute. */
  readonly url: string;
  /** Replaces the page that is shown. */
  show(html: string): void;
  /** Shows why there is no new page; the one before stays. */
  fail(problem: string): void;
  close(): Promise<void>;
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The page around the frame: one file, whose own script and style are the only ones that run. */
function hostPage(): { readonly html: string; readonly script: string; readonly style: string } {
  const html = readFileSync(join(ownPackageFolder() ?? ".", "dist", "web", "page.html"), "utf8");
  const inside = (name: string): string => new RegExp(`<${name}[^>]*>([\\s\\S]*)</${name}>`).exec(html)?.[1] ?? "";
  return { html, script: hashOf(inside("script")), style: hashOf(inside("style")) };
}

/** The page as it is now. Those who ask for changes wait for the next one. */
class Versions {
  html = "";
  #state: { readonly version: number; readonly problem?: string } = { version: 0 };
  #waiting: (() => void)[] = [];

  set(problem?: string): void {
    const version = this.#state.version + 1;
    this.#state = problem === undefined ? { version } : { version, problem };
    for (const go of this.#waiting.splice(0)) go();
  }

  async after(version: number): Promise<object> {
    if (version === this.#state.version) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, WAIT_MS).unref();
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.#state;
  }
}

type Route = (incoming: IncomingMessage, rest: string) => Promise<Reply> | Reply;

function routesOf({ settings, call }: DevPageParts, inspection: Inspection, versions: Versions): Map<string, Route> {
  const pages = new FramedPages();
  const host = (incoming: IncomingMessage): Reply => {
    refuseStrangers({ incoming });
    const { html, script, style } = hostPage();
    const headers = hostHeaders({ script, style, frames: framesAddress(incoming) });
    return { status: 200, text: html, headers: { ...headers, "content-type": "text/html; charset=utf-8" } };
  };
  const admitted =
    (work: (incoming: IncomingMessage, rest: string) => Promise<unknown> | unknown): Route =>
    async (incoming, rest) => {
      inspection.admit({ incoming });
      return successReply(await work(incoming, rest));
    };
  return new Map<string, Route>([
    ["GET /", host],
    [`GET ${OPEN_PATH}`, host],
    ["POST /__sandbox/enter", (incoming) => successReply({ key: inspection.enter({ incoming }) })],
    ["GET /__sandbox/session", admitted(() => ({ ...settings, frame: pages.add(async () => versions.html) }))],
    ["GET /__sandbox/changes/", admitted((_, after) => versions.after(Number(after)))],
    [
      "POST /__sandbox/call",
      admitted(async (incoming) => {
        const body = await readJson(incoming, BODY_BYTES);
        if (!isRecord(body)) throw new PlatformError(400, "Invalid JSON");
        return call(body);
      }),
    ],
    // Without a key, and from anywhere: a page that loads itself again comes from an origin of its own.
    [`GET ${FRAME_PATH}/`, (_, id) => pages.serve(id)],
  ]);
}

/** Serves a page to the user's browser, in a frame that reaches nothing but the messages of the page around it. */
export async function servePage(parts: DevPageParts): Promise<DevPage> {
  let origin = "";
  const inspection = new Inspection(randomBytes(24), () => origin, {
    what: "page",
    again: `run "${parts.command}"`,
  });
  const versions = new Versions();
  const routes = routesOf(parts, inspection, versions);
  const answer = async (incoming: IncomingMessage): Promise<Reply> => {
    checkHost(incoming, true);
    const [path] = splitTarget(incoming.url ?? "/");
    const [, folder = "", last = ""] = /^(\/.*\/)([^/]*)$/.exec(path) ?? [];
    const work = routes.get(`${incoming.method} ${path}`) ?? routes.get(`${incoming.method} ${folder}`);
    if (work === undefined) throw new PlatformError(404, "Not found");
    return work(incoming, last);
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const reply = await answer(incoming).catch((error: unknown) => {
      if (error instanceof PlatformError) return failureReply(error);
      return failureReply(new PlatformError(500, error instanceof Error ? error.message : String(error)));
    });
    if (!outgoing.destroyed) send({ incoming, outgoing }, reply);
  };
  const server = createListener((incoming, outgoing) => void serve(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(parts.port ?? 0, HOST, resolve);
  });
  origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}${inspection.createPath()}`,
    show: (html) => {
      versions.html = html;
      versions.set();
    },
    fail: (problem) => versions.set(problem),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
