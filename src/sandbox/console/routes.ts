import { isRecord } from "../../lib/core/json.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { readJson } from "../http/body.ts";
import { successReply } from "../http/envelope.ts";
import { type Inspection, refuseStrangers } from "../http/inspection-key.ts";
import type { RequestLog } from "../http/request-log.ts";
import type { RawHandler } from "../http/server.ts";
import { FRAME_PATH, FramedPages, framesAddress } from "../pages/framed-pages.ts";
import { readSetting, writeSetting } from "../store/settings.ts";
import { changedFavourites, favouritesIn, MAX_FAVOURITES_BYTES } from "./favourites.ts";
import { consoleFile, unstored } from "./files.ts";
import { serveLive } from "./live-routes.ts";

/** Data the console needs to start. */
export interface ConsoleParts {
  readonly app: App;
  readonly inspection: Inspection;
  readonly requestLog: RequestLog;
  readonly session: () => { readonly profileId: string };
}

const FAVOURITES = "console_favourites";

/** The console in the browser: its files, the login, and the routes it needs beside the platform's API. */
export function serveConsole(parts: ConsoleParts): void {
  const { app, inspection, requestLog, session } = parts;
  const { server } = app;
  const serve = (method: string, path: string, work: RawHandler): void =>
    server.serve(method, `/__sandbox/${path}`, work, { faults: false });
  const favouritesOf = (profileId: string): readonly string[] =>
    favouritesIn(readSetting(app.db, "profile", profileId, FAVOURITES));

  // The files contain no secret: without a key, the page explains how to get one.
  server.serveFiles(({ incoming, path }) => {
    const found = incoming.method === "GET" ? consoleFile(path) : undefined;
    // A program that requests "/" gets the platform's response.
    if (found === undefined || (path === "/" && !(incoming.headers.accept ?? "").includes("text/html")))
      return undefined;
    return (request) => {
      refuseStrangers(request);
      return found(incoming, framesAddress(incoming));
    };
  });

  /** A page with a code gets a key, which the browser stores for the scheme, host and port of the page. */
  serve("POST", "enter", (request) => unstored(successReply({ key: inspection.enter(request) })));
  serve("POST", "open", (request) => {
    inspection.admitProgram(request);
    return successReply({ url: `${app.address.origin}${inspection.createPath()}` });
  });
  serve("GET", "session", (request) => {
    inspection.admit(request);
    const facts = session();
    const favourites = favouritesOf(facts.profileId);
    return unstored(successReply({ ...facts, favourites, renewal: inspection.renewal }));
  });
  serve("PUT", "favourites", async (request) => {
    inspection.admit(request);
    const body = await readJson(request.incoming, MAX_FAVOURITES_BYTES);
    const { profileId } = session();
    const dashboards = changedFavourites(favouritesOf(profileId), body);
    writeSetting(app.db, "profile", profileId, FAVOURITES, { dashboards });
    return successReply("Favourites stored");
  });
  // Reveals nothing of what is inside: a page that was let in by an earlier run makes its key of this one from it.
  serve("GET", "run", (request) => {
    refuseStrangers(request);
    return unstored(successReply({ run: inspection.run }));
  });
  serve("GET", "analyses/:id/console", (request) => {
    inspection.admit(request);
    return successReply(app.analyses.console(String(request.params["id"])));
  });
  serve("GET", "requests/:n", (request) => {
    inspection.admit(request);
    const found = requestLog.details(Number(request.params["n"]));
    if (found === undefined) throw new PlatformError(404, "Request not found: the log holds the last 1,000");
    return successReply(found);
  });
  serve("GET", "stream", serveLive(app, inspection, requestLog));
  serveFramedPages(parts, serve);
}

const MAX_PATH_BYTES = 16 * 1024;
const MAX_PAGE_BYTES = 10 * 1024 * 1024;

/** Files of a profile as pages in a frame, where they reach nothing but the console's messages. */
function serveFramedPages(
  { app, inspection }: Pick<ConsoleParts, "app" | "inspection">,
  serve: (method: string, path: string, work: RawHandler) => void,
): void {
  const pages = new FramedPages();
  serve("POST", "page", async (request) => {
    inspection.admit(request);
    const body = await readJson(request.incoming, MAX_PATH_BYTES);
    const { profile, path } = isRecord(body) ? body : {};
    if (typeof profile !== "string" || typeof path !== "string") {
      throw new PlatformError(400, 'Send {"profile": id of a profile, "path": path of a file}');
    }
    if (app.files.need(profile, path).size > MAX_PAGE_BYTES) {
      throw new PlatformError(413, "The file is too large for a page (limit 10 MB)");
    }
    const read = async (): Promise<string> => {
      const found = await app.files.read(profile, path);
      if (found === undefined) throw new PlatformError(404, "File not found");
      return found.toString("utf8");
    };
    return unstored(successReply({ address: pages.add(read) }));
  });
  // The path is the secret: a frame sends no header with the key.
  app.server.serve("GET", `${FRAME_PATH}/:id`, (request) => pages.serve(String(request.params["id"])), {
    faults: false,
  });
}
