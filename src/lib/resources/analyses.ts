import { allRows } from "../api/all-rows.ts";
import { assertObject } from "../api/assert.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { GenericID, GenericToken, Tag } from "./data-types.ts";
import type { snippetRuntimes } from "./enums.ts";
import { readSnippetFile, readSnippets, type SnippetsListResponse } from "./snippets.ts";

const dates = ["created_at", "updated_at", "last_run"] as const satisfies DateKeys<AnalysisInfo>;

const listFields = ["id", "name"] as const;

/**
 * Routes of `Resources.analysis`.
 *
 * @internal
 */
export const analysisRoutes = {
  list: get("/analysis/", { dates, list: { fields: listFields, orderBy: ["name", "asc"] } }),
  create: post("/analysis", { result: "object" }),
  edit: put("/analysis/:analysisID"),
  delete: del("/analysis/:analysisID"),
  info: get("/analysis/:analysisID", { dates }),
  run: post("/analysis/:analysisID/run"),
  tokenGenerate: get("/analysis/:analysisID/token"),
  uploadScript: post("/analysis/:analysisID/upload"),
  downloadScript: get("/analysis/:analysisID/download", {
    result: "object",
    dates: ["expire_at"] satisfies DateKeys<AnalysisDownload>,
  }),
};

/** The analyses of the profile. */
export class Analyses extends Module {
  /**
   * Lists analyses.
   *
   * @param queryObj filter, order and page. Defaults: fields id and name; order `name,asc`
   * @example
   * ```ts
   * const analyses = await resources.analysis.list({ fields: ["name", "run_on"], filter: { run_on: "external" } });
   * ```
   */
  list<const Q extends Given<AnalysisQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<StoredAnalysis, Q, (typeof listFields)[number]>[]> {
    return this.page(analysisRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all analyses, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, run_on } of resources.analysis.all({ fields: ["run_on"] })) console.log(id, run_on);
   * ```
   */
  all<const Q extends Given<AnalysisQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<StoredAnalysis, Q, (typeof listFields)[number]>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Creates an analysis.
   *
   * @returns the `id`, and the `token` of an external analysis
   * @example
   * ```ts
   * const { id, token } = await resources.analysis.create({
   *   name: "Nightly report",
   *   run_on: "external",
   *   variables: [{ key: "recipient", value: "jo@example.org" }],
   * });
   * ```
   */
  create(analysisObj: AnalysisCreateInfo, options?: CallOptions): Promise<{ id: GenericID; token: GenericToken }> {
    return this.call(analysisRoutes.create, { ...options, body: analysisObj });
  }

  /**
   * Changes an analysis.
   *
   * @example
   * ```ts
   * await resources.analysis.edit(analysisID, { active: false });
   * ```
   */
  edit(analysisID: GenericID, analysisObj: AnalysisEditInfo, options?: CallOptions): Promise<string> {
    return this.call(analysisRoutes.edit, { ...options, params: { analysisID }, body: analysisObj });
  }

  /**
   * Deletes an analysis with its scripts.
   *
   * @example
   * ```ts
   * await resources.analysis.delete(analysisID);
   * ```
   */
  delete(analysisID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(analysisRoutes.delete, { ...options, params: { analysisID } });
  }

  /**
   * Retrieves an analysis.
   *
   * @example
   * ```ts
   * const { last_run, console: lines } = await resources.analysis.info(analysisID);
   * ```
   */
  info(analysisID: GenericID, options?: CallOptions): Promise<StoredAnalysis> {
    return this.call(analysisRoutes.info, { ...options, params: { analysisID } });
  }

  /**
   * Runs an analysis.
   *
   * @param scopeObj data the script receives. @default []
   * @returns the token of this run as `analysis_token`
   * @example
   * ```ts
   * const { analysis_token } = await resources.analysis.run(analysisID, [{ variable: "level", value: 3 }]);
   * ```
   */
  run(
    analysisID: GenericID,
    scopeObj?: object | readonly object[],
    options?: CallOptions,
  ): Promise<{ analysis_token: GenericToken }> {
    return this.call(analysisRoutes.run, { ...options, params: { analysisID }, body: { scope: scopeObj } });
  }

  /**
   * Creates a new token for an analysis; the old one stops working.
   *
   * @returns the token as `analysis_token`
   *
   * @example
   * ```ts
   * const { analysis_token } = await resources.analysis.tokenGenerate(analysisID);
   * ```
   */
  tokenGenerate(analysisID: GenericID, options?: CallOptions): Promise<{ analysis_token: GenericToken }> {
    return this.call(analysisRoutes.tokenGenerate, { ...options, params: { analysisID } });
  }

  /**
   * Uploads a script, which becomes the present version.
   *
   * @example
   * ```ts
   * await resources.analysis.uploadScript(analysisID, {
   *   name: "report.js",
   *   content: btoa("console.log('hello')"),
   *   language: "node-rt2025",
   * });
   * ```
   */
  async uploadScript(analysisID: GenericID, fileObj: ScriptFile, options?: CallOptions): Promise<string> {
    assertObject(fileObj, "fileObj");
    const { name, content, language } = fileObj;
    return this.call(analysisRoutes.uploadScript, {
      ...options,
      params: { analysisID },
      body: { file: content, file_name: name, language },
    });
  }

  /**
   * Returns an address to download a script from.
   *
   * @param options.version number of the version. @default the present one
   * @example
   * ```ts
   * const { url, expire_at } = await resources.analysis.downloadScript(analysisID, { version: 2 });
   * ```
   */
  downloadScript(
    analysisID: GenericID,
    options?: CallOptions & { version?: number | string },
  ): Promise<AnalysisDownload> {
    const { version, ...rest } = options ?? {};
    const query = { version: version || undefined };
    return this.call(analysisRoutes.downloadScript, { ...rest, params: { analysisID }, query });
  }

  /**
   * Lists programs to begin with, from a public catalogue outside the platform. No token is sent.
   *
   * @throws ApiError `Failed to fetch snippets: {status} {statusText}`; RequestError without a response in 10 seconds
   * @example
   * ```ts
   * const { snippets } = await resources.analysis.listSnippets("node-rt2025");
   * ```
   */
  listSnippets(runtime: SnippetRuntime, options?: CallOptions): Promise<SnippetsListResponse> {
    return readSnippets(this.client, runtime, options);
  }

  /**
   * Reads the source of a snippet.
   *
   * @throws ApiError `Failed to fetch snippet file: {status} {statusText}`; RequestError without a response in 10 seconds
   * @example
   * ```ts
   * const { snippets } = await resources.analysis.listSnippets("deno-rt2025");
   * const source = await resources.analysis.getSnippetFile("deno-rt2025", snippets[0]?.filename ?? "");
   * ```
   */
  getSnippetFile(runtime: SnippetRuntime, filename: string, options?: CallOptions): Promise<string> {
    return readSnippetFile(this.client, runtime, filename, options);
  }
}

/** Runtimes that have snippets. */
export type SnippetRuntime = (typeof snippetRuntimes)[number];

/** What runs an analysis on the platform. `node` and `python`, as older programs say, are the legacy runtimes. */
export type RunTypeOptions = SnippetRuntime | "other" | "node" | "python";

/** A setting of an analysis. */
export interface AnalysisVariable {
  /** Name the script reads it by. */
  key: string;
  /** What the script reads. */
  value: string | number | boolean;
}

/** A version of an analysis' script. */
export interface AnalysisVersion {
  /** Name the script was uploaded with. */
  file_name: string;
  /** When it was uploaded, ISO 8601. */
  created_at: Date | string;
  /** Name and address of who uploaded it. */
  created_by: string;
}

/** An analysis. */
export interface AnalysisInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile the analysis belongs to. */
  profile?: GenericID;
  /** Name shown in lists. */
  name: string;
  /** Free-form text; null or left out when there is none. */
  description?: string | null;
  /** An inactive one does not run. @default true */
  active?: boolean;
  /** Where it runs; a change makes a new token. @default "tago" */
  run_on?: "tago" | "external";
  /** Follows the language of the last upload; an edit does not change it. @default "node-legacy" */
  runtime?: RunTypeOptions;
  /** Accepted and ignored by the platform: an action runs an analysis at intervals. */
  interval?: string | null;
  /** Settings the script reads; up to 20, each with a key of its own. */
  variables?: AnalysisVariable[];
  /** Tags to find it by, at most 30. */
  tags?: Tag[];
  /** Token of an external analysis, with the prefix `a-`; empty while it runs on the platform. */
  token: GenericToken;
  /** Name of the present script. */
  file_name?: string | null;
  /** Number of the present script. */
  version?: number | string;
  /** Versions by number. */
  versions?: Record<string, AnalysisVersion>;
  /** Last lines it printed; only in `info`. */
  console?: string[] | null;
  /** Start of the last run; null or `never` before the first. */
  last_run: Date | "never" | null;
  /** Set while the platform keeps the analysis from running. */
  locked_at?: unknown;
  /** When it was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** An analysis as the platform returns it. */
export type StoredAnalysis = Stored<AnalysisInfo, "profile" | "active" | "tags">;

/** Fields for creating an analysis. */
export type AnalysisCreateInfo = Pick<AnalysisInfo, "name"> &
  Partial<Omit<AnalysisInfo, "runtime" | "variables">> & {
    /** Fixed once the analysis exists. */
    runtime?: ScriptFile["language"];
    /** Settings the script reads; up to 20. */
    variables?: AnalysisVariable | AnalysisVariable[];
  };

/** Changes to an analysis; properties left out stay as they are. */
export type AnalysisEditInfo = Partial<AnalysisCreateInfo>;

/** Asks for part of the list of analyses. */
export type AnalysisQuery = ListQuery<
  AnalysisInfo,
  "name" | "active" | "run_on" | "last_run" | "created_at" | "updated_at"
>;

/** A script to upload. */
export interface ScriptFile {
  /** Name of the file. */
  name: string;
  /** The source, base64. */
  content: string;
  /** Becomes the runtime of the analysis. */
  language: RunTypeOptions;
}

/** Where a script can be downloaded. */
export interface AnalysisDownload {
  /** Opens without a token until `expire_at`. */
  url: string;
  /** Size of the script, in `size_unit`. */
  size: number;
  /** Unit of `size`, such as `KB`. */
  size_unit: string;
  /** When `url` stops working. */
  expire_at: Date;
}
