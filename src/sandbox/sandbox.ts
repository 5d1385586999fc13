import { authHash } from "../lib/tip/hashes.ts";
import { auditChanges } from "./accounts/audit.ts";
import { countUse } from "./accounts/count-use.ts";
import { startActions } from "./actions/index.ts";
import { type App, createApp } from "./app.ts";
import { variablesOf } from "./console/variables.ts";
import { chooseClock, type ManualClock } from "./core/clock.ts";
import { IdSource } from "./core/ids.ts";
import type { Strictness } from "./http/assumptions.ts";
import { FaultInjector } from "./http/faults.ts";
import { isLoopback } from "./http/host-check.ts";
import { Inspection } from "./http/inspection-key.ts";
import { RequestLog } from "./http/request-log.ts";
import { createTls, type Tls } from "./http/tls.ts";
import { serveInspection } from "./inspection/routes.ts";
import { migrations } from "./migrations.ts";
import type { Sandbox, SandboxOptions, SandboxTip } from "./options.ts";
import { secretKey } from "./published-secrets.ts";
import { kinds, resources } from "./resources.ts";
import { Seed } from "./seed.ts";
import { type ChosenSeed, chooseSeed, type LoadedSeed, loadSeed } from "./seeds/index.ts";
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

/** A host name that programs on this machine can connect to. */
function reachableName(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

export function registerRoutes(app: App): void {
  for (const { serve } of resources) serve(app);
}

const hasTip = ({ tip = false }: SandboxOptions): boolean => tip !== false;

/** Parts of a sandbox before it serves requests. */
interface Ground {
  readonly options: SandboxOptions;
  readonly host: string;
  readonly startedAtMs: number;
  readonly clock: ManualClock;
  readonly requestLog: RequestLog;
  readonly strict: Strictness;
  readonly chosen: ChosenSeed;
  /** The user's seed, already read. */
  readonly loaded: LoadedSeed | undefined;
  readonly faults: FaultInjector;
}

function prepare(options: SandboxOptions): Ground {
  const chosen = chooseSeed(options.seed, hasTip(options));
  return {
    options,
    host: options.host ?? DEFAULT_HOST,
    startedAtMs: Date.now(),
    clock: chooseClock(options.clock),
    requestLog: new RequestLog(),
    strict: { isOn: options.strict === true },
    chosen,
    // Errors in a folder are reported before anything is opened.
    loaded: chosen.isBuiltIn ? undefined : loadSeed(chosen.source),
    faults: new FaultInjector(options.faults, chosen.seed),
  };
}

/** Whether uploaded scripts run: by default not where other machines reach the sandbox. */
const runsScripts = ({ options, host }: Ground): boolean => options.scripts ?? isLoopback(host);

interface OpenParts {
  readonly storage: Storage;
  readonly app: App;
  readonly tls: Tls | undefined;
  readonly inspection: Inspection;
}

/** The application of a sandbox with these options. */
function appOf(ground: Ground, storage: Storage, tls: Tls | undefined): App {
  const { options, host, clock, requestLog, strict, faults } = ground;
  const { seed, rateLimits = false, plan, access, allowOrigins = [], analyses } = options;
  return createApp({
    storage,
    clock,
    faults,
    requestLog,
    host,
    scripts: runsScripts(ground),
    certificate: tls,
    ids: new IdSource(clock, typeof seed === "number" ? seed : undefined),
    limits: { perMinute: rateLimits, ...(plan === undefined ? {} : { plan }) },
    allowOrigins,
    log: options.log ?? ((message: string) => process.stderr.write(`${message}\n`)),
    access,
    analysisOptions: analyses,
    kinds,
    strict,
    tip: options.tip === true ? {} : options.tip || undefined,
  });
}

/** Seeds an empty database. The secrets are random where other machines reach the sandbox. */
function fill({ options, host, chosen, loaded, faults }: Ground, { app, storage }: OpenParts): Seed {
  const isRemote = !isLoopback(host);
  const isRandom = isRemote || options.tokens === "random";
  const key = isRandom ? secretKey(storage.dataDir) : undefined;
  const { db } = storage;
  const seed = new Seed({ app, db, chosen, isChosen: options.seed !== undefined, loaded, key, isRemote });
  seed.start();
  const { faults: rules = [] } = storedSeed(db) ?? {};
  if (rules.length > 0) faults.set([...(options.faults ?? []), ...rules]);
  return seed;
}

/** Stops all parts of a running sandbox, the storage last. */
async function closeAll({ app, storage, tls }: OpenParts, snapshotStore: SnapshotStore): Promise<void> {
  app.hub.close();
  app.signals.emit("closing", {});
  snapshotStore.close();
  try {
    await Promise.all([
      app.server.close(),
      app.tip?.close(),
      app.decoders.close(),
      app.sql.close(),
      app.jobs.close(),
      app.analyses.close(),
    ]);
    // Usage recorded after these writes is stored, too.
    storage.db.flush();
    app.usage.flush();
  } finally {
    tls?.close();
    app.usage.close();
    storage.close();
  }
}

/** Addresses of TagoTiP with the authorization to use. */
function tipOf(app: App, profile: string): SandboxTip | undefined {
  if (app.tip === undefined) return undefined;
  const all = app.tokens.list("service", profile);
  const { token = "" } = all.find(({ name }) => name === "TagoTiP") ?? all[0] ?? {};
  return {
    ...app.tip.addresses,
    http: app.address.origin,
    authorization: token,
    hash: token === "" ? "" : authHash(token),
  };
}

/** The handle of a running sandbox. Its address is set once it listens. */
function handleOf(ground: Ground, open: OpenParts, seed: Seed, snapshotStore: SnapshotStore): Sandbox {
  const { app, storage, tls, inspection } = open;
  const { clock, faults, requestLog } = ground;
  let closing: Promise<void> | undefined;
  return {
    get url() {
      return app.address.origin;
    },
    get eventsUrl() {
      return `${app.address.origin}/events`;
    },
    get port() {
      return app.address.port;
    },
    ...(tls !== undefined && { certificate: tls.trust }),
    get tip() {
      return tipOf(app, seed.profileId);
    },
    get tokens() {
      return seed.tokens;
    },
    get logins() {
      return seed.logins;
    },
    runsScripts: runsScripts(ground),
    inspectionHeaders: inspection.headers,
    pageAddress: () => `${app.address.origin}${inspection.createPath()}`,
    get profileId() {
      return seed.profileId;
    },
    clock,
    faults,
    limits: app.limits,
    get routes() {
      return app.server.routes;
    },
    requestLog: () => requestLog.list(),
    outbox: (filter) => app.outbox.list(filter),
    snapshots: snapshotStore.snapshots,
    exportTo: (file) => snapshotStore.exportTo(file),
    importFrom: (file) => snapshotStore.importFrom(file),
    reset: () => {
      seed.reset();
      storage.db.flush();
    },
    close: () => {
      closing ??= closeAll(open, snapshotStore);
      return closing;
    },
  };
}

/** Account data for the console, without the secret of this run: a page has its own key. */
function sessionFactsOf(sandbox: Sandbox, source: string) {
  const { IOT_SANDBOX_SECRET: _, ...variables } = variablesOf(sandbox);
  const { tokens, logins, profileId, runsScripts: scripts } = sandbox;
  return { source, tokens, logins, profileId, runsScripts: scripts, variables };
}

/** Seeds the storage, binds every route, and listens. */
async function serve(ground: Ground, open: OpenParts): Promise<Sandbox> {
  const { options, host, chosen } = ground;
  const { app, storage, tls, inspection } = open;
  const seed = fill(ground, open);
  const snapshotStore = new SnapshotStore({
    db: storage.db,
    clock: ground.clock,
    migrations,
    blobDirectory: () => storage.blobs.directory(),
    dataDir: storage.dataDir,
    onReplaced: () => seed.onReplaced(),
  });
  const sandbox = handleOf(ground, open, seed, snapshotStore);
  auditChanges(app);
  countUse(app);
  registerRoutes(app);
  startActions(app);
  app.tip?.serveHttp();
  const sessionFacts = () => sessionFactsOf(sandbox, seed.source);
  serveInspection({
    ...ground,
    app,
    inspection,
    snapshotStore,
    reset: (scenario) => seed.resetByHand(scenario),
    sessionFacts,
  });
  storage.db.flush();

  const port = await app.server.listen(options.port ?? 0);
  const origin = `${tls === undefined ? "http" : "https"}://${reachableName(host)}:${port}`;
  Object.assign(app.address, { origin, port });
  const hasUsualPorts = (options.port ?? 0) !== 0;
  await app.tip?.listen({ host, name: reachableName(host), hasUsualPorts, certificate: tls });
  app.analyses.serveAt(origin, tls?.trust.variables);
  if (options.rate !== undefined) startSending(app, loadSeed(seed.source), chosen.seed, options.rate);
  return sandbox;
}

/** Starts a sandbox from its parts. Callers outside this folder use `createSandbox`. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const ground = prepare(options);
  const storage = openStorage(options, ground.clock.now());
  let tls: Tls | undefined;
  let app: App | undefined;
  try {
    if (options.tls === true) tls = createTls(ground.host, storage.dataDir);
    app = appOf(ground, storage, tls);
    const { address } = app;
    const inspection = new Inspection(secretKey(storage.dataDir), () => address.origin);
    return await serve(ground, { storage, app, tls, inspection });
  } catch (error) {
    // Timers of parts that have already started would read the closed database.
    app?.signals.emit("closing", {});
    await Promise.all([app?.server.close(), app?.tip?.close()]);
    app?.usage.close();
    tls?.close();
    storage.close();
    throw error instanceof Error ? damaged(error) : error;
  }
}
