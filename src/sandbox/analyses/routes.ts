import { gzipSync } from "node:zlib";
import { isRecord } from "../../lib/core/json.ts";
import { analysisRoutes } from "../../lib/resources/analyses.ts";
import { analysisCreate, analysisEdit, analysisRun, analysisUpload } from "../../schema/analysis.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { creation, RUN_ACTIONS, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { perPlan } from "../core/plans.ts";
import { denied, invalidBody, PlatformError } from "../core/platform-error.ts";
import type { Permission, Principal } from "../core/principal.ts";
import { decodeQuery, numberOf, splitTarget, textOf } from "../core/query.ts";
import { refuseMore, shownToken } from "../http/auth.ts";
import { created } from "../http/handler.ts";
import { resource } from "../resource.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import { analysisToken, runAnswer } from "./analyses.ts";
import { SignedLinks } from "./signed-link.ts";

const gaps = {
  inactive: { subject: "Running an inactive analysis", choice: "same response as for any run; a console line, no run" },
  notConnected: {
    subject: "Running an external analysis nobody listens for",
    choice: "console line The analysis is not connected",
  },
  scripts: {
    subject: "Analysis scripts",
    choice:
      "Node, and Deno and Python where they are installed; 4 at a time, 120 seconds, 512 MB of heap (not in Python), 1 MiB of output",
    general: true,
  },
  packages: {
    subject: "Packages of scripts",
    choice:
      "in every Node runtime those of the folder the sandbox runs in, iotdeck, and iotdeck as @tago-io/sdk; in Deno what it loads " +
      "itself; in Python those of the python3 in PATH, dependencies blocks are not read",
    general: true,
  },
  environment: {
    subject: "Environment of scripts",
    choice: "the platform's variables, PATH and HOME and the like; nothing else",
    general: true,
  },
  console: {
    subject: "Console of an analysis",
    choice: "the last 200 lines, each up to 10,000 characters, without time",
    general: true,
  },
  runtimes: { subject: "Runtimes node and python", choice: "stored as node-legacy and python-legacy", general: true },
  timeout: {
    subject: "Time limit of a script",
    choice: "timeout of the analysis, in seconds; always that of the sandbox",
    general: true,
  },
  secrets: {
    subject: "secrets of an analysis",
    choice: "the ids of those it may read; without access rules all",
    general: true,
  },
  runTime: {
    subject: "Run time of analyses",
    choice: "counted in minutes, in steps of a second; no limit stops a run",
    general: true,
  },
  download: {
    subject: "GET /analysis/{id}/download",
    choice: "a link under /storage, good for an hour; size of the script in bytes",
    general: true,
  },
} as const;

const MAX_SCRIPT_BYTES = 5 * 1024 * 1024;
/** Body size of such a script as base64, with the other fields. */
const MAX_UPLOAD_BYTES = 8 * 1024 * 1024;
const LINK_MS = 3_600_000;
const DOWNLOAD_PATH = "/storage/analysis/:analysisID/:version";

const DEFAULTS = {
  description: null,
  active: true,
  run_on: "tago",
  runtime: "node-legacy",
  interval: null,
  variables: [],
  file_name: null,
  last_run: "never",
  locked_at: null,
} as const;

/** The token of an external analysis. Scripts of the platform get theirs when they run, so none is shown. */
function tokenText(app: App, analysis: EntityDocument, principal: Principal): string {
  const token = analysis["run_on"] === "external" ? analysisToken(app.tokens, analysis.id) : undefined;
  return token === undefined ? "" : shownToken(principal, token);
}

/** An analysis in the format of `GET /analysis/:id`. */
function present(app: App, analysis: EntityDocument, principal: Principal): Record<string, unknown> {
  return {
    ...analysis,
    token: tokenText(app, analysis, principal),
    console: app.analyses.console(analysis.id).map(({ message }) => message),
    secrets: app.analyses.secrets(analysis).map(({ id }) => id),
    timeout: app.analyses.timeoutMs / 1000,
  };
}

/** Removes the old token and creates a new one. */
function renewToken(app: App, { id, profile }: EntityDocument, permission: Permission): string {
  app.tokens.removeOf(id);
  return app.tokens.create({ kind: "analysis", profile, refId: id, name: "Default", permission }).token;
}

const on = (...actions: readonly string[]) => ({ rule: record("analysis", "analysisID", ...actions) });

/** The routes that show or create tokens. */
function serveRecords(app: App, analyses: Collection): void {
  app.on(analysisRoutes.info, on("access"), ({ params, principal, profile }) =>
    present(app, analyses.need(params.analysisID, profile), principal),
  );

  const creates = { rule: creation("analysis", "create"), creates: "analysis", body: analysisCreate };
  app.on(analysisRoutes.create, creates, ({ body, principal, profile }) => {
    const document = analyses.insert(profile, { tags: [], ...DEFAULTS, ...body });
    renewToken(app, document, principal.permission);
    return created({ id: document.id, token: tokenText(app, document, principal) });
  });

  app.on(analysisRoutes.edit, { ...on("edit"), body: analysisEdit }, ({ body, params, principal, profile }) => {
    const analysis = analyses.need(params.analysisID, profile);
    // Before the edit is announced: an action may run this analysis with its new token.
    if (body.run_on !== undefined && body.run_on !== analysis["run_on"])
      renewToken(app, analysis, analysisToken(app.tokens, analysis.id)?.permission ?? principal.permission);
    analyses.update(analysis.id, body);
    return "Successfully Updated";
  });
}

