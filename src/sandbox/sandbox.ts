import { auditChanges } from "./accounts/audit.ts";
import { countUse } from "./accounts/count-use.ts";
import { createApp, type FullApp } from "./app.ts";
import { publishSignals } from "./channels.ts";
import { chooseClock } from "./clock.ts";
import { openDirectory, openEphemeral, type Storage } from "./db/open.ts";
import { applySecrets, derivedFrom, loginsOf, published, type Replacements, secretKey } from "./demo-secrets.ts";
import { serveEvents } from "./events.ts";
import { createFaults } from "./faults.ts";
import { registerAccessRoutes } from "./handlers/access.ts";
import { registerAccountRoutes } from "./handlers/accounts.ts";
import { registerAnalysisRoutes } from "./handlers/analyses.ts";
import { registerBackupRoutes } from "./handlers/backups.ts";
import { registerBillingRoutes } from "./handlers/billing.ts";
import { registerCurrentNetworkRoutes } from "./handlers/current-network.ts";
import { registerDashboardRoutes } from "./handlers/dashboards.ts";
import { registerDeviceTokenRoutes } from "./handlers/device-tokens.ts";
import { registerDeviceRoutes } from "./handlers/devices.ts";
import { registerDictionaryRoutes } from "./handlers/dictionaries.ts";
import { registerEntityRoutes } from "./handlers/entities.ts";
import { registerFileRoutes } from "./handlers/files.ts";
import { registerInfoRoutes } from "./handlers/info.ts";
import { registerIntegrationRoutes } from "./handlers/integrations.ts";
import { registerPortalRoutes } from "./handlers/portal.ts";
import { registerProfileTokenRoutes, registerTeamRoutes } from "./handlers/profile-members.ts";
import { registerProfileServiceRoutes } from "./handlers/profile-services.ts";
import { registerProfileUsageRoutes } from "./handlers/profile-usage.ts";
import { registerProfileRoutes } from "./handlers/profiles.ts";
import { registerRunRoutes } from "./handlers/run.ts";
import { registerOwnNotificationRoutes, registerRunNotificationRoutes } from "./handlers/run-notifications.ts";
import { registerRunUserRoutes } from "./handlers/run-users.ts";
import { registerSecretRoutes } from "./handlers/secrets.ts";
import { registerServiceAuthorizationRoutes } from "./handlers/service-authorization.ts";
import { registerServiceRoutes } from "./handlers/services.ts";
import { registerSqlRoutes } from "./handlers/sql.ts";
import { registerTagRoutes } from "./handlers/tags.ts";
import { registerTcoreRoutes } from "./handlers/tcores.ts";
import { registerTemplateRoutes } from "./handlers/templates.ts";
import { registerWidgetSourceRoutes } from "./handlers/widget-source.ts";
import { registerWidgetRoutes } from "./handlers/widgets.ts";
import { isLoopback } from "./host-check.ts";
import { createIds } from "./ids.ts";
import { createImages } from "./images/images.ts";
import { serveInspection } from "./inspect.ts";
import type { Sandbox, SandboxOptions, SandboxTokens } from "./public.ts";
import { createRequestLog } from "./request-log.ts";
import { chooseSeed, demoFacts, type LoadedSeed, loadSeed } from "./seeds/index.ts";
import type { SeedFacts } from "./seeds/published.ts";
import { SeedError } from "./seeds/seed-error.ts";
import { storedSeed, storeSeed } from "./seeds/stored.ts";
import { createTls, type Tls } from "./tls.ts";
import { type Clock, type DeviceDataStore, type Migration, PlatformError, type SandboxDatabase } from "./types.ts";

/** The parts that live in folders of their own. */
export interface SandboxParts<Data extends DeviceDataStore> {
  readonly dataMigrations: readonly Migration[];
  readonly createData: (db: SandboxDatabase, clock: Clock) => Data;
  readonly registerDataRoutes: (app: FullApp<Data>) => void;
  /** Fills an empty database; generated history follows from the number. */
  readonly fill: (app: FullApp<Data>, loaded: LoadedSeed, seed: number) => void;
}

const DEFAULT_HOST = "127.0.0.1";

