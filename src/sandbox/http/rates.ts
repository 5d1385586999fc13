import { type PerPlan, type Plan, perPlan } from "../core/plans.ts";

/** Requests per clock minute and profile (SERVER.md section 12). Routes name the rate that counts them. */
export interface Rate {
  /** What is counted, as usage shows it. */
  readonly name: string;
  /** Counts only requests with this query. */
  readonly query?: string;
  /** Requests allowed by each plan. */
  readonly perMinute: PerPlan;
}

const rate = (name: string, ...plans: readonly [free: number, starter: number, scale: number]): Rate => ({
  name,
  perMinute: perPlan(...plans),
});

/** The limits of the platform. One may count the requests of several resources together. */
export const rates = {
  deviceWrites: rate("device writes", 10, 250, 5_000),
  deviceList: rate("device list", 50, 100, 500),
  chunkReads: rate("chunk reads", 100, 1_000, 15_000),
  dataAggregates: { ...rate("data aggregates", 5, 10, 100), query: "aggregate" },
  dataReads: rate("data reads", 250, 5_000, 15_000),
  dataWrites: rate("data writes", 250, 5_000, 15_000),
  dataEdits: rate("data edits", 60, 250, 1_000),
  deviceReads: rate("device reads", 100, 1_000, 5_000),
  deviceChanges: rate("device changes", 50, 250, 2_000),
  account: rate("account", 50, 100, 500),
  widgetSources: rate("widget sources", 1, 10, 30),
  resourceWrites: rate("analysis, action, dashboard, notification and run user writes", 60, 100, 1_000),
  analysisList: rate("analysis list", 60, 1_000, 2_000),
  backupCreation: rate("backup creation", 5, 5, 5),
  backupList: rate("backup list", 50, 50, 100),
  backupUse: rate("backup downloads and deletions", 10, 10, 20),
  networkCreation: rate("network creation", 60, 100, 500),
  profileWrites: rate("file, profile, access, authorization and dictionary writes", 60, 100, 200),
  info: rate("info", 60, 5_000, 10_000),
  tagKeys: rate("tag keys", 60, 100, 1_000),
  templates: rate("templates and tcores", 60, 100, 100),
} as const satisfies Readonly<Record<string, Rate>>;

/** Requests per minute that may send and read device data. */
export function dataRates(plan: Plan): Readonly<Record<"data_input" | "data_output", number>> {
  return { data_input: rates.dataWrites.perMinute[plan], data_output: rates.dataReads.perMinute[plan] };
}