/** Runs, and tokens for external programs. */
function serveRuns(app: App, analyses: Collection): void {
  const runs = { ...on(...RUN_ACTIONS), body: analysisRun };
  app.on(analysisRoutes.run, runs, ({ assume, body, params, principal, profile }) => {
    const { id, active, run_on } = analyses.need(params.analysisID, profile);
    const refusal = app.analyses.refusal(id);
    if (refusal !== undefined) throw refusal;
    if (active === false) assume(gaps.inactive);
    if (run_on === "external" && !app.hub.listeningFor("analysis_trigger", id)) assume(gaps.notConnected);
    const depth = principal.kind === "analysis" ? app.analyses.depth(principal.refId) + 1 : 0;
    return runAnswer(principal, app.analyses.run(id, body?.scope ?? [], { depth }));
  });

  const tokens = { ...on("token_access"), permission: "write" } as const;
  app.on(analysisRoutes.tokenGenerate, tokens, ({ params, principal, profile }) => {
    const analysis = analyses.need(params.analysisID, profile);
    refuseMore(principal);
    return { analysis_token: renewToken(app, analysis, "full") };
  });
}

function serveUploads(app: App, analyses: Collection): void {
  const { scripts } = app;

  app.on(
    analysisRoutes.uploadScript,
    { ...on("upload", "edit"), body: analysisUpload, maxBodyBytes: MAX_UPLOAD_BYTES },
    ({ body, now, params, profile }) => {
      const analysis = analyses.need(params.analysisID, profile);
      const content = Buffer.from(body.file, "base64");
      if (content.length > MAX_SCRIPT_BYTES) {
        throw invalidBody({ file: ["At most 5 MB"] });
      }
      const version = scripts.add(analysis.id, { fileName: body.file_name, language: body.language, content });
      const known = isRecord(analysis["versions"]) ? analysis["versions"] : {};
      const entry = {
        file_name: body.file_name,
        created_at: new Date(now).toISOString(),
        created_by: ownerText(app, profile),
      };
      analyses.update(analysis.id, {
        file_name: body.file_name,
        runtime: body.language,
        version,
        versions: { ...known, [version]: entry },
      });
      return "Successfully Updated";
    },
  );
}

function serveDownloads(app: App, analyses: Collection): void {
  const { scripts } = app;
  const links = new SignedLinks();

  app.on(analysisRoutes.downloadScript, on("access"), ({ now, params, profile, query }) => {
    const analysis = analyses.need(params.analysisID, profile);
    const asked = textOf(query["version"]);
    const script = scripts.get(analysis.id, asked === undefined ? undefined : (numberOf(asked) ?? -1));
    if (script === undefined) throw new PlatformError(400, "Analysis file can't be found");
    const path = DOWNLOAD_PATH.replace(":analysisID", analysis.id).replace(":version", String(script.version));
    const untilMs = now + LINK_MS;
    return {
      url: `${app.address.origin}${links.sign(path, untilMs)}`,
      size: script.content.length,
      size_unit: "bytes",
      expire_at: new Date(untilMs).toISOString(),
    };
  });

  app.server.serve(
    "GET",
    DOWNLOAD_PATH,
    ({ incoming, outgoing, params, path }) => {
      const query = decodeQuery(splitTarget(incoming.url ?? "")[1]);
      const fits = links.check(path, textOf(query["expires"]), textOf(query["signature"]), app.clock.now());
      if (!fits) throw denied();
      const script = scripts.get(params["analysisID"] ?? "", Number(params["version"]));
      if (script === undefined) throw new PlatformError(404, "Script Not Found");
      // Stored as gzip: without content-encoding, so the client decompresses it.
      const file = gzipSync(script.content);
      outgoing.writeHead(200, { "content-type": "application/gzip", "content-length": file.length });
      outgoing.end(file);
      return "sent";
    },
    { faults: false },
  );
}

/** `Name (email)` of the account that owns the profile. */
function ownerText(app: App, profile: string): string {
  const account = app.accounts.get(app.accounts.profile(profile)?.account ?? "");
  return account === undefined ? "" : `${account.name} (${account.email})`;
}

/** Analyses: basic routes, tokens, runs and scripts. */
export const analyses = resource({
  tables: { analysisRoutes },
  kind: "analysis",
  thing: "Analysis",
  keys: { name: "text", active: "boolean", run_on: "exact", runtime: "exact", last_run: "date" },
  defaults: { fields: ["id", "name"], orderBy: ["name", "asc"] },
  always: ["last_run"],
  sortable: ["name", "active", "run_on", "last_run", "created_at", "updated_at"],
  unfiltered: ["run_on"],
  missing: [400, "Analysis can't be found"],
  most: perPlan(5, 100, 200),
  audit: ["analysis", "Analysis"],
  trigger: ["analysis"],
  tagged: true,
  backup: { file: "analysis" },
  amounts: ["analysis"],
  routes: { list: analysisRoutes.list, delete: analysisRoutes.delete },
  rule: "analysis",
  access: { label: "Analysis", analysis: onRecords(...ORDINARY_ACTIONS, "run", "upload", "token_access") },
  removing: (app, { id }) => {
    app.scripts.remove(id);
    app.analyses.forget(id);
    app.tokens.removeOf(id);
  },
  more: (app, records) => {
    serveRecords(app, records);
    serveRuns(app, records);
    serveUploads(app, records);
    serveDownloads(app, records);
  },
  gaps,
});
