import { templateRoutes } from "../../../lib/resources/template.ts";
import { templateCreate, templateInstall } from "../../../schema/template.ts";
import type { App } from "../../app.ts";
import { requireId } from "../../core/ids.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { EntityDocument } from "../../store/document.ts";
import { contentOf, installAnalysis, installDashboard, type TemplateContent } from "../../templates/install.ts";
import { analysesOf, dashboardContent } from "../../widgets/dashboard-copy.ts";

/** What of an analysis goes into a template: nothing that opens or tells anything. */
function analysisContent(analysis: EntityDocument): Record<string, unknown> {
  const { profile: _, created_at: _c, updated_at: _u, token: _t, console: _l, last_run: _r, ...rest } = analysis;
  return { ...rest, last_run: "never" };
}

/** Templates of dashboards and analyses. Whoever knows the id of one may read and install it. */
export function registerTemplateRoutes(app: App): void {
  const templates = app.collection("template");

  const need = (id: string): EntityDocument => {
    const template = templates.get(requireId(id, "Template"));
    if (template === undefined) throw new PlatformError(404, "Template Not Found");
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

  app.handle(templateRoutes.generateTemplate, { body: templateCreate }, ({ body, profile }) => {
    const { dashboard, analysis, name, image_logo, image_main, setup } = body;
    const content =
      dashboard === undefined
        ? { analyses: [analysisContent(app.collection("analysis").need(requireId(analysis, "Analysis"), profile))] }
        : fromDashboard(dashboard, profile);
    const type = dashboard === undefined ? "analysis" : "dashboard";
    return templates.insert(profile, { name, type, image_logo, image_main, setup, content }).id;
  });

  app.handle(templateRoutes.getTemplate, ({ params }) => {
    const { profile: _, content: _content, tags: _tags, ...shown } = need(params.templateID);
    return shown;
  });

  app.handle(templateRoutes.installTemplate, { body: templateInstall }, ({ body, params, principal, profile }) => {
    const template = need(params.templateID);
    const kind = template["type"] === "analysis" ? "analysis" : "dashboard";
    app.limits.checkRoom(kind, profile);
    const install = kind === "analysis" ? installAnalysis : installDashboard;
    const document = install(app, profile, contentOf(template), {
      ...body,
      permission: principal.permission,
    });
    app.signals.emit("resourceChanged", { profile, kind, event: "create", document, principal });
    return { [kind]: document.id };
  });
}
