import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { successReply } from "../http/envelope.ts";
import { type Inspection, refuseStrangers } from "../http/inspection-key.ts";
import type { RequestLog } from "../http/request-log.ts";
import type { RawHandler } from "../http/server.ts";
import { consoleFile, unstored } from "./files.ts";
import { serveLive } from "./live-routes.ts";

/** Data the console needs to start. */
export interface ConsoleParts {
  readonly app: App;
  readonly inspection: Inspection;
  readonly requestLog: RequestLog;
  readonly session: () => object;
}

/** The console in the browser: its files, the login, and the routes it needs beside the platform's API. */
export function serveConsole({ app, inspection, requestLog, session }: ConsoleParts): void {
  const { server } = app;
  const serve = (method: string, path: string, work: RawHandler): void =>
    server.serve(method, `/__sandbox/${path}`, work, { faults: false });

  // The files contain no secret: without a key, the page explains how to get one.
  server.serveFiles(({ incoming, path }) => {
    const found = incoming.method === "GET" ? consoleFile(path) : undefined;
    // A program that requests "/" gets the platform's response.
    if (found === undefined || (path === "/" && !(incoming.headers.accept ?? "").includes("text/html")))
      return undefined;
    return (request) => {
      refuseStrangers(request);
      return found();
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
    return unstored(successReply({ ...session(), renewal: inspection.renewal }));
  });
  // Tells nothing of what is inside: a page that was let in by an earlier run makes its key of this one from it.
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
}
