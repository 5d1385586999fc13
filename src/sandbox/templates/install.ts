import { isRecord } from "../../lib/core/json.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Permission } from "../core/principal.ts";
import type { CopyParts } from "../dashboards/copy.ts";
import { analysesOf, insertDashboard, originsOf } from "../dashboards/copy.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { Tokens } from "../store/tokens.ts";
import { recordsOf } from "../widgets/tags.ts";
import { type Replacements, replaceTexts } from "./ids.ts";

interface InstallParts extends CopyParts {
  readonly tokens: Tokens;
}

/** Content of a template besides its name and pictures. */
export interface TemplateContent {
  readonly dashboard?: Readonly<Record<string, unknown>>;
  readonly widgets?: readonly Readonly<Record<string, unknown>>[];
  readonly analyses: readonly Readonly<Record<string, unknown>>[];
}

/** The body of an installation, and its caller. */
export interface InstallParams {
  /** Permission of the caller's token: tokens of installed analyses get no more. */
  readonly permission: Permission;
  readonly device?: string;
  readonly devices?: readonly { readonly id: string }[];
  readonly analysis?: readonly { readonly id: string }[];
  readonly device_token?: string;
  readonly replace?: Readonly<Record<string, string | number | boolean>>;
}

export function contentOf(template: EntityDocument): TemplateContent {
  const content = template["content"];
  if (!isRecord(content)) throw new PlatformError(404, "Template Not Found");
  const { dashboard } = content;
  return {
    ...(isRecord(dashboard) && { dashboard }),
    widgets: recordsOf(content["widgets"]),
    analyses: recordsOf(content["analyses"]),
  };
}

/** A copy of an analysis in the profile, with a new token. */
function insertAnalysis(
  app: Pick<InstallParts, "collection" | "tokens">,
  profile: string,
  analysis: Readonly<Record<string, unknown>>,
  params: InstallParams,
): EntityDocument {
  const { id: _, ...members } = analysis;
  const variables = recordsOf(members["variables"]).filter(({ key }) => key !== "device_token");
  const { device_token: deviceToken, permission } = params;
  const given = deviceToken === undefined ? [] : [{ key: "device_token", value: deviceToken }];
  const document = app.collection("analysis").insert(profile, { ...members, variables: [...variables, ...given] });
  app.tokens.create({ kind: "analysis", profile, refId: document.id, name: "Default", permission });
  return document;
}

/** Devices by position: the first origin of the template becomes the first device specified, or all become `device`. */
function deviceReplacements(app: Collections, profile: string, origins: readonly string[], params: InstallParams) {
  const devices = app.collection("device");
  return origins.flatMap((origin, index) => {
    const id = params.devices?.[index]?.id ?? params.device;
    return id === undefined ? [] : [[origin, devices.need(id, profile).id] as const];
  });
}

/** Analyses by position; unspecified ones are copied into the profile. */
function analysisReplacements(
  app: Pick<InstallParts, "collection" | "tokens">,
  profile: string,
  content: TemplateContent,
  params: InstallParams,
) {
  const analyses = app.collection("analysis");
  const { permission } = params;
  const stored = new Map(content.analyses.map((each) => [String(each["id"]), each]));
  return analysesOf(content.widgets ?? []).flatMap((oldId, index) => {
    const named = params.analysis?.[index]?.id;
    if (named !== undefined) return [[oldId, analyses.need(named, profile).id] as const];
    const source = stored.get(oldId);
    return source === undefined ? [] : [[oldId, insertAnalysis(app, profile, source, { permission }).id] as const];
  });
}

function givenReplacements({ replace = {} }: InstallParams): (readonly [string, string])[] {
  return Object.entries(replace).map(([from, to]) => [from, String(to)] as const);
}

/** Creates the dashboard of a template in the profile, with widgets and analyses under new ids. */
export function installDashboard(
  app: InstallParts,
  profile: string,
  content: TemplateContent,
  params: InstallParams,
): EntityDocument {
  const { dashboard = {}, widgets = [] } = content;
  const placeholders = new Set(recordsOf(dashboard["blueprint_devices"]).map(({ id }) => id));
  const origins = originsOf(widgets).filter((origin) => !placeholders.has(origin));
  const replacements: Replacements = new Map([
    ...deviceReplacements(app, profile, origins, params),
    ...analysisReplacements(app, profile, content, params),
    ...givenReplacements(params),
  ]);
  const moved = replaceTexts(dashboard, replacements);
  return insertDashboard(app, profile, {
    dashboard: isRecord(moved) ? moved : {},
    widgets: recordsOf(replaceTexts(widgets, replacements)),
  });
}

/** Creates the analysis of a template in the profile. */
export function installAnalysis(
  app: Pick<InstallParts, "collection" | "tokens">,
  profile: string,
  content: TemplateContent,
  params: InstallParams,
): EntityDocument {
  const [analysis] = recordsOf(replaceTexts(content.analyses, new Map(givenReplacements(params))));
  return insertAnalysis(app, profile, analysis ?? {}, params);
}