function openStorage(options: SandboxOptions, migrations: readonly Migration[], nowMs: number): Storage {
  const { dataDir, ephemeral, maxPages } = options;
  if (dataDir === undefined || ephemeral === true) return openEphemeral(migrations, nowMs, maxPages);
  return openDirectory(dataDir, migrations, nowMs, maxPages);
}

/** Fills a database that was never filled to the end. */
function ensureSeed(db: SandboxDatabase, fill: () => void): void {
  if (db.get("SELECT value FROM setting WHERE key = 'seeded'") !== undefined) return;
  db.transaction(() => {
    fill();
    db.run("INSERT INTO setting (key, value) VALUES ('seeded', '1')");
  });
}

/** Empties all tables but the list of applied migrations. */
function emptyTables(db: SandboxDatabase): void {
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration'",
  );
  // Inside the transaction: children may go after their parents.
  db.run("DELETE FROM setting");
  db.get("PRAGMA defer_foreign_keys = ON");
  for (const { name } of tables) db.run(`DELETE FROM "${name}"`);
}

/** What is wrong with the files of a seed is the fault of whoever asks for them. */
function saying(reset: () => void): () => void {
  return () => {
    try {
      reset();
    } catch (error) {
      if (error instanceof SeedError) throw new PlatformError(400, error.message);
      throw error;
    }
  };
}

/** The tokens of the seed as they are now; a device that the user deleted has none. */
function presentTokens(app: FullApp, known: SandboxTokens, { token }: Replacements): SandboxTokens {
  const device = known.device === "" ? undefined : app.tokens.find(token(known.device));
  return {
    profile: token(known.profile),
    read: token(known.read),
    write: token(known.write),
    expired: token(known.expired),
    analysis: token(known.analysis),
    device: device?.token ?? "",
  };
}

