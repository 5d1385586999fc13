/** A limit of the platform: requests of one kind per clock minute and profile. */
export interface Rate {
  /** What is counted, as usage shows it. */
  readonly name: string;
  /** Counts only requests with this query. */
  readonly query?: string;
  /** Requests allowed by each plan. */
  readonly perMinute: Readonly<Record<"free" | "starter" | "scale", number>>;
  /** Matches method and path: of the route, or with its parts filled in. */
  readonly requests: RegExp;
}

/** In a pattern, `*` is one part of a path, `**` the path itself and all below it, `WRITE` any method but GET. */
function rate(name: string, patterns: string, free: number, starter: number, scale: number): Rate {
  const source = patterns
    .replaceAll("WRITE", "(?:POST|PUT|DELETE)")
    .replaceAll("/**", "(?:/.*)?")
    .replaceAll(/(?<!\.)\*/g, "[^/]+")
    .replaceAll(" or ", "|");
  return { name, perMinute: { free, starter, scale }, requests: new RegExp(`^(?:${source})$`) };
}

/** The limits of the platform. A request counts for the first that matches it; those that match none are not limited. */
export const rates = {
  deviceWrites: rate("device writes", "POST /device or DELETE /device/*", 10, 250, 5_000),
  deviceList: rate("device list", "GET /device", 50, 100, 500),
  chunkReads: rate("chunk reads", "GET /device/*/chunk", 100, 1_000, 15_000),
  dataAggregates: { ...rate("data aggregates", "GET /data or GET /device/*/data", 5, 10, 100), query: "aggregate" },
  dataReads: rate("data reads", "GET /data or GET /device/*/data", 250, 5_000, 15_000),
  dataWrites: rate("data writes", "POST /data or POST /device/*/data", 250, 5_000, 15_000),
  dataEdits: rate("data edits", "(?:PUT|DELETE) /data or (?:PUT|DELETE) /device/*/data", 60, 250, 1_000),
  deviceReads: rate("device reads", "GET /device/**", 100, 1_000, 5_000),
  deviceChanges: rate("device changes", "WRITE /device/**", 50, 250, 2_000),
  account: rate("account", "(?:GET|PUT) /account", 50, 100, 500),
  widgetSources: rate("widget sources", "POST /dashboard/*/widget/*/upload", 1, 10, 30),
  resourceWrites: rate(
    "analysis, action, dashboard, notification and run user writes",
    "WRITE /(?:analysis|action|dashboard|notification|run/users)/**",
    60,
    100,
    1_000,
  ),
  analysisList: rate("analysis list", "GET /analysis", 60, 1_000, 2_000),
  backupCreation: rate("backup creation", "POST /profile/*/backup", 5, 5, 5),
  backupList: rate("backup list", "GET /profile/*/backup", 50, 50, 100),
  backupUse: rate("backup downloads and deletions", "WRITE /profile/*/backup/*/**", 10, 10, 20),
  networkCreation: rate("network creation", "POST /integration/network", 60, 100, 500),
  profileWrites: rate(
    "file, profile, access, authorization and dictionary writes",
    "WRITE /(?:files|profile|am|serviceauth|dictionary)/**",
    60,
    100,
    200,
  ),
  info: rate("info", "GET /info", 60, 5_000, 10_000),
  tagKeys: rate("tag keys", "GET /tags/keys/*", 60, 100, 1_000),
  templates: rate("templates and tcores", "[A-Z]+ /(?:template|tcore)/**", 60, 100, 100),
} as const satisfies Readonly<Record<string, Rate>>;

/** The limits a request may count for: of several, the first whose `query` fits. */
export function ratesOf(method: string, path: string): readonly Rate[] {
  const request = `${method} ${path.replace(/\/$/, "")}`;
  const found = Object.values(rates).filter(({ requests }) => requests.test(request));
  // Those after the first without a query are of wider patterns.
  return found.slice(0, found.findIndex((one) => !("query" in one)) + 1);
}
