import type { Route } from "../lib/api/route.ts";
import { type AccessMode, Policy } from "./access/policy.ts";
import { Accounts } from "./accounts/accounts.ts";
import { Audit } from "./accounts/audit.ts";
import { countSent, countServed } from "./accounts/count-use.ts";
import { Usage } from "./accounts/usage.ts";
import { AnalysisRunner } from "./analyses/analyses.ts";
import { ScriptStore } from "./analyses/scripts.ts";
import { readableSecrets } from "./analyses/secrets.ts";
import type { OwnedAnalyses } from "./analyses/types.ts";
import { Caller } from "./core/caller.ts";
import type { Clock } from "./core/clock.ts";
import type { IdSource } from "./core/ids.ts";
import { Jobs } from "./core/jobs.ts";
import type { LimitSettings } from "./core/limit-settings.ts";
import { DataStore } from "./data/store.ts";
import { EntityRows } from "./entities/rows.ts";
import { FileStore } from "./files/store.ts";
import type { Strictness } from "./http/assumptions.ts";
import type { FaultInjector } from "./http/faults.ts";
import type { Handler, RouteOptions } from "./http/handler.ts";
import { PlanLimits } from "./http/limits.ts";
import type { ConnectionLimits, ServerCertificate } from "./http/listener.ts";
import type { RequestLog } from "./http/request-log.ts";
import { HttpServer } from "./http/server.ts";
import type { AnalysisOptions, TipOptions } from "./options.ts";
import { DecoderRunner } from "./parsers/runner.ts";
import { RunUsers } from "./portal/run-users.ts";
import { Signals } from "./signals.ts";
import { SqlRunner } from "./sql/runner.ts";
import { StoredCollection, type Visible, withoutHidden } from "./store/collection.ts";
import type { Collection, Collections } from "./store/document.ts";
import type { Kinds, RecordKind } from "./store/kinds.ts";
import type { Storage } from "./store/open.ts";
import { Outbox } from "./store/outbox.ts";
import { ParamStore } from "./store/params.ts";
import { Tokens } from "./store/tokens.ts";
import type { SandboxDatabase } from "./store/types.ts";
import { tellConsole } from "./stream/console-events.ts";
import { StreamHub } from "./stream/hub.ts";
import { Tip } from "./tip/tip.ts";

/** Everything a handler can use. */
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
  readonly sql: SqlRunner;
  readonly jobs: Jobs;
  /** Reports to whoever runs the sandbox. */
  readonly log: (message: string) => void;
  readonly tokens: Tokens;
  readonly params: ParamStore;
  readonly accounts: Accounts;
  readonly files: FileStore;
  readonly entityRows: EntityRows;
  readonly server: HttpServer;
  readonly limits: PlanLimits;
  readonly policy: Policy;
  readonly audit: Audit;
  readonly usage: Usage;
  readonly runUsers: RunUsers;
  /** Address for programs on this machine; set when the sandbox listens. */
  readonly address: { origin: string; port: number };
  readonly kinds: Kinds;
  readonly faults: FaultInjector;
  readonly caller: Caller;
  /** The device protocol TagoTiP; absent unless the sandbox was started with it. */
  readonly tip?: Tip;
  /** Binds a handler to a route of the client's tables; a second one for the same method and path is an error. */
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
  /** Whether uploaded scripts run. Default true. */
  readonly scripts?: boolean;
  /** Default: not strict. */
  readonly strict?: Strictness;
  /** All kinds of record (resources.ts). */
  readonly kinds: Kinds;
  /** Default: without TagoTiP. */
  readonly tip?: TipOptions | undefined;
}

function createCollections(
  { clock, ids, kinds }: AppParts,
  db: SandboxDatabase,
  visible: Visible,
  { signals, caller }: Pick<App, "signals" | "caller">,
): (kind: string) => Collection {
  const make = (spec: RecordKind): Collection =>
    new StoredCollection(db, clock, ids, spec, visible, (event, document) => {
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

type AnalysesParts = Pick<App, "db" | "hub" | "tokens" | "scripts" | "usage" | "policy" | "collection">;

function analysesOf(
  { clock, analysisOptions, scripts: runsScripts = true }: AppParts,
  app: AnalysesParts,
): OwnedAnalyses {
  const { db, hub, tokens, scripts, usage, policy, collection } = app;
  return new AnalysisRunner({
    ...analysisOptions,
    db,
    clock,
    hub,
    tokens,
    scripts,
    runsScripts,
    // In minutes; started seconds count.
    onRunEnded: (profile, tookMs) => usage.count(profile, "analysis", Math.max(1, Math.ceil(tookMs / 1_000)) / 60),
    secrets: (analysis) => readableSecrets(policy, collection("secret"), analysis),
    collection: collection("analysis"),
  });
}

/** Every message is counted as used, and shown in the console when it arrives. */
function outboxOf({ storage: { db }, clock, ids }: AppParts, hub: StreamHub, usage: Usage): Outbox {
  const countMessage = countSent(usage);
  return new Outbox(db, clock, ids, (message) => {
    countMessage(message);
    tellConsole(hub, { type: "outbox", kind: message.kind });
  });
}

type ServerParts = Pick<App, "db" | "tokens" | "policy" | "caller" | "limits" | "usage">;

const serverOf = (parts: AppParts, { usage, ...app }: ServerParts): HttpServer =>
  new HttpServer({ ...parts, ...app, served: countServed(usage), strict: parts.strict ?? { isOn: false } });

/** Connects the stores and the server; routes are bound afterwards. */
export function createApp(parts: AppParts): App {
  const { clock, ids, kinds } = parts;
  const { db } = parts.storage;
  const tokens = new Tokens(db, clock, ids);
  const policy = new Policy(db, tokens, parts.access);
  const hub = new StreamHub(db, clock);
  const scripts = new ScriptStore(db);
  const usage = new Usage(db, clock);
  const outbox = outboxOf(parts, hub, usage);
  const limits = new PlanLimits(db, clock, kinds, parts.limits ?? { perMinute: false });
  const signals = new Signals(parts.log);
  const caller = new Caller();
  const visible: Visible = (kind, profile) => policy.visible(kind, profile);
  const collection = createCollections(parts, db, visible, { signals, caller });
  const server = serverOf(parts, { db, tokens, policy, caller, limits, usage });

  function on<const Path extends string, Body>(
    route: Route<Path>,
    options: RouteOptions<Body>,
    handler: Handler<Path, Body>,
  ): void {
    // The types of `App.on` connect path, body and handler; past them one type is enough for all.
    server.on(route, options as RouteOptions, handler as Handler);
  }

  const app: App = {
    db,
    clock,
    ids,
    hub,
    outbox,
    signals,
    entityRows: new EntityRows(db, clock, ids),
    files: new FileStore({ db, clock, signals, blobs: parts.storage.blobs }),
    data: new DataStore(db, clock),
    decoders: new DecoderRunner(),
    sql: new SqlRunner(),
    jobs: new Jobs(parts.log),
    log: parts.log,
    tokens,
    params: new ParamStore(db, ids),
    accounts: new Accounts(db, clock, ids, outbox),
    address: { origin: "", port: 0 },
    scripts,
    analyses: analysesOf(parts, { db, hub, tokens, scripts, usage, policy, collection }),
    collection,
    kinds,
    faults: parts.faults,
    caller,
    server,
    limits,
    policy,
    audit: new Audit(db, clock, ids),
    runUsers: new RunUsers({ db, clock, outbox, records: collection("run_user") }),
    usage,
    on,
  };
  return parts.tip === undefined ? app : { ...app, tip: new Tip(app, parts.tip, parts.requestLog) };
}
