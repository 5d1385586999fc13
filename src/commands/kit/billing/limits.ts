import type { ProfileSummary } from "../../../index.ts";
import { expectObjects } from "../resource/reply.ts";
import { serviceUnits } from "./service-names.ts";

/** How much of a service is used. */
export interface LimitRow {
  readonly service: string;
  readonly used: number;
  readonly limit: number | null;
  readonly left: number | null;
  /** Part of the limit that is used, in percent. */
  readonly percent: number | null;
  readonly unit: string;
}

function limitRow(service: string, limit: number | undefined, used: number): LimitRow {
  const known = limit ?? null;
  return {
    service,
    used,
    limit: known,
    left: known === null ? null : Math.max(0, known - used),
    percent: known === null || known === 0 ? null : Math.round((used / known) * 1_000) / 10,
    unit: serviceUnits[service] ?? "",
  };
}

/** The services of a summary, each with its limit and use. */
export function limitsOf(summary: Pick<ProfileSummary, "limit" | "limit_used">): LimitRow[] {
  expectObjects(summary, ["limit", "limit_used"], "with the usage of the profile");
  const amounts = new Map<string, unknown>(Object.entries(summary.limit));
  const uses = new Map<string, unknown>(Object.entries(summary.limit_used));
  const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
  return [...amounts.keys()].map((service) =>
    limitRow(service, numberOf(amounts.get(service)), numberOf(uses.get(service)) ?? 0),
  );
}
