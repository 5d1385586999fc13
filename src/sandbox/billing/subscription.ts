import type { BillingEditSubscription } from "../../lib/resources/billing.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Clock } from "../core/clock.ts";
import { PLANS } from "../core/plans.ts";
import { readSetting, writeSetting } from "../store/settings.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { DEFAULT_ALLOCATION } from "./allocation.ts";

type SubscriptionChange = Pick<BillingEditSubscription, "plan" | "services" | "addons">;

/** Purchases of an account. The plan is stored with the account, everything else as a setting. */
interface Subscription {
  readonly plan: string;
  readonly services: Readonly<Record<string, { readonly limit: number }>>;
  readonly addons: Readonly<Record<string, readonly string[]>>;
  /** A downgrade, which stays scheduled until it is canceled. */
  readonly schedule?: { readonly change: SubscriptionChange; readonly releaseAt: string } | undefined;
}

interface Parts {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly db: SandboxDatabase;
}

const SETTING = "subscription";

const NOTHING_BOUGHT = {
  services: Object.fromEntries(Object.entries(DEFAULT_ALLOCATION).map(([name, limit]) => [name, { limit }])),
  addons: { mobile: [], custom_dns: [] },
} as const;

export const isoText = (timeMs: number): string => new Date(timeMs).toISOString();

/** The calendar month. */
export function cycleAt(nowMs: number): { readonly start: string; readonly end: string } {
  const date = new Date(nowMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: isoText(Date.UTC(year, month, 1)), end: isoText(Date.UTC(year, month + 1, 1)) };
}

const ORDER: readonly string[] = PLANS;

const rank = (plan: string): number => ORDER.indexOf(plan);

function isSmaller({ plan, services }: Subscription, change: SubscriptionChange): boolean {
  if (rank(change.plan ?? plan) < rank(plan)) return true;
  return Object.entries(change.services ?? {}).some(([name, { limit }]) => limit < (services[name]?.limit ?? 0));
}

export function subscriptionOf({ accounts, db }: Parts, account: string): Subscription {
  // Only this file writes the setting.
  const setting = readSetting(db, "account", account, SETTING) as Partial<Subscription> | undefined;
  return { ...NOTHING_BOUGHT, ...setting, plan: accounts.get(account)?.plan ?? "free" };
}

/** Stores a change. A downgrade is scheduled, everything else is purchased immediately. */
export function changeSubscription(parts: Parts, account: string, change: SubscriptionChange): void {
  const { accounts, clock, db } = parts;
  const { plan: _, ...bought } = subscriptionOf(parts, account);
  const isDowngrade = isSmaller(subscriptionOf(parts, account), change);
  const { plan, services, addons } = isDowngrade ? {} : change;
  if (plan !== undefined) accounts.edit(account, { plan });
  writeSetting(db, "account", account, SETTING, {
    services: { ...bought.services, ...services },
    addons: { ...bought.addons, ...addons },
    schedule: isDowngrade ? { change, releaseAt: cycleAt(clock.now()).end } : bought.schedule,
  });
}

export function cancelDowngrade(parts: Parts, account: string): void {
  const { plan: _, ...bought } = subscriptionOf(parts, account);
  writeSetting(parts.db, "account", account, SETTING, { ...bought, schedule: undefined });
}
