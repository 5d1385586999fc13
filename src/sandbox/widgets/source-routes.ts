import { createHash } from "node:crypto";
import { post } from "../../lib/api/route.ts";
import { isRecord } from "../../lib/core/json.ts";
import { widgetSource } from "../../schema/widget.ts";
import { record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { FileLinks } from "../files/links.ts";
import { needRoom } from "../files/storage-quota.ts";
import type { Resource } from "../resource.ts";
import { needWidget } from "./routes.ts";

/** Upload of the source of a custom widget. */
const widgetSourceRoute = post("/dashboard/:dashboardID/widget/:widgetID/upload");

/** Result of a build. */
interface Build {
  /** The page; absent when the source has an error. */
  readonly page?: string;
  readonly error: string | null;
  readonly warnings: readonly string[];
}

/** Nothing in the page can close the script element. */
const pageOf = (code: string): string =>
  `<!doctype html><meta charset="utf-8"><div id="root"></div><script type="module">${code.replaceAll("</script", "<\\/script")}</script>`;

/** Compiles TSX to a page. Imports stay unchanged: the platform provides those modules. */
async function buildSource(source: string): Promise<Build> {
  const esbuild = await import("esbuild").catch(() => undefined);
  if (esbuild === undefined) {
    return { page: pageOf(source), error: null, warnings: ["The source was not built: esbuild is not installed"] };
  }
  try {
    const options = { loader: "tsx", format: "esm", jsx: "automatic", logLevel: "silent" } as const;
    const { code, warnings } = await esbuild.transform(source, options);
    return { page: pageOf(code), error: null, warnings: warnings.map(({ text }) => text) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), warnings: [] };
  }
}

const NOT_BUILT: Build = { error: "The source was not built", warnings: [] };

const sourceOf = ({ file }: { readonly file?: unknown }): Buffer => Buffer.from(String(file), "base64");

const gaps = {
  build: {
    subject: "Source of a custom widget",
    choice:
      "translated by esbuild where it is installed, imports stay as they are; display.artifact_url is stored as sent afterwards; display.url is the address of the source",
  },
} as const;

function serve(app: App): void {
  const { files } = app;
  const fileLinks = new FileLinks(app.db, app.clock);
  /** Builds by body: building is asynchronous, a handler is not. */
  const builds = new WeakMap<object, Build>();

  app.on(
    widgetSourceRoute,
    {
      rule: record("dashboard", "dashboardID", "edit"),
      gaps: [gaps.build],
      body: widgetSource,
      maxBodyBytes: 4 * 1024 * 1024,
      prepare: async ({ body }) => {
        if (isRecord(body)) builds.set(body, await buildSource(sourceOf(body).toString("utf8")));
      },
    },
    ({ body, params, profile, request }) => {
      const source = sourceOf(body);
      const widget = needWidget(app, params.dashboardID, params.widgetID, profile);
      const { page, error, warnings } = builds.get(body) ?? NOT_BUILT;
      const display = isRecord(widget["display"]) ? widget["display"] : {};
      const address = (path: string): string => fileLinks.address(request.origin, profile, path);

      const path = `widgets/${widget.id}.tsx`;
      needRoom(app, profile, source.length + (page?.length ?? 0));
      files.put(profile, path, { content: source });
      const url = address(path);
      const hash = page === undefined ? null : createHash("sha256").update(page).digest("hex");
      const artifact = `widgets/.bundled/${widget.id}/${hash}.html`;
      if (page !== undefined) files.put(profile, artifact, { content: Buffer.from(page) });
      // A failed build keeps the artifact of the previous one.
      const artifact_url = page === undefined ? (display["artifact_url"] ?? null) : address(artifact);
      const changes = artifact_url === null ? { url } : { url, artifact_url };
      app.collection("widget").update(widget.id, { display: { ...display, ...changes } });
      return {
        url,
        artifact_hash: hash,
        artifact_url,
        bytes: page === undefined ? 0 : Buffer.byteLength(page),
        success: page !== undefined,
        error,
        warnings,
      };
    },
  );
}

/** The sources of custom widgets: stored and built in the files of the profile. */
export const widgetSources: Resource = { gaps, serve };
