import { gzipSync } from "node:zlib";
import { isRecord } from "../../../lib/core/json.ts";
import { analysisRoutes } from "../../../lib/resources/analyses.ts";
import { analysisCreate, analysisEdit, analysisRun, analysisUpload } from "../../../schema/analysis.ts";
import { analysisToken, runAnswer } from "../../analyses/analyses.ts";
import type { ScriptStore } from "../../analyses/scripts.ts";
import { createSignedLinks } from "../../analyses/signed-link.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { Permission, Principal } from "../../core/principal.ts";
import { decodeQuery, numberOf, textOf } from "../../core/query.ts";
import { refuseMore, shownToken } from "../../http/auth.ts";
import { created } from "../../http/handler.ts";
import type { EntityDocument } from "../../store/document.ts";
import { crud } from "../crud.ts";
import { refuseProtected } from "../kit.ts";

const MAX_SCRIPT_BYTES = 5 * 1024 * 1024;
/** Such a script as base64, and the rest of the body. */
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

/** The token of an analysis that runs outside. Scripts of the platform get theirs when they run, so it shows none. */
function tokenText(app: App, analysis: EntityDocument, principal: Principal): string {
  const token = analysis["run_on"] === "external" ? analysisToken(app.tokens, analysis.id) : undefined;
  return token === undefined ? "" : shownToken(principal, token);
}

/** An analysis as `GET /analysis/:id` shows it. */
function present(app: App, analysis: EntityDocument, principal: Principal): Record<string, unknown> {
  return {
    ...analysis,
    token: tokenText(app, analysis, principal),
    console: app.analyses.console(analysis.id),
    secrets: app.analyses.secrets(analysis).map(({ id }) => id),
    timeout: app.analyses.timeoutMs / 1000,
  };
}

/** Takes the old token away and makes a new one. */
function renewToken(app: App, { id, profile }: EntityDocument, permission: Permission): string {
  app.tokens.removeOf(id);
  return app.tokens.create({ kind: "analysis", profile, refId: id, name: "Default", permission }).token;
}

/** The ordinary routes. */
function registerRecords(app: App, scripts: ScriptStore): void {
  const analyses = crud(app, { list: analysisRoutes.list }, "analysis");

  app.handle(analysisRoutes.info, ({ params, principal, profile }) =>
    present(app, analyses.need(params.analysisID, profile), principal),
  );

  app.handle(analysisRoutes.create, { body: analysisCreate }, ({ body, principal, profile }) => {
    const document = analyses.insert(profile, { tags: [], ...DEFAULTS, ...body });
    renewToken(app, document, principal.permission);
    app.signals.emit("resourceChanged", { profile, kind: "analysis", event: "create", document, principal });
    return created({ id: document.id, token: tokenText(app, document, principal) });
  });

  app.handle(analysisRoutes.edit, { body: analysisEdit }, ({ body, params, principal, profile }) => {
    const analysis = analyses.need(params.analysisID, profile);
    const document = analyses.update(analysis.id, body);
    if (body.run_on !== undefined && body.run_on !== analysis["run_on"]) {
      renewToken(app, document, analysisToken(app.tokens, document.id)?.permission ?? principal.permission);
    }
    app.signals.emit("resourceChanged", { profile, kind: "analysis", event: "edit", document, principal });
    return "Successfully Updated";
  });

  app.handle(analysisRoutes.delete, ({ params, principal, profile }) => {
    const document = analyses.need(params.analysisID, profile);
    refuseProtected(document);
    scripts.remove(document.id);
    app.analyses.forget(document.id);
    app.tokens.removeOf(document.id);
    analyses.remove(document.id);
    app.signals.emit("resourceChanged", { profile, kind: "analysis", event: "delete", document, principal });
    return "Successfully Removed";
  });
}

/** Uploading and downloading of scripts. */
function registerScripts(app: App, scripts: ScriptStore): void {
  const analyses = app.collection("analysis");
  const links = createSignedLinks();

  app.handle(
    analysisRoutes.uploadScript,
    { body: analysisUpload, maxBodyBytes: MAX_UPLOAD_BYTES },
    ({ body, now, params, principal, profile }) => {
      const analysis = analyses.need(params.analysisID, profile);
      const content = Buffer.from(body.file, "base64");
      if (content.length > MAX_SCRIPT_BYTES) {
        throw new PlatformError(400, "Error on Body parameters", { file: ["At most 5 MB"] });
      }
      const version = scripts.add(analysis.id, { fileName: body.file_name, language: body.language, content });
      const known = isRecord(analysis["versions"]) ? analysis["versions"] : {};
      const entry = {
        file_name: body.file_name,
        created_at: new Date(now).toISOString(),
        created_by: ownerText(app, profile),
      };
      const document = analyses.update(analysis.id, {
        file_name: body.file_name,
        runtime: body.language,
        version,
        versions: { ...known, [version]: entry },
      });
      app.signals.emit("resourceChanged", { profile, kind: "analysis", event: "edit", document, principal });
      return "Successfully Updated";
    },
  );

  app.handle(analysisRoutes.downloadScript, ({ now, params, profile, query }) => {
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
      const query = decodeQuery((incoming.url ?? "").split("?")[1] ?? "");
      const fits = links.check(path, textOf(query["expires"]), textOf(query["signature"]), app.clock.now());
      if (!fits) throw new PlatformError(401, "Authorization Denied");
      const script = scripts.get(params["analysisID"] ?? "", Number(params["version"]));
      if (script === undefined) throw new PlatformError(404, "Script Not Found");
      // The store keeps gzip files: there is no content-encoding, so the client unpacks them.
      const file = gzipSync(script.content);
      outgoing.writeHead(200, { "content-type": "application/gzip", "content-length": file.length });
      outgoing.end(file);
      return "sent";
    },
    { faults: false },
  );
}

/** `Name (mail)` of the account the profile belongs to. */
function ownerText(app: App, profile: string): string {
  const account = app.accounts.get(app.accounts.profile(profile)?.account ?? "");
  return account === undefined ? "" : `${account.name} (${account.email})`;
}

/** Analyses: the ordinary routes, tokens, runs and scripts. */
export function registerAnalysisRoutes(app: App): void {
  const { scripts } = app;
  registerRecords(app, scripts);
  registerScripts(app, scripts);
  const analyses = app.collection("analysis");

  app.handle(analysisRoutes.run, { body: analysisRun }, ({ body, params, principal, profile }) => {
    const { id } = analyses.need(params.analysisID, profile);
    const refusal = app.analyses.refusal(id);
    if (refusal !== undefined) throw refusal;
    const depth = principal.kind === "analysis" ? app.analyses.depth(principal.refId) + 1 : 0;
    return runAnswer(principal, app.analyses.run(id, body?.scope ?? [], { depth }));
  });

  app.handle(analysisRoutes.tokenGenerate, { permission: "write" }, ({ params, principal, profile }) => {
    const analysis = analyses.need(params.analysisID, profile);
    refuseMore(principal);
    return { analysis_token: renewToken(app, analysis, "full") };
  });
}
