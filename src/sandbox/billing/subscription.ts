import type { BillingEditSubscription } from "../../lib/resources/billing.ts";
import type { App } from "../app.ts";
import { PLANS } from "../core/plans.ts";
import { readSetting, writeSetting } from "../store/settings.ts";
import { DEFAULT_ALLOCATION } from "./allocation.ts";

type SubscriptionChange = Pick<BillingEditSubscription, "plan" | "services" | "addons">;

/** A change with the time from which it applies. */
interface Waiting {
  readonly change: SubscriptionChange;
  readonly appliesAt: number;
}

/** What an account has bought. The plan is stored with the account, everything else as a setting. */
interface Subscription {
  readonly plan: string;
  readonly services: Readonly<Record<string, { readonly limit: number }>>;
  readonly addons: Readonly<Record<string, readonly string[]>>;
  readonly pending?: Waiting | undefined;
  /** A downgrade. */
  readonly schedule?: Waiting | undefined;
}

type Parts = Pick<App, "accounts" | "clock" | "db">;

const SETTING = "subscription";
const PAYMENT_MS = 2_000;

const NOTHING_BOUGHT = {
  services: Object.fromEntries(Object.entries(DEFAULT_ALLOCATION).map(([name, limit]) => [name, { limit }])),
  addons: { mobile: [], custom_dns: [] },
} as const;

export const isoText = (timeMs: number): string => new Date(timeMs).toISOString();

/** The calendar month. */
export function cycleAt(nowMs: number): { readonly startMs: number; readonly endMs: number } {
  const date = new Date(nowMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) };
}

const ORDER: readonly string[] = PLANS;

const rank = (plan: string): number => ORDER.indexOf(plan);

function isSmaller({ plan, services }: Subscription, change: SubscriptionChange): boolean {
  if (rank(change.plan ?? plan) < rank(plan)) return true;
  const limits = Object.entries(change.services ?? {});
  return limits.some(([name, { limit }]) => limit < (services[name]?.limit ?? 0));
}

/** Stores some properties of a subscription; those that are undefined are removed. */
function save({ accounts, db }: Parts, account: string, { plan, ...others }: Partial<Subscription>): void {
  writeSetting(db, "account", account, SETTING, { ...readSetting(db, "account", account, SETTING), ...others });
  if (plan !== undefined) accounts.edit(account, { plan });
}

function stored({ accounts, db }: Parts, account: string): Subscription {
  // Only this file writes the setting.
  const setting = readSetting(db, "account", account, SETTING) as Partial<Subscription> | undefined;
  return { ...NOTHING_BOUGHT, ...setting, plan: accounts.get(account)?.plan ?? "free" };
}

function apply(parts: Parts, account: string, name: "pending" | "schedule"): void {
  const { services, addons, [name]: waiting } = stored(parts, account);
  if (waiting === undefined) return;
  const { plan, ...bought } = waiting.change;
  save(parts, account, {
    ...(plan !== undefined && { plan }),
    services: { ...services, ...bought.services },
    addons: { ...addons, ...bought.addons },
    [name]: undefined,
  });
}

/** What an account has bought, with the changes whose time has come. */
export function subscriptionOf(parts: Parts, account: string): Subscription {
  for (const name of ["pending", "schedule"] as const) {
    const waiting = stored(parts, account)[name];
    if (waiting !== undefined && waiting.appliesAt <= parts.clock.now()) apply(parts, account, name);
  }
  return stored(parts, account);
}

/** A downgrade waits for the end of the month, everything else for its payment. */
export function changeSubscription(parts: Parts, account: string, change: SubscriptionChange): void {
  const nowMs = parts.clock.now();
  const waiting = isSmaller(subscriptionOf(parts, account), change)
    ? { schedule: { change, appliesAt: cycleAt(nowMs).endMs } }
    : { pending: { change, appliesAt: nowMs + PAYMENT_MS } };
  save(parts, account, waiting);
}

/** Applies the change that waits for its payment. */
export function applyPending(parts: Parts, account: string): void {
  apply(parts, account, "pending");
}

/** Forgets a change that waits. */
export function cancelChange(parts: Parts, account: string, name: "pending" | "schedule"): void {
  save(parts, account, { [name]: undefined });
}