/** A name a program on this machine can connect to. */
function reachableName(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function registerRoutes(app: FullApp): void {
  registerInfoRoutes(app);
  registerAccountRoutes(app);
  registerAccessRoutes(app);
  registerBillingRoutes(app);
  registerProfileRoutes(app);
  registerProfileTokenRoutes(app);
  registerTeamRoutes(app);
  registerProfileUsageRoutes(app);
  registerProfileServiceRoutes(app);
  registerBackupRoutes(app);
  registerRunRoutes(app);
  registerRunUserRoutes(app);
  registerRunNotificationRoutes(app);
  registerPortalRoutes(app);
  registerOwnNotificationRoutes(app);
  registerDeviceRoutes(app);
  registerDeviceTokenRoutes(app);
  registerDashboardRoutes(app);
  registerWidgetRoutes(app);
  registerWidgetSourceRoutes(app);
  registerIntegrationRoutes(app);
  registerTagRoutes(app);
  registerTemplateRoutes(app);
  registerFileRoutes(app);
  registerAnalysisRoutes(app);
  registerServiceRoutes(app);
  registerSecretRoutes(app);
  registerTcoreRoutes(app);
  registerDictionaryRoutes(app);
  registerEntityRoutes(app);
  registerCurrentNetworkRoutes(app);
  registerServiceAuthorizationRoutes(app);
  registerSqlRoutes(app);
}

/** Starts a sandbox from its parts. Callers outside this folder use `createSandbox`. */
export async function startSandbox<Data extends DeviceDataStore>(
  options: SandboxOptions,
  parts: SandboxParts<Data>,
): Promise<Sandbox> {
  const startedAtMs = Date.now();
  const host = options.host ?? DEFAULT_HOST;
  const isRemote = !isLoopback(host);
  const scripts = options.scripts ?? !isRemote;
  const clock = chooseClock(options.clock);
  const log = options.log ?? ((message: string) => process.stderr.write(`${message}\n`));
  const requestLog = createRequestLog();
  const chosen = chooseSeed(options.seed);
  // What is wrong with a folder is said before anything is opened.
  let loaded = chosen.isBuiltIn ? undefined : loadSeed(chosen.source);
  const faults = createFaults(options.faults, chosen.seed);
  const storage = openStorage(options, parts.dataMigrations, clock.now());
  const { db } = storage;
  let tls: Tls | undefined;
  try {
    if (options.tls === true) tls = createTls(host, storage.dataDir);
    const ids = createIds(clock, typeof options.seed === "number" ? options.seed : undefined);
    const { createData } = parts;
    const { rateLimits = false, plan } = options;
    const limits = { perMinute: rateLimits, ...(plan === undefined ? {} : { plan }) };
    const { access, allowOrigins = [] } = options;
    const app = createApp({
      storage,
      clock,
      ids,
      faults,
      limits,
      requestLog,
      host,
      allowOrigins,
      certificate: tls,
      log,
      access,
      createData,
      analysisOptions: options.analyses,
      scripts,
    });
    // Without a choice a reset fills in what was there.
    const source = options.seed === undefined ? (storedSeed(db)?.source ?? chosen.source) : chosen.source;
    const fill = (): void =>
      ensureSeed(db, () => {
        const content = loaded ?? loadSeed(source);
        loaded = undefined;
        parts.fill(app, content, chosen.seed);
        if (!chosen.isBuiltIn || source !== chosen.source) storeSeed(db, { ...content, source });
      });
    const isRandom = isRemote || options.tokens === "random";
    const key = isRandom ? secretKey(storage.dataDir) : undefined;
    let facts: SeedFacts = storedSeed(db) ?? demoFacts();
    let replacements: Replacements = published;
    let tokens = facts.tokens;
    const applyReplacements = (): void => {
      facts = storedSeed(db) ?? demoFacts();
      replacements = key === undefined ? published : derivedFrom(key, facts.published, isRemote);
      applySecrets(db, facts.published, replacements);
      tokens = presentTokens(app, facts.tokens, replacements);
    };
    db.transaction(() => {
      fill();
      applyReplacements();
    });
    const { faults: rules = [] } = storedSeed(db) ?? {};
    if (rules.length > 0) faults.set([...(options.faults ?? []), ...rules]);

    const replaced = (): void => {
      applyReplacements();
      app.analyses.stop();
      app.signals.emit("everythingReplaced", {});
      db.afterCommit(() => app.files.sweep());
    };
    const reset = (): void => {
      app.usage.clear();
      db.transaction(() => {
        emptyTables(db);
        fill();
        replaced();
      });
    };
    const images = createImages({
      db,
      clock,
      migrations: parts.dataMigrations,
      blobDirectory: storage.blobs.directory,
      dataDir: storage.dataDir,
      replaced,
    });
    publishSignals(app);
    auditChanges(app);
    countUse(app);
    registerRoutes(app);
    parts.registerDataRoutes(app);
    app.server.serve("GET", "/events", serveEvents(app), { faults: true });
    serveInspection({ app, clock, faults, requestLog, images, startedAtMs, reset: saying(reset) });
    db.flush();

    const port = await app.server.listen(options.port ?? 0);
    const origin = `${tls === undefined ? "http" : "https"}://${reachableName(host)}:${port}`;
    app.address.origin = origin;
    app.analyses.serveAt(origin, tls?.trust.variables);
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      app.hub.close();
      app.signals.emit("closing", {});
      images.close();
      try {
        await Promise.all([app.server.close(), app.decoders.close(), app.jobs.close(), app.analyses.close()]);
        app.usage.flush();
      } finally {
        tls?.close();
        storage.close();
      }
    };
    return {
      url: origin,
      eventsUrl: `${origin}/events`,
      port,
      ...(tls !== undefined && { certificate: tls.trust }),
      get tokens() {
        return tokens;
      },
      get logins() {
        return loginsOf(db, facts.published, replacements);
      },
      runsScripts: scripts,
      inspectionHeaders: app.inspection.headers,
      pageAddress: () => `${origin}${app.inspection.createPath()}`,
      get profileId() {
        return facts.profile;
      },
      clock,
      faults,
      limits: app.limits,
      routes: app.server.routes,
      requestLog: () => requestLog.list(),
      outbox: app.outbox.list,
      snapshots: images.snapshots,
      exportTo: images.exportTo,
      importFrom: images.importFrom,
      reset: () => {
        reset();
        db.flush();
      },
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    tls?.close();
    storage.close();
    throw error;
  }
}
