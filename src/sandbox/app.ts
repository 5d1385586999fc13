import type { Route } from "../lib/api/route.ts";
import { type AccessMode, createPolicy, type Policy } from "./access/policy.ts";
import { type Accounts, createAccounts } from "./accounts/accounts.ts";
import { type Audit, createAudit } from "./accounts/audit.ts";
import { countSent, countServed } from "./accounts/count-use.ts";
import { createUsage, type Usage } from "./accounts/usage.ts";
import { createAnalyses } from "./analyses/analyses.ts";
import { createScripts, type ScriptStore } from "./analyses/scripts.ts";
import { readableSecrets } from "./analyses/secrets.ts";
import type { OwnedAnalyses } from "./analyses/types.ts";
import { type Caller, createCaller } from "./core/caller.ts";
import type { Clock } from "./core/clock.ts";
import type { IdSource } from "./core/ids.ts";
import { createJobs, type Jobs } from "./core/jobs.ts";
import { createDataStore, type DataStore } from "./data/store.ts";
import { createEntityRows, type EntityRows } from "./entities/rows.ts";
import { createFileLinks, type FileLinks } from "./files/links.ts";
import { createFileStore, type FileStore } from "./files/store.ts";
import type { Strictness } from "./http/assumptions.ts";
import type { FaultInjector } from "./http/faults.ts";
import type { Handler, RouteOptions } from "./http/handler.ts";
import { createInspection, type Inspection } from "./http/inspection-key.ts";
import { createLimits, type LimitSettings, type Limits } from "./http/limits.ts";
import type { ConnectionLimits, ServerCertificate } from "./http/listener.ts";
import type { RequestLog } from "./http/request-log.ts";
import { createServer, type HttpServer } from "./http/server.ts";
import type { AnalysisOptions } from "./options.ts";
import { createDecoderRunner, type DecoderRunner } from "./parsers/runner.ts";
import { createRunUsers, type RunUsers } from "./portal/run-users.ts";
import { createSignals, type Signals } from "./signals.ts";
import { createCollection, type Visible, withoutHidden } from "./store/collection.ts";
import type { Collection, Collections } from "./store/document.ts";
import type { Kinds, RecordKind } from "./store/kinds.ts";
import type { Storage } from "./store/open.ts";
import { createOutbox, type Outbox } from "./store/outbox.ts";
import { createParams, type ParamStore } from "./store/params.ts";
import { createTokens, type Tokens } from "./store/tokens.ts";
import type { SandboxDatabase } from "./store/types.ts";
import { tellConsole } from "./stream/console-events.ts";
import { createHub, type StreamHub } from "./stream/hub.ts";

/** Everything a handler may use. */
export interface App extends Collections {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly hub: StreamHub;
  readonly outbox: Outbox;
  readonly signals: Signals;
  readonly analyses: OwnedAnalyses;
  readonly scripts: ScriptStore;
  readonly data: DataStore;
  readonly decoders: DecoderRunner;
  readonly jobs: Jobs;
  /** Tells the one who runs the sandbox. */
  readonly log: (message: string) => void;
  readonly tokens: Tokens;
  readonly params: ParamStore;
  readonly accounts: Accounts;
  readonly files: FileStore;
  readonly fileLinks: FileLinks;
  readonly entityRows: EntityRows;
  readonly server: HttpServer;
  readonly inspection: Inspection;
  readonly limits: Limits;
  readonly policy: Policy;
  readonly audit: Audit;
  readonly usage: Usage;
  readonly runUsers: RunUsers;
  /** Where programs on this machine reach the sandbox; set when it listens. */
  readonly address: { origin: string };
  readonly kinds: Kinds;
  readonly faults: FaultInjector;
  readonly caller: Caller;
  readonly strict: Strictness;
  /** Binds a handler to a route of the client's tables; a second one for the same method and path is refused. */
  on<const Path extends string, Body = unknown>(
    route: Route<Path>,
    options: RouteOptions<Body>,
    handler: Handler<Path, Body>,
  ): void;
}

