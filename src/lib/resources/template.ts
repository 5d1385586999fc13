import { Module } from "../core/module.ts";
import { get, post } from "../core/route.ts";
import type { CallOptions } from "../http/client.ts";
import type { GenericID, GenericToken } from "./data-types.ts";

const dates = ["created_at", "updated_at"] as const satisfies readonly (keyof TemplateInfo)[];

/**
 * Routes of `Resources.template`.
 *
 * @internal
 */
export const templateRoutes = {
  generateTemplate: post("/template"),
  installTemplate: post("/template/:templateID", { gives: "object" }),
  getTemplate: get("/template/:templateID", { dates }),
};

/** A template that can be installed. */
export interface TemplateInfo {
  name: string;
  type: "dashboard" | "analysis";
  /** Address of the large picture. */
  image_main?: string;
  /** Address of the small picture. */
  image_logo?: string;
  created_at: Date;
  updated_at: Date;
}

/** What a template is made of: a dashboard or an analysis of the profile. */
export interface TemplateCreateInfo {
  name: string;
  dashboard?: GenericID;
  analysis?: GenericID;
  /** Address of the large picture, or the picture as base64. */
  image_main?: string;
  image_logo?: string;
  /** Questions asked before the installation. */
  setup?: Record<string, unknown>;
}

/** How to install the template of a dashboard. */
export interface InstallDashboardTemplate {
  /** Device that takes the place of the template's. */
  device?: GenericID;
  devices?: { id: GenericID; bucket?: GenericID }[];
  analysis?: { id: GenericID }[];
  /** Texts to put in the place of others. */
  replace?: Record<string, unknown>;
}

/** How to install the template of an analysis. */
export interface InstallAnalysisTemplate {
  device_token?: GenericToken;
  replace?: Record<string, unknown>;
}

/** What an installation made. */
export interface TemplateInstalled {
  dashboard?: GenericID;
  analysis?: GenericID;
}

/** Templates of dashboards and analyses (specification, section 7). */
export class Templates extends Module {
  /**
   * Makes a template of a dashboard or an analysis.
   *
   * @returns its address
   * @example
   * ```ts
   * const address = await resources.template.generateTemplate({ name: "Cold store", dashboard: dashboardID });
   * ```
   */
  generateTemplate(template: TemplateCreateInfo, options?: CallOptions): Promise<string> {
    return this.call(templateRoutes.generateTemplate, { ...options, body: template });
  }

  /**
   * Installs a template in the profile.
   *
   * @example
   * ```ts
   * const { dashboard } = await resources.template.installTemplate("61f1b8a4b3d2f4001a2b3c4d", { device: deviceID });
   * ```
   */
  installTemplate(
    templateID: GenericID,
    installParams?: InstallDashboardTemplate | InstallAnalysisTemplate,
    options?: CallOptions,
  ): Promise<TemplateInstalled> {
    return this.call(templateRoutes.installTemplate, { ...options, params: { templateID }, body: installParams });
  }

  /**
   * Retrieves a template.
   *
   * @example
   * ```ts
   * const { name, type, created_at } = await resources.template.getTemplate("61f1b8a4b3d2f4001a2b3c4d");
   * ```
   */
  getTemplate(templateID: GenericID, options?: CallOptions): Promise<TemplateInfo> {
    return this.call(templateRoutes.getTemplate, { ...options, params: { templateID } });
  }
}
