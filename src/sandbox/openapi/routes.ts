import type { App } from "../app.ts";

/** The document of the API at `/__sandbox/openapi.json`, as a file: without the envelope. */
export function serveOpenApi(app: App): void {
  const serve: Parameters<App["server"]["serve"]>[2] = async (request) => {
    app.inspection.admit(request);
    // Nobody else needs the words and names in it.
    const { openApiDocument } = await import("./document.ts");
    const headers = { "content-type": "application/json; charset=utf-8" };
    return { status: 200, text: JSON.stringify(openApiDocument(app)), headers };
  };
  app.server.serve("GET", "/__sandbox/openapi.json", serve, { faults: false });
}
