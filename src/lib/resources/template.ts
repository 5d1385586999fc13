import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import { Module } from "../api/module.ts";
import { get, post } from "../api/route.ts";
import type { GenericID, GenericToken } from "./data-types.ts";

const dates = ["created_at", "updated_at"] as const satisfies DateKeys<TemplateInfo>;

/**
 * Routes of `Resources.template`.
 *
 * @internal
 */
export const templateRoutes = {
  generateTemplate: post("/template"),
  installTemplate: post("/template/:templateID", { result: "object" }),
  getTemplate: get("/template/:templateID", { dates }),
};

/** Templates of dashboards and analyses. */
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

/** A template that can be installed. */
export interface TemplateInfo {
  /** Name shown before it is installed. */
  name: string;
  /** What an installation makes. */
  type: "dashboard" | "analysis";
  /** Address of the large picture. */
  image_main?: string;
  /** Address of the small picture. */
  image_logo?: string;
  /** When it was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** Fields for creating a template: a dashboard or an analysis of the profile. */
export interface TemplateCreateInfo {
  /** Name shown before it is installed. */
  name: string;
  /** Dashboard to copy, with its widgets; either this or `analysis`. */
  dashboard?: GenericID;
  /** Analysis to copy; either this or `dashboard`. */
  analysis?: GenericID;
  /** Address of the large picture, or the picture as base64. */
  image_main?: string;
  /** Address of the small picture, or the picture as base64. */
  image_logo?: string;
  /** Questions asked before the installation. */
  setup?: Record<string, unknown>;
}

/** How to install the template of a dashboard. */
export interface InstallDashboardTemplate {
  /** Device that replaces the one of the template. */
  device?: GenericID | TemplateDevice | undefined;
  /** Devices that replace those of the template, by `id`; `bucket` is the same id. */
  devices?: TemplateDevice | TemplateDevice[] | undefined;
  /** Analyses that replace those of the template, by `id`. */
  analysis?: (GenericID | { id: GenericID })[] | undefined;
  /** Replacements of strings. */
  replace?: Record<string, unknown> | undefined;
}

/** A device that replaces one of a template. */
export interface TemplateDevice {
  /** Id of the device. */
  id: GenericID;
  /** @deprecated the same id */
  bucket?: GenericID;
}

/** How to install the template of an analysis. */
export interface InstallAnalysisTemplate {
  /** Token of the device the script works with. */
  device_token?: GenericToken;
  /** Replacements of strings. */
  replace?: Record<string, unknown>;
}

/** Result of an installation. */
export interface TemplateInstalled {
  /** Id of the new dashboard. */
  dashboard?: GenericID;
  /** Id of the new analysis. */
  analysis?: GenericID;
}
