import type { IncomingMessage } from "node:http";
import { post } from "../../lib/api/route.ts";
import { isRecord } from "../../lib/core/json.ts";
import { fileRoutes } from "../../lib/resources/files.ts";
import { fileMoves, fileNames, filePermissions, filesPost, type UploadStep } from "../../schema/file.ts";
import { onPaths } from "../access/catalogue.ts";
import { portal, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { numberOf, textOf } from "../core/query.ts";
import { sourceFinder } from "../dashboards/blueprint.ts";
import { bodyStream, readBody } from "../http/body.ts";
import type { HandlerContext, OwnBody } from "../http/handler.ts";
import type { Resource } from "../resource.ts";
import { formFolders } from "../widgets/form-folders.ts";
import { needWidget } from "../widgets/routes.ts";
import { serveFiles } from "./content-routes.ts";
import { boundaryOf, readForm } from "./form.ts";
import { fileGaps } from "./gaps.ts";
import { FileLinks } from "./links.ts";
import { deletionPath, filePath, folderPrefix } from "./paths.ts";
import { fileRules } from "./rules.ts";
import { BYTES_PER_MB, needRoom, storageMb } from "./storage-quota.ts";
import { Uploads } from "./uploads.ts";

/** Upload of a form field of a widget. */
const widgetFileRoute = post("/data/files/:dashboardID/:widgetID");

/** Largest body of files as base64, which are held in memory. */
const MAX_BASE64_BYTES = 64 * 1024 * 1024;

const inMb = (bytes: number): number => Math.round((bytes / BYTES_PER_MB) * 1000) / 1000;

/** Rejects a file that the caller has no permission to store at this path. */
type CheckTarget = (filename: string, isPublic: boolean, fieldId: string | undefined) => void;

/**
 * Callers other than the profile store what a form uploads in the folder of its field, or where access rules allow it.
 * An existing file keeps its visibility.
 */
function formCheck(app: App, context: HandlerContext<"/data/files/:dashboardID/:widgetID">): CheckTarget {
  const { assume, params, principal, profile, query } = context;
  const widget = needWidget(app, params.dashboardID, params.widgetID, profile);
  const dashboard = app.collection("dashboard").need(params.dashboardID, profile);
  return (filename, isPublic, fieldId) => {
    const path = filePath(filename);
    if (principal.kind === "profile" || app.policy.allows(principal, "file", ["upload"], { path })) return;
    const refuse = (why: string): PlatformError => new PlatformError(400, why).assumed(fileGaps.formField);
    const folders = formFolders(widget, sourceFinder(app, { dashboard, query, principal, assume }), fieldId);
    if (folders.length === 0) throw refuse("Invalid field_id: the widget has no such upload field");
    if (!folders.some((folder) => path.startsWith(`${folder}/`))) {
      throw refuse(`Invalid filename: the form stores its files in ${folders.join(", ")}`);
    }
    const known = app.files.get(profile, path);
    if (known === undefined || known.public === isPublic) return;
    const visibility = known.public ? "public" : "private";
    throw refuse(`Invalid filename: the file exists and is ${visibility}; use another name`);
  };
}

/** Stores the file of a form while it arrives; other content types are JSON. */
async function readUpload({ files }: App, incoming: IncomingMessage): Promise<OwnBody> {
  const boundary = boundaryOf(incoming.headers["content-type"]);
  if (boundary === undefined) {
    const body = await readBody(incoming, MAX_BASE64_BYTES);
    // Only what this reader has stored can be used as content.
    return { body: isRecord(body) ? { ...body, file: undefined } : body };
  }
  const { fields, file } = await readForm(
    bodyStream(incoming),
    boundary,
    (content) => files.stage(content),
    (blob) => files.discard(blob),
  );
  if (file === undefined) return { body: { ...fields, file: undefined } };
  return { body: { ...fields, file }, discard: () => files.discard(file) };
}

/** Uploads: whole files as base64, and files in parts. */
function serveUploads(app: App): void {
  const { files } = app;
  const fileLinks = new FileLinks(app.db, app.clock);
  const uploads = new Uploads(app.db, app.clock, files, () => app.ids.uuid());
  const upload = { body: filesPost, read: (incoming: IncomingMessage) => readUpload(app, incoming) };

  const step = (body: UploadStep, context: HandlerContext, check?: CheckTarget): unknown => {
    const { assume, principal, profile, request } = context;
    switch (body.multipart_action) {
      case "start":
        needRoom(app, profile, 0);
        check?.(body.filename, body.public ?? false, body.field_id);
        return uploads.start(principal, body.filename, { contentType: body.contentType, public: body.public });
      case "upload":
        needRoom(app, profile, body.file.size);
        return { ETag: uploads.addPart(principal, body.upload_id, body.part, body.file) };
      case "end": {
        const target = uploads.target(principal, body.upload_id);
        check?.(target.path, target.public, body.field_id);
        const { path } = uploads.complete(principal, body.upload_id, body.parts);
        needRoom(app, profile, 0);
        return { file: fileLinks.address(request.origin, profile, path) };
      }
      default:
        assume(fileGaps.parts);
        uploads.abort(principal, body.upload_id);
        return "Successfully Removed";
    }
  };

  app.on(fileRoutes.uploadBase64, { ...upload, rule: fileRules.upload }, (context) => {
    const { body, profile } = context;
    if (!Array.isArray(body)) return step(body, context);
    for (const { filename, file, public: isPublic } of body) {
      const content = Buffer.from(file, "base64");
      needRoom(app, profile, content.length);
      files.put(profile, filename, { content, public: isPublic });
    }
    return "Files successfully uploaded";
  });

  const rule = portal(record("dashboard", "dashboardID", "access"));
  app.on(widgetFileRoute, { ...upload, rule }, (context) => {
    const { body } = context;
    if (Array.isArray(body)) throw new PlatformError(400, "Invalid multipart_action");
    return step(body, context, formCheck(app, context));
  });
}

function serveList(app: App): void {
  const { files, policy } = app;
  app.on(fileRoutes.list, { rule: fileRules.list }, ({ assume, principal, profile, query }) => {
    const may = (path: string): boolean => policy.allows(principal, "file", ["access"], { path });
    const asked = textOf(query["path"]) ?? "";
    const folder = folderPrefix(asked);
    const search = textOf(query["search"]);
    if (folder !== "" && !asked.trimEnd().endsWith("/")) assume(fileGaps.folderName);
    if (search !== undefined) assume(fileGaps.search);
    const listing = files.list(profile, {
      // A rule covers a folder, not all names with its prefix.
      path: policy.binds(principal) ? folder : asked,
      amount: numberOf(query["qty"]) ?? numberOf(query["quantity"]),
      after: textOf(query["pagination_token"]),
      search,
    });
    return {
      files: listing.files
        .filter(({ path }) => may(path))
        .map((file) => ({
          filename: file.path,
          size: file.size,
          last_modified: new Date(file.modifiedMs).toISOString(),
          public: file.public,
        })),
      folders: listing.folders.filter((name) => may(`${folder}${name}`)),
      total: storageMb(app, profile),
      usage: inMb(files.usage(profile)),
      ...(listing.next !== undefined && { pagination_token: listing.next }),
    };
  });
}

/** Moving, copying, deleting, and visibility. Paths can be folders. */
function serveChanges(app: App): void {
  const { files } = app;
  const assumeFolder = ({ assume, profile }: HandlerContext, path: string): void => {
    if (files.get(profile, path) === undefined) assume(fileGaps.folders);
  };

  app.on(fileRoutes.move, { body: fileMoves, rule: fileRules.move }, (context) => {
    for (const move of context.body) {
      assumeFolder(context, move.from);
      files.move(context.profile, move);
    }
    return "Successfully Updated";
  });
  app.on(fileRoutes.copy, { body: fileMoves, rule: fileRules.copy }, (context) => {
    for (const move of context.body) {
      assumeFolder(context, move.from);
      files.copy(context.profile, move);
    }
    needRoom(app, context.profile, 0);
    return "Successfully Updated";
  });
  app.on(fileRoutes.delete, { body: fileNames, rule: fileRules.delete }, ({ assume, body, profile }) => {
    for (const path of body.map(deletionPath)) {
      if (folderPrefix(path) === "") assume(fileGaps.root);
      files.removeTree(profile, path);
    }
    return "Successfully Removed";
  });
  app.on(fileRoutes.checkPermission, { rule: fileRules.readPermission }, ({ profile, query }) => ({
    public: files.need(profile, textOf(query["file"]) ?? "").public,
  }));
  app.on(fileRoutes.changePermission, { body: filePermissions, rule: fileRules.editPermission }, (context) => {
    for (const { file, public: isPublic } of context.body) {
      assumeFolder(context, file);
      files.setPublic(context.profile, file, isPublic);
    }
    return "Successfully Updated";
  });
}

/** Files: uploads, lists, changes, and the bytes. */
export const files: Resource = {
  tables: { fileRoutes },
  access: {
    file: { label: "File", analysis: onPaths("access", "upload", "edit", "delete"), runUser: onPaths("access") },
  },
  kinds: [{ kind: "file", trigger: ["file"] }],
  gaps: fileGaps,
  serve: (app) => {
    serveUploads(app);
    serveList(app);
    serveChanges(app);
    app.server.serve("GET", "/file/*", serveFiles(app), { faults: true });
  },
};
