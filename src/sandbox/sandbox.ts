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
import { kinds, resources } from "./resources/index.ts";
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
    const fill = (): void => app.signals.quietly(() => ensureSeed(db, () => seed.fill(app, seedOptions(options.seed))));
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
    auditChanges(app);
    countUse(app);
    registerRoutes(app);
    startActions(app);
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
