import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { bodyStream, readJson } from "../http/body.ts";
import { successReply } from "../http/envelope.ts";
import type { Inspection } from "../http/inspection-key.ts";
import type { RawHandler } from "../http/server.ts";
import type { SnapshotStore } from "../snapshots/snapshots.ts";
import { SnapshotError } from "../snapshots/stored-state.ts";

interface SnapshotRoutes {
  readonly app: App;
  readonly inspection: Inspection;
  readonly snapshotStore: SnapshotStore;
}

const BODY_BYTES = 64 * 1024;

function nameOf(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  if (typeof body === "object" && body !== null && "name" in body && typeof body.name === "string") return body.name;
  throw new PlatformError(400, 'Send {"name": text}, or no body');
}

/** An invalid snapshot in the request is the caller's mistake. */
function explain(error: unknown): unknown {
  return error instanceof SnapshotError ? new PlatformError(400, error.message) : error;
}

/** Snapshots, export and import under `/__sandbox/`. */
export function serveSnapshots({ app, inspection, snapshotStore }: SnapshotRoutes): void {
  const serve = (method: string, path: string, work: (request: Parameters<RawHandler>[0]) => Promise<unknown>): void =>
    app.server.serve(
      method,
      `/__sandbox/${path}`,
      async (request) => {
        inspection.admit(request);
        const result = await work(request).catch((error: unknown) => {
          throw explain(error);
        });
        if (request.outgoing.headersSent) return "sent";
        return successReply(result);
      },
      { faults: false },
    );

  serve("GET", "snapshots", () => Promise.resolve(snapshotStore.snapshots.list()));
  serve("POST", "snapshots", async ({ incoming }) =>
    snapshotStore.snapshots.create(nameOf(await readJson(incoming, BODY_BYTES))),
  );
  serve("POST", "snapshots/:name/restore", async ({ params }) => {
    await snapshotStore.snapshots.restore(params["name"] ?? "");
    return "The snapshot is restored";
  });
  serve("DELETE", "snapshots/:name", async ({ params }) => {
    await snapshotStore.snapshots.remove(params["name"] ?? "");
    return "Successfully Removed";
  });
  serve("GET", "export", async ({ outgoing }) => {
    outgoing.setHeader("content-type", "application/gzip");
    await snapshotStore.pack(outgoing);
  });
  serve("POST", "import", async ({ incoming }) => {
    await snapshotStore.unpack(bodyStream(incoming));
    return "The export is in place";
  });
}
