import { auditChanges } from "./accounts/audit.ts";
import { countUse } from "./accounts/count-use.ts";
import { startActions } from "./actions/index.ts";
import { type App, createApp } from "./app.ts";
import { variablesOf } from "./console/variables.ts";
import { chooseClock } from "./core/clock.ts";
import { IdSource } from "./core/ids.ts";
import { FaultInjector } from "./http/faults.ts";
import { isLoopback } from "./http/host-check.ts";
import { RequestLog } from "./http/request-log.ts";
import { createTls, type Tls } from "./http/tls.ts";
import { serveInspection } from "./inspection/routes.ts";
import { migrations } from "./migrations.ts";
import type { Sandbox, SandboxOptions } from "./options.ts";
import { secretKey } from "./published-secrets.ts";
import { kinds, resources } from "./resources.ts";
import { Seed } from "./seed.ts";
import { chooseSeed, loadSeed } from "./seeds/index.ts";
import { startSending } from "./seeds/live.ts";
import { storedSeed } from "./seeds/stored.ts";
import { SnapshotStore } from "./snapshots/snapshots.ts";
import { damaged, openDirectory, openEphemeral, type Storage } from "./store/open.ts";

const DEFAULT_HOST = "127.0.0.1";

function openStorage(options: SandboxOptions, nowMs: number): Storage {
  const { dataDir, ephemeral, maxPages } = options;
  if (dataDir === undefined || ephemeral === true) return openEphemeral(migrations, nowMs, maxPages);
  return openDirectory(dataDir, migrations, nowMs, maxPages);
}

/** A name a program on this machine can connect to. */
function reachableName(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

export function registerRoutes(app: App): void {
  for (const { serve } of resources) serve(app);
}

type OwnParts = Pick<
  Parameters<typeof createApp>[0],
  "storage" | "clock" | "faults" | "requestLog" | "host" | "scripts" | "certificate"
>;

/** The application of a sandbox with these options. */
function appOf(options: SandboxOptions, parts: OwnParts): App {
  const { seed, rateLimits = false, plan, access, allowOrigins = [], analyses, strict = false } = options;
  return createApp({
    ...parts,
    ids: new IdSource(parts.clock, typeof seed === "number" ? seed : undefined),
    limits: { perMinute: rateLimits, ...(plan === undefined ? {} : { plan }) },
    allowOrigins,
    log: options.log ?? ((message: string) => process.stderr.write(`${message}\n`)),
    access,
    analysisOptions: analyses,
    kinds,
    strict,
  });
}

interface OpenParts {
  readonly app: App;
  readonly saved: SnapshotStore;
  readonly storage: Storage;
  readonly tls: Tls | undefined;
}

/** Ends all parts of a running sandbox, the storage last. */
async function closeAll({ app, saved, storage, tls }: OpenParts): Promise<void> {
  app.hub.close();
  app.signals.emit("closing", {});
  saved.close();
  try {
    await Promise.all([app.server.close(), app.decoders.close(), app.jobs.close(), app.analyses.close()]);
    // What waits for these writes is counted, too.
    storage.db.flush();
    app.usage.flush();
  } finally {
    tls?.close();
    app.usage.close();
    storage.close();
  }
}

/** Starts a sandbox from its parts. Callers outside this folder use `createSandbox`. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const startedAtMs = Date.now();
  const host = options.host ?? DEFAULT_HOST;
  const isRemote = !isLoopback(host);
  const scripts = options.scripts ?? !isRemote;
  const clock = chooseClock(options.clock);
  const requestLog = new RequestLog();
  const chosen = chooseSeed(options.seed);
  // What is wrong with a folder is said before anything is opened.
  const loaded = chosen.isBuiltIn ? undefined : loadSeed(chosen.source);
  const faults = new FaultInjector(options.faults, chosen.seed);
  const storage = openStorage(options, clock.now());
  const { db } = storage;
  let tls: Tls | undefined;
  let begun: App | undefined;
  try {
    if (options.tls === true) tls = createTls(host, storage.dataDir);
    const app = appOf(options, { storage, clock, faults, requestLog, host, scripts, certificate: tls });
    begun = app;
    const isRandom = isRemote || options.tokens === "random";
    const key = isRandom ? secretKey(storage.dataDir) : undefined;
    const seed = new Seed({ app, db, chosen, isChosen: options.seed !== undefined, loaded, key, isRemote });
    seed.start();
    const { faults: rules = [] } = storedSeed(db) ?? {};
    if (rules.length > 0) faults.set([...(options.faults ?? []), ...rules]);

    const saved = new SnapshotStore({
      db,
      clock,
      migrations,
      blobDirectory: () => storage.blobs.directory(),
      dataDir: storage.dataDir,
      replaced: () => seed.replaced(),
    });
    auditChanges(app);
    countUse(app);
    registerRoutes(app);
    startActions(app);
    // Without the secret of this run: a page has a key of its own.
    const about = (): object => {
      const { IOT_SANDBOX_SECRET: _, ...variables } = variablesOf(running);
      const { tokens: known, logins, profileId, runsScripts } = running;
      return { source: seed.source, tokens: known, logins, profileId, runsScripts, variables };
    };
    serveInspection({ app, clock, faults, requestLog, saved, startedAtMs, reset: () => seed.resetByHand(), about });
    db.flush();

    const port = await app.server.listen(options.port ?? 0);
    const origin = `${tls === undefined ? "http" : "https"}://${reachableName(host)}:${port}`;
    app.address.origin = origin;
    app.analyses.serveAt(origin, tls?.trust.variables);
    if (options.rate !== undefined) startSending(app, loadSeed(seed.source), chosen.seed, options.rate);
    let closing: Promise<void> | undefined;
    const running: Sandbox = {
      url: origin,
      eventsUrl: `${origin}/events`,
      port,
      ...(tls !== undefined && { certificate: tls.trust }),
      get tokens() {
        return seed.tokens;
      },
      get logins() {
        return seed.logins;
      },
      runsScripts: scripts,
      inspectionHeaders: app.inspection.headers,
      pageAddress: () => `${origin}${app.inspection.createPath()}`,
      get profileId() {
        return seed.profileId;
      },
      clock,
      faults,
      limits: app.limits,
      routes: app.server.routes,
      requestLog: () => requestLog.list(),
      outbox: (filter) => app.outbox.list(filter),
      snapshots: saved.snapshots,
      exportTo: (file) => saved.exportTo(file),
      importFrom: (file) => saved.importFrom(file),
      reset: () => {
        seed.reset();
        db.flush();
      },
      close: () => {
        closing ??= closeAll({ app, saved, storage, tls });
        return closing;
      },
    };
    return running;
  } catch (error) {
    // Timers of parts that had started already would read the closed database.
    begun?.signals.emit("closing", {});
    begun?.usage.close();
    tls?.close();
    storage.close();
    throw error instanceof Error ? damaged(error) : error;
  }
}