export interface AppParts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly faults: FaultInjector;
  /** Default: none per minute. */
  readonly limits?: LimitSettings;
  readonly requestLog: RequestLog;
  readonly host: string;
  readonly allowOrigins?: readonly string[];
  readonly connectionLimits?: ConnectionLimits;
  readonly certificate?: ServerCertificate | undefined;
  readonly access?: AccessMode | undefined;
  readonly log: (message: string) => void;
  readonly analysisOptions?: AnalysisOptions | undefined;
  /** Whether uploaded scripts are run. Default true. */
  readonly scripts?: boolean;
  /** Reject requests that rest on an assumption. Default false. */
  readonly strict?: boolean;
  /** Every kind there is (resources/index.ts). */
  readonly kinds: Kinds;
}

function createCollections(
  { clock, ids, kinds }: AppParts,
  db: SandboxDatabase,
  visible: Visible,
  { signals, caller }: Pick<App, "signals" | "caller">,
): (kind: string) => Collection {
  const make = (spec: RecordKind): Collection =>
    createCollection(db, clock, ids, spec, visible, (event, document) => {
      if (spec.silent === true) return;
      const shown = withoutHidden(document, spec.hidden);
      const principal = caller.current();
      const who = principal === undefined ? {} : { principal };
      signals.emit("resourceChanged", { profile: document.profile, kind: spec.kind, event, document: shown, ...who });
    });
  const made = new Map(kinds.records.map((spec) => [spec.kind, make(spec)]));
  return (kind) => {
    const found = made.get(kind);
    if (found === undefined) throw new Error(`No resource declares the kind "${kind}"`);
    return found;
  };
}

/** Puts the stores and the server together; routes are bound afterwards. */
export function createApp(parts: AppParts): App {
  const { clock, ids, kinds } = parts;
  const { db } = parts.storage;
  const tokens = createTokens(db, clock, ids);
  const policy = createPolicy(db, tokens, parts.access);
  const hub = createHub(db, clock);
  const scripts = createScripts(db);
  const usage = createUsage(db, clock);
  const countMessage = countSent(usage);
  const outbox = createOutbox(db, clock, ids, (message) => {
    countMessage(message);
    tellConsole(hub, { type: "outbox", kind: message.kind });
  });
  const limits = createLimits(db, clock, kinds, parts.limits ?? { perMinute: false });
  const signals = createSignals(parts.log);
  const caller = createCaller();
  const collection = createCollections(parts, db, policy.visible, { signals, caller });
  const served = countServed(usage);
  const strict = { isOn: parts.strict === true };
  const server = createServer({ ...parts, db, tokens, policy, caller, limits, served, strict });

  function on<const Path extends string, Body>(
    route: Route<Path>,
    options: RouteOptions<Body>,
    handler: Handler<Path, Body>,
  ): void {
    // The types of `App.on` tie path, body and handler together; past them one shape serves all.
    server.on(route, options as RouteOptions, handler as Handler);
  }

  return {
    db,
    clock,
    ids,
    hub,
    outbox,
    signals,
    fileLinks: createFileLinks(db, clock),
    entityRows: createEntityRows(db, clock, ids),
    files: createFileStore({ db, clock, signals, blobs: parts.storage.blobs }),
    data: createDataStore(db, clock),
    decoders: createDecoderRunner(),
    jobs: createJobs(parts.log),
    log: parts.log,
    tokens,
    params: createParams(db, ids),
    accounts: createAccounts(db, clock, ids, outbox),
    address: { origin: "" },
    scripts,
    analyses: createAnalyses({
      ...parts.analysisOptions,
      db,
      clock,
      hub,
      tokens,
      scripts,
      runsScripts: parts.scripts ?? true,
      // In minutes; begun seconds count.
      ran: (profile, tookMs) => usage.count(profile, "analysis", Math.max(1, Math.ceil(tookMs / 1_000)) / 60),
      secrets: (analysis) => readableSecrets(policy, collection("secret"), analysis),
      collection: collection("analysis"),
    }),
    collection,
    kinds,
    faults: parts.faults,
    caller,
    strict,
    server,
    inspection: createInspection(),
    limits,
    policy,
    audit: createAudit(db, clock, ids),
    runUsers: createRunUsers({ db, clock, outbox, records: collection("run_user") }),
    usage,
    on,
  };
}
