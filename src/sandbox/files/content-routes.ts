import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { App } from "../app.ts";
import { denied, PlatformError } from "../core/platform-error.ts";
import type { QueryObject } from "../core/query.ts";
import { booleanOf, decodeQuery, splitTarget } from "../core/query.ts";
import { authorize, tokenOf } from "../http/auth.ts";
import { failureReply, successReply } from "../http/envelope.ts";
import { originOf } from "../http/run-handler.ts";
import type { RawHandler } from "../http/server.ts";
import type { Range } from "./contents.ts";
import { FileLinks } from "./links.ts";
import type { FileEntry } from "./store.ts";

/** Target of a link: the profile and the path inside it. */
interface Place {
  readonly profile: string;
  readonly path: string;
}

/** Names with unencoded percent signs are left unchanged. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function placeOf(pathname: string): Place {
  const [profile = "", ...rest] = pathname.replace(/^\/file\//, "").split("/");
  return { profile: decoded(profile), path: decoded(rest.join("/")) };
}

const missing = (): PlatformError => new PlatformError(404, "file can't be found");

function find(app: App, { profile, path }: Place): FileEntry {
  try {
    return app.files.need(profile, path);
  } catch {
    throw missing();
  }
}

/** ETags of a list header, with weak ones as strong ones. */
function namesMark(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((mark) => mark.trim() === "*" || mark.trim().replace(/^W\//, "") === `"${etag}"`);
}

const toSeconds = (timeMs: number): number => Math.floor(timeMs / 1000) * 1000;

function isUnchanged(headers: IncomingHttpHeaders, file: FileEntry): boolean {
  const none = headers["if-none-match"];
  if (none !== undefined) return namesMark(none, file.etag);
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return !Number.isNaN(since) && toSeconds(file.modifiedMs) <= since;
}

/** True when a range may be sent: the file is unchanged since the client read the first part. */
function rangeHolds(headers: IncomingHttpHeaders, file: FileEntry): boolean {
  const condition = headers["if-range"];
  if (condition === undefined) return true;
  const text = Array.isArray(condition) ? condition.join(",") : condition;
  return text === `"${file.etag}"` || Date.parse(text) === toSeconds(file.modifiedMs);
}

/** The requested range; `undefined` for all, also when several ranges are requested. */
function rangeOf(headers: IncomingHttpHeaders, file: FileEntry): Range | "unsatisfiable" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range?.replaceAll(" ", "") ?? "");
  if (match === null || !rangeHolds(headers, file)) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, file.size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? file.size - 1 : Math.min(Number(last), file.size - 1);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  return start > end ? "unsatisfiable" : { start, end };
}

function headersOf(file: FileEntry): Record<string, string> {
  return {
    "access-control-expose-headers": "ETag, Content-Range, Content-Length",
    "content-type": file.contentType,
    etag: `"${file.etag}"`,
    "last-modified": new Date(file.modifiedMs).toUTCString(),
    "accept-ranges": "bytes",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    // HTML files get an opaque origin, separate from the sandbox's own pages.
    "content-security-policy": "sandbox allow-scripts allow-forms allow-popups allow-downloads",
  };
}

async function sendFile(
  app: App,
  file: FileEntry,
  headers: IncomingHttpHeaders,
  method: string | undefined,
  outgoing: ServerResponse,
): Promise<"sent"> {
  const common = headersOf(file);
  if (isUnchanged(headers, file)) {
    outgoing.writeHead(304, common).end();
    return "sent";
  }
  const range = rangeOf(headers, file);
  if (range === "unsatisfiable") {
    const reply = failureReply(new PlatformError(416, "Requested range not satisfiable"));
    const length = Buffer.byteLength(reply.text);
    outgoing.writeHead(416, { ...reply.headers, "content-range": `bytes */${file.size}`, "content-length": length });
    outgoing.end(reply.text);
    return "sent";
  }
  const length = range === undefined ? file.size : range.end - range.start + 1;
  outgoing.writeHead(range === undefined ? 200 : 206, {
    ...common,
    "content-length": length,
    ...(range !== undefined && { "content-range": `bytes ${range.start}-${range.end}/${file.size}` }),
  });
  const content = method === "HEAD" || length === 0 ? undefined : app.files.open(file.profile, file.path, range);
  if (content === undefined) {
    outgoing.end();
    return "sent";
  }
  // A client that disconnects ends the pipeline; there is no one left to respond to.
  await pipeline(content, outgoing).catch(() => outgoing.destroy());
  return "sent";
}

/**
 * `GET /file/{profile}/{path}`: the bytes of a file. `noRedirect=true` returns a signed link instead, `md5=true` adds
 * the MD5. Public files and signed links need no token.
 */
export function serveFiles(app: App): RawHandler {
  const links = new FileLinks(app.db, app.clock);
  const admit = (
    file: FileEntry,
    headers: IncomingHttpHeaders,
    query: QueryObject,
    onCaller: Parameters<RawHandler>[1],
  ) => {
    if (file.public || links.opens(file.profile, file.path, query)) return;
    const demand = { kinds: ["profile", "analysis", "run_user"], permission: "read" } as const;
    const principal = authorize(app.tokens, tokenOf(headers, query), demand);
    onCaller(principal);
    const isAllowed = app.policy.allows(principal, "file", ["access"], { path: file.path });
    if (principal.profile !== file.profile || !isAllowed) throw denied();
  };

  return async ({ incoming, outgoing }, onCaller) => {
    const [address, search] = splitTarget(incoming.url ?? "");
    const query = decodeQuery(search);
    const file = find(app, placeOf(address));
    admit(file, incoming.headers, query, onCaller);
    if (booleanOf(query["noRedirect"]) !== true) {
      return sendFile(app, file, incoming.headers, incoming.method, outgoing);
    }
    const { profile, path } = file;
    if (booleanOf(query["md5"]) === true) return successReply(await app.files.md5(profile, path));
    const link = links.signed(originOf(incoming), profile, path);
    await app.db.committed();
    return successReply(link);
  };
}
