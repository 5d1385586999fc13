import { auditChanges } from "./accounts/audit.ts";
import { countUse } from "./accounts/count-use.ts";
import { startActions } from "./actions/index.ts";
import { type App, createApp } from "./app.ts";
import { variablesOf } from "./console/variables.ts";
import { chooseClock } from "./core/clock.ts";
import { createIds } from "./core/ids.ts";
import { PlatformError } from "./core/platform-error.ts";
import { createFaults } from "./http/faults.ts";
import { isLoopback } from "./http/host-check.ts";
import { createRequestLog } from "./http/request-log.ts";
import { createTls, type Tls } from "./http/tls.ts";
import { serveInspection } from "./inspection/routes.ts";
import { migrations } from "./migrations.ts";
import type { Sandbox, SandboxOptions, SandboxTokens } from "./options.ts";
import { applySecrets, derivedFrom, loginsOf, published, type Replacements, secretKey } from "./published-secrets.ts";
import { kinds, resources } from "./resources/index.ts";
import { chooseSeed, demoFacts, fillSandbox, loadSeed } from "./seeds/index.ts";
import { startSending } from "./seeds/live.ts";
import type { SeedFacts } from "./seeds/published.ts";
import { SeedError } from "./seeds/seed-error.ts";
import { storedSeed, storeSeed } from "./seeds/stored.ts";
import { createSnapshots } from "./snapshots/snapshots.ts";
import { damaged, openDirectory, openEphemeral, type Storage } from "./store/open.ts";
import type { SandboxDatabase } from "./store/types.ts";

const DEFAULT_HOST = "127.0.0.1";

function openStorage(options: SandboxOptions, nowMs: number): Storage {
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
function reportingSeedErrors(reset: () => void): () => void {
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
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
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
  const storage = openStorage(options, clock.now());
  const { db } = storage;
  let tls: Tls | undefined;
  let begun: App | undefined;
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
    begun = app;
    // Without a choice a reset fills in what was there.
    const source = options.seed === undefined ? (storedSeed(db)?.source ?? chosen.source) : chosen.source;
    const fill = (): void =>
      ensureSeed(db, () => {
        const content = loaded ?? loadSeed(source);
        loaded = undefined;
        app.signals.quietly(() => fillSandbox(app, content, chosen.seed));
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
    const saved = createSnapshots({
      db,
      clock,
      migrations,
      blobDirectory: storage.blobs.directory,
      dataDir: storage.dataDir,
      replaced,
    });
    auditChanges(app);
    countUse(app);
    registerRoutes(app);
    startActions(app);
    // Without the secret of this run: a page has a key of its own.
    const about = (): object => {
      const { IOT_SANDBOX_SECRET: _, ...variables } = variablesOf(running);
      const { tokens: known, logins, profileId, runsScripts } = running;
      return { source, tokens: known, logins, profileId, runsScripts, variables };
    };
    const resetByHand = reportingSeedErrors(reset);
    serveInspection({ app, clock, faults, requestLog, saved, startedAtMs, reset: resetByHand, about });
    db.flush();

    const port = await app.server.listen(options.port ?? 0);
    const origin = `${tls === undefined ? "http" : "https"}://${reachableName(host)}:${port}`;
    app.address.origin = origin;
    app.analyses.serveAt(origin, tls?.trust.variables);
    if (options.rate !== undefined) startSending(app, loadSeed(source), chosen.seed, options.rate);
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      app.hub.close();
      app.signals.emit("closing", {});
      saved.close();
      try {
        await Promise.all([app.server.close(), app.decoders.close(), app.jobs.close(), app.analyses.close()]);
        // What waits for these writes is counted, too.
        db.flush();
        app.usage.flush();
      } finally {
        tls?.close();
        app.usage.close();
        storage.close();
      }
    };
    const running: Sandbox = {
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
