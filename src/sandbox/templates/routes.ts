import { isRecord } from "../../lib/core/json.ts";
import { templateRoutes } from "../../lib/resources/template.ts";
import { templateCreate, templateInstall } from "../../schema/template.ts";
import { type Demand, whole } from "../access/demands.ts";
import type { App } from "../app.ts";
import { requireId } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import { analysesOf, dashboardContent } from "../dashboards/copy.ts";
import type { HandlerContext } from "../http/handler.ts";
import type { Resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import { contentOf, installAnalysis, installDashboard, type TemplateContent } from "./install.ts";

const gaps = {
  creation: { subject: "POST /template", choice: "returns the id as a string" },
  reach: { subject: "Templates of other profiles", choice: "whoever knows the id may read and install them" },
  installation: {
    subject: "POST /template/{id}",
    choice:
      "devices and analyses take the places of the template's by position; other analyses are copied; replace is one pass, strings under 8 characters only where they are the whole string",
  },
} as const;

const rule = whole("dashboard", "create");

/** A template shows its source. */
const sourceRule: Demand = {
  resource: "dashboard",
  resourceFor: ({ body }) => (isRecord(body) && body["dashboard"] !== undefined ? "dashboard" : "analysis"),
  actions: ["access"],
  subjects: ({ body }, { record: find }) => {
    const id = isRecord(body) ? (body["dashboard"] ?? body["analysis"]) : undefined;
    return [typeof id === "string" ? find(id) : {}];
  },
};

/** Fields of an analysis in a template: no tokens and no private data. */
function analysisContent(analysis: EntityDocument): Record<string, unknown> {
  const { profile: _, created_at: _c, updated_at: _u, token: _t, console: _l, last_run: _r, ...rest } = analysis;
  return { ...rest, last_run: "never" };
}

function serve(app: App): void {
  const templates = app.collection("template");

  const need = (id: string, { assume, profile }: HandlerContext): EntityDocument => {
    const template = templates.get(requireId(id, "Template"));
    if (template === undefined) throw new PlatformError(404, "Template Not Found");
    if (template.profile !== profile) assume(gaps.reach);
    return template;
  };

  const fromDashboard = (id: string, profile: string): TemplateContent => {
    const content = dashboardContent(app, app.collection("dashboard").need(id, profile));
    const analyses = analysesOf(content.widgets).flatMap((analysis) => {
      const document = app.collection("analysis").get(analysis);
      return document?.profile === profile ? [analysisContent(document)] : [];
    });
    return { ...content, analyses };
  };

  const creation = { body: templateCreate, rule: { ...rule, also: sourceRule }, gaps: [gaps.creation] };
  app.on(templateRoutes.generateTemplate, creation, ({ body, profile }) => {
    const { dashboard, analysis, name, image_logo, image_main, setup } = body;
    const content =
      dashboard === undefined
        ? { analyses: [analysisContent(app.collection("analysis").need(requireId(analysis, "Analysis"), profile))] }
        : fromDashboard(dashboard, profile);
    const type = dashboard === undefined ? "analysis" : "dashboard";
    return templates.insert(profile, { name, type, image_logo, image_main, setup, content }).id;
  });

  app.on(templateRoutes.getTemplate, { rule }, (context) => {
    const { profile: _, content: _content, tags: _tags, ...shown } = need(context.params.templateID, context);
    return shown;
  });

  app.on(templateRoutes.installTemplate, { body: templateInstall, rule }, (context) => {
    const { assume, body, params, principal, profile } = context;
    const template = need(params.templateID, context);
    const kind = template["type"] === "analysis" ? "analysis" : "dashboard";
    app.limits.checkRoom(kind, profile);
    const install = kind === "analysis" ? installAnalysis : installDashboard;
    const content = contentOf(template);
    if (body !== undefined || (kind === "dashboard" && content.analyses.length > 0)) assume(gaps.installation);
    return { [kind]: install(app, profile, content, { ...body, permission: principal.permission }).id };
  });
}

/** Templates of dashboards and analyses. Anyone who knows the id of one can read and install it. */
export const templates: Resource = {
  tables: { templateRoutes },
  records: [{ kind: "template", thing: "Template", keys: { name: "text", type: "exact" }, defaults: {}, silent: true }],
  gaps,
  serve,
};
