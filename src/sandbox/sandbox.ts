import { auditChanges } from "./accounts/audit.ts";
import { countUse } from "./accounts/count-use.ts";
import { startActions } from "./actions/index.ts";
import { type App, createApp } from "./app.ts";
import { chooseClock } from "./core/clock.ts";
import { createIds } from "./core/ids.ts";
import { dataMigrations } from "./data/migrations.ts";
import { createFaults } from "./http/faults.ts";
import { isLoopback } from "./http/host-check.ts";
import { createRequestLog } from "./http/request-log.ts";
import { createTls, type Tls } from "./http/tls.ts";
import { serveInspection } from "./inspection/routes.ts";
import type { Sandbox, SandboxOptions, SandboxTokens } from "./options.ts";
import {
  applySecrets,
  derivedFrom,
  loginsOf,
  type PublishedSecrets,
  published,
  type Replacements,
  secretKey,
} from "./published-secrets.ts";
import { registerAccountRoutes } from "./resources/accounts/accounts.ts";
import { registerActionRoutes } from "./resources/actions.ts";
import { registerAnalysisRoutes } from "./resources/analyses/analyses.ts";
import { registerServiceRoutes } from "./resources/analyses/services.ts";
import { registerBillingRoutes } from "./resources/billing.ts";
import { registerDashboardRoutes } from "./resources/dashboards/dashboards.ts";
import { registerTemplateRoutes } from "./resources/dashboards/templates.ts";
import { registerWidgetDataRoutes } from "./resources/dashboards/widget-data.ts";
import { registerWidgetSourceRoutes } from "./resources/dashboards/widget-source.ts";
import { registerWidgetRoutes } from "./resources/dashboards/widgets.ts";
import { registerDataRoutes } from "./resources/devices/data.ts";
import { registerDataFileRoutes } from "./resources/devices/data-files.ts";
import { registerDeviceRoutes } from "./resources/devices/devices.ts";
import { registerDeviceTokenRoutes } from "./resources/devices/tokens.ts";
import { registerDictionaryRoutes } from "./resources/dictionaries.ts";
import { registerEntityRoutes } from "./resources/entities.ts";
import { publishSignals } from "./resources/events/channels.ts";
import { serveEvents } from "./resources/events/events.ts";
import { registerFileRoutes } from "./resources/files/files.ts";
import { kinds, resources } from "./resources/index.ts";
import { registerInfoRoutes } from "./resources/info.ts";
import { registerCurrentNetworkRoutes } from "./resources/networks/current.ts";
import { registerNetworkDataRoutes } from "./resources/networks/data.ts";
import { registerIntegrationRoutes } from "./resources/networks/integrations.ts";
import { registerNotificationRoutes } from "./resources/notifications.ts";
import { registerPortalRoutes } from "./resources/portal/portal.ts";
import { registerRunRoutes } from "./resources/portal/run.ts";
import { registerOwnNotificationRoutes, registerRunNotificationRoutes } from "./resources/portal/run-notifications.ts";
import { registerRunUserRoutes } from "./resources/portal/run-users.ts";
import { registerBackupRoutes } from "./resources/profiles/backups.ts";
import { registerProfileTokenRoutes, registerTeamRoutes } from "./resources/profiles/members.ts";
import { registerProfileRoutes } from "./resources/profiles/profiles.ts";
import { registerProfileServiceRoutes } from "./resources/profiles/services.ts";
import { registerProfileUsageRoutes } from "./resources/profiles/usage.ts";
import { registerServiceAuthorizationRoutes } from "./resources/service-authorization.ts";
import { registerSqlRoutes } from "./resources/sql.ts";
import { registerTagRoutes } from "./resources/tags.ts";
import { registerTcoreRoutes } from "./resources/tcores.ts";
import { createSnapshots } from "./snapshots/snapshots.ts";
import { openDirectory, openEphemeral, type Storage } from "./store/open.ts";
import type { Migration, SandboxDatabase } from "./store/types.ts";

/** What a new database is filled with. */
interface SeedOptions {
  /** `empty` has accounts, profiles, tokens and the catalogue, no devices and dashboards. */
  readonly content: "demo" | "empty";
  /** Generated history follows from this number. */
  readonly seed: number;
}

