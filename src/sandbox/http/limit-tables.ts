import { type PerPlan, perPlan } from "../core/plans.ts";

/** Requests per clock minute and profile (SERVER.md section 12). */
export interface RateLimit {
  readonly name: string;
  /** Method and path with `:` for every part, as `routeKey` writes them. */
  readonly route: RegExp;
  /** Only requests with this query. */
  readonly query?: string;
  readonly perMinute: PerPlan;
}

/** The first one that fits a request counts it. */
export const RATE_LIMITS: readonly RateLimit[] = [
  { name: "device writes", route: /^(POST \/device|DELETE \/device\/:)$/, perMinute: perPlan(10, 250, 5_000) },
  { name: "device list", route: /^GET \/device$/, perMinute: perPlan(50, 100, 500) },
  { name: "chunk reads", route: /^GET \/device\/:\/chunk$/, perMinute: perPlan(100, 1_000, 15_000) },
  {
    name: "data aggregates",
    route: /^GET (\/data|\/device\/:\/data)$/,
    query: "aggregate",
    perMinute: perPlan(5, 10, 100),
  },
  { name: "data reads", route: /^GET (\/data|\/device\/:\/data)$/, perMinute: perPlan(250, 5_000, 15_000) },
  { name: "data writes", route: /^POST (\/data|\/device\/:\/data)$/, perMinute: perPlan(250, 5_000, 15_000) },
  { name: "data edits", route: /^(PUT|DELETE) (\/data|\/device\/:\/data)$/, perMinute: perPlan(60, 250, 1_000) },
  {
    name: "device reads",
    route: /^GET \/device\/(:|:\/params|:\/data_amount|token\/:|:\/token|:\/tokens)$/,
    perMinute: perPlan(100, 1_000, 5_000),
  },
  { name: "device changes", route: /^(POST|PUT|DELETE) \/device\//, perMinute: perPlan(50, 250, 2_000) },
  { name: "account", route: /^(GET|PUT) \/account$/, perMinute: perPlan(50, 100, 500) },
  { name: "widget sources", route: /^POST \/dashboard\/:\/widget\/:\/upload$/, perMinute: perPlan(1, 10, 30) },
  {
    name: "analysis, action, dashboard, notification and run user writes",
    route: /^(POST|PUT|DELETE) \/(analysis|action|dashboard|notification|run\/users)(\/|$)/,
    perMinute: perPlan(60, 100, 1_000),
  },
  { name: "analysis list", route: /^GET \/analysis$/, perMinute: perPlan(60, 1_000, 2_000) },
  { name: "backup creation", route: /^POST \/profile\/:\/backup$/, perMinute: perPlan(5, 5, 5) },
  { name: "backup list", route: /^GET \/profile\/:\/backup$/, perMinute: perPlan(50, 50, 100) },
  {
    name: "backup downloads and deletions",
    route: /^(POST \/profile\/:\/backup\/:\/download|DELETE \/profile\/:\/backup\/:)$/,
    perMinute: perPlan(10, 10, 20),
  },
  { name: "network creation", route: /^POST \/integration\/network$/, perMinute: perPlan(60, 100, 500) },
  {
    name: "file, profile, access, authorization and dictionary writes",
    route: /^(POST|PUT|DELETE) \/(files|profile|am|serviceauth|dictionary)(\/|$)/,
    perMinute: perPlan(60, 100, 200),
  },
  { name: "info", route: /^GET \/info$/, perMinute: perPlan(60, 5_000, 10_000) },
  { name: "tag keys", route: /^GET \/tags\/keys\/:$/, perMinute: perPlan(60, 100, 1_000) },
  { name: "templates and tcores", route: / \/(template|tcore)(\/|$)/, perMinute: perPlan(60, 100, 100) },
];

/** Kinds by the route that creates one. */
export const CREATES: readonly { readonly kind: string; readonly route: RegExp }[] = [
  { kind: "action", route: /^POST \/action$/ },
  { kind: "analysis", route: /^POST \/analysis$/ },
  { kind: "dashboard", route: /^POST \/dashboard(\/:\/duplicate)?$/ },
  { kind: "entity", route: /^POST \/entity$/ },
  { kind: "device", route: /^POST \/device$/ },
  { kind: "connector", route: /^POST \/integration\/connector$/ },
  { kind: "network", route: /^POST \/integration\/network$/ },
  { kind: "dictionary", route: /^POST \/dictionary$/ },
];
