import type { App } from "../app.ts";
import type { Inspection } from "../http/inspection-key.ts";

/** The document of the API at `/__sandbox/openapi.json`, as a file: without the envelope. */
export function serveOpenApi(app: App, inspection: Inspection): void {
  const serve: Parameters<App["server"]["serve"]>[2] = async (request) => {
    inspection.admit(request);
    // Loaded on use: nothing else needs its code.
    const { openApiDocument } = await import("./document.ts");
    const headers = { "content-type": "application/json; charset=utf-8" };
    return { status: 200, text: JSON.stringify(openApiDocument(app)), headers };
  };
  app.server.serve("GET", "/__sandbox/openapi.json", serve, { faults: false });
}
