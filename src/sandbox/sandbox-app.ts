import type { Route } from "../lib/api/route.ts";
import type { Analyses } from "./analyses/types.ts";
import type { Jobs } from "./core/jobs.ts";
import type { FileStore } from "./files/store.ts";
import type { DecoderRunner } from "./parsers/runner.ts";
import type { Signals } from "./signals.ts";
import type {
  AccountStore,
  Clock,
  Collection,
  CollectionName,
  DeviceDataStore,
  Handler,
  HandlerOptions,
  Hub,
  IdSource,
  Outbox,
  ParamStore,
  SandboxDatabase,
  TokenStore,
} from "./types.ts";

/** Everything a handler may use. `Data` is the `DataStore` of src/sandbox/data/store.ts. */
export interface SandboxApp<Data extends DeviceDataStore = DeviceDataStore> {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly hub: Hub;
  readonly outbox: Outbox;
  readonly signals: Signals;
  readonly analyses: Analyses;
  readonly data: Data;
  readonly decoders: DecoderRunner;
  readonly jobs: Jobs;
  /** Tells the one who runs the sandbox. */
  readonly log: (message: string) => void;
  readonly tokens: TokenStore;
  readonly params: ParamStore;
  readonly accounts: AccountStore;
  readonly files: FileStore;
  collection(name: CollectionName): Collection;
  /** Binds a handler to a route of the client's tables; a second one for the same method and path is refused. */
  handle<const Path extends string, Body = unknown>(
    route: Route<Path>,
    options: HandlerOptions<Body>,
    handler: Handler<Path, Body>,
  ): void;
  handle<const Path extends string>(route: Route<Path>, handler: Handler<Path>): void;
}