/** What the sandbox is filled with. */
export interface SeedParts {
  readonly fill: (app: App, options: SeedOptions) => void;
  /** The fixed tokens of the seed, and the profile they open. */
  readonly tokens: SandboxTokens;
  readonly profileId: string;
  readonly published: PublishedSecrets;
}

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_SEED = 1;

function seedOptions(seed: SandboxOptions["seed"]): SeedOptions {
  if (seed === "empty") return { content: "empty", seed: DEFAULT_SEED };
  return { content: "demo", seed: typeof seed === "number" ? seed : DEFAULT_SEED };
}

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

/** The tokens of the seed as they are now; a device that the user deleted has none. */
function presentTokens(app: App, known: SandboxTokens, { token }: Replacements): SandboxTokens {
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

export function registerRoutes(app: App): void {
  for (const { serve } of resources) serve(app);
  registerInfoRoutes(app);
  registerAccountRoutes(app);
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
  registerTcoreRoutes(app);
  registerDictionaryRoutes(app);
  registerEntityRoutes(app);
  registerCurrentNetworkRoutes(app);
  registerServiceAuthorizationRoutes(app);
  registerSqlRoutes(app);
  registerDataRoutes(app);
  registerDataFileRoutes(app);
  registerNetworkDataRoutes(app);
  registerWidgetDataRoutes(app);
  registerActionRoutes(app);
  registerNotificationRoutes(app);
}

/** Starts a sandbox from its parts. Callers outside this folder use `createSandbox`. */
export async function startSandbox(options: SandboxOptions, seed: SeedParts): Promise<Sandbox> {
  const startedAtMs = Date.now();
  const host = options.host ?? DEFAULT_HOST;
  const isRemote = !isLoopback(host);
  const scripts = options.scripts ?? !isRemote;
  const clock = chooseClock(options.clock);
  const log = options.log ?? ((message: string) => process.stderr.write(`${message}\n`));
  const requestLog = createRequestLog();
  const faults = createFaults(options.faults, seedOptions(options.seed).seed);
  const storage = openStorage(options, dataMigrations, clock.now());
  const { db } = storage;
  let tls: Tls | undefined;
  try {
    if (options.tls === true) tls = createTls(host, storage.dataDir);
    const ids = createIds(clock, typeof options.seed === "number" ? options.seed : undefined);
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
      analysisOptions: options.analyses,
      scripts,
      kinds,
      strict: options.strict === true,
    });
    const fill = (): void => ensureSeed(db, () => seed.fill(app, seedOptions(options.seed)));
    const isRandom = isRemote || options.tokens === "random";
    const replacements = isRandom ? derivedFrom(secretKey(storage.dataDir), seed.published, isRemote) : published;
    let tokens = seed.tokens;
    const applyReplacements = (): void => {
      applySecrets(db, seed.published, replacements);
      tokens = presentTokens(app, seed.tokens, replacements);
    };
    db.transaction(() => {
      fill();
      applyReplacements();
    });

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
    const saved = createSnapshots({
      db,
      clock,
      migrations: dataMigrations,
      blobDirectory: storage.blobs.directory,
      dataDir: storage.dataDir,
      replaced,
    });
    publishSignals(app);
    auditChanges(app);
    countUse(app);
    registerRoutes(app);
    startActions(app);
    app.server.serve("GET", "/events", serveEvents(app, faults.stream), { faults: true });
    serveInspection({ app, clock, faults, requestLog, saved, startedAtMs, reset });
    db.flush();

    const port = await app.server.listen(options.port ?? 0);
    const origin = `${tls === undefined ? "http" : "https"}://${reachableName(host)}:${port}`;
    app.address.origin = origin;
    app.analyses.serveAt(origin, tls?.trust.variables);
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      app.hub.close();
      app.signals.emit("closing", {});
      saved.close();
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
        return loginsOf(db, seed.published, replacements);
      },
      runsScripts: scripts,
      inspectionHeaders: app.inspection.headers,
      pageAddress: () => `${origin}${app.inspection.createPath()}`,
      profileId: seed.profileId,
      clock,
      faults,
      limits: app.limits,
      routes: app.server.routes,
      requestLog: () => requestLog.list(),
      outbox: app.outbox.list,
      snapshots: saved.snapshots,
      exportTo: saved.exportTo,
      importFrom: saved.importFrom,
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
