import { isRecord } from "../../lib/core/json.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import { readSetting, type SettingDocument, writeSetting } from "../store/settings.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { DEMO_COUPON, PLANS, planPrice, planServices } from "./prices.ts";

/** A change to what is bought: one of the three. */
interface SubscriptionChange {
  readonly plan?: string;
  readonly services?: Readonly<Record<string, { readonly limit: number } | undefined>>;
  readonly addons?: Readonly<Record<string, readonly string[] | undefined>>;
}

interface Waiting {
  readonly change: SubscriptionChange;
  readonly appliesAt: number;
}

/** What an account has bought, as stored. */
interface Bought {
  readonly plan: string;
  readonly services: Readonly<Record<string, { readonly limit: number }>>;
  readonly addons: Readonly<Record<string, readonly string[]>>;
  /** Is being paid for. */
  readonly pending?: Waiting | undefined;
  /** Waits for the end of the cycle. */
  readonly schedule?: Waiting | undefined;
}

export interface Subscriptions {
  show(account: string): SettingDocument;
  schedule(account: string): SettingDocument;
  summary(account: string): SettingDocument;
  /** What is smaller waits for the end of the cycle; what is larger is paid for and there in a moment. */
  change(account: string, change: SubscriptionChange, coupon?: string): void;
  cancelSchedule(account: string): void;
  /** Carries out at once what is being paid for. */
  retry(account: string): void;
  cancel(account: string): void;
  /** Start and end of the month that is paid for. */
  cycle(): { readonly startMs: number; readonly endMs: number };
}

export interface SubscriptionParts {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly planOf: (account: string) => string;
  readonly setPlan: (account: string, plan: string) => void;
}

const NAME = "subscription";
/** Time a payment takes. */
const PAYMENT_MS = 2_000;

const ORDER: readonly string[] = PLANS;

const rank = (plan: string): number => ORDER.indexOf(plan);

const iso = (timeMs: number): string => new Date(timeMs).toISOString();

function applied(bought: Bought, change: SubscriptionChange): Bought {
  const services = Object.entries(change.services ?? {}).flatMap(([name, value]) =>
    value ? [[name, value] as const] : [],
  );
  const addons = Object.entries(change.addons ?? {}).flatMap(([name, value]) =>
    value ? [[name, value] as const] : [],
  );
  const planned = change.plan === undefined ? {} : { plan: change.plan, services: planServices(change.plan) };
  return {
    ...bought,
    ...planned,
    ...(change.services !== undefined && { services: { ...bought.services, ...Object.fromEntries(services) } }),
    ...(change.addons !== undefined && { addons: { ...bought.addons, ...Object.fromEntries(addons) } }),
  };
}

/** True when some part becomes smaller. */
function isSmaller(bought: Bought, { plan, services }: SubscriptionChange): boolean {
  if (plan !== undefined && rank(plan) < rank(bought.plan)) return true;
  return Object.entries(services ?? {}).some(
    ([name, value]) => (value?.limit ?? 0) < (bought.services[name]?.limit ?? 0),
  );
}

export function createSubscriptions({ db, clock, planOf, setPlan }: SubscriptionParts): Subscriptions {
  const cycle = (): { startMs: number; endMs: number } => {
    const date = new Date(clock.now());
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) };
  };

  const save = (account: string, bought: Bought): Bought => {
    writeSetting(db, "account", account, NAME, { ...bought });
    if (planOf(account) !== bought.plan) setPlan(account, bought.plan);
    return bought;
  };

  /** What is bought now: what was due since the last look has happened. */
  const current = (account: string): Bought => {
    const plan = planOf(account);
    const fresh: Bought = { plan, services: planServices(plan), addons: { mobile: [], custom_dns: [] } };
    // Only this file writes the setting.
    let bought = { ...fresh, ...(readSetting(db, "account", account, NAME) as Partial<Bought> | undefined) };
    for (const name of ["pending", "schedule"] as const) {
      const waiting = bought[name];
      if (waiting === undefined || waiting.appliesAt > clock.now()) continue;
      bought = save(account, { ...applied(bought, waiting.change), [name]: undefined });
    }
    return bought;
  };

  const proportional = (bought: Bought, change: SubscriptionChange): SettingDocument => {
    if (change.services === undefined) return { ...change };
    const services = Object.entries(change.services).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, { limit: value.limit, proportional_change: value.limit - (bought.services[name]?.limit ?? 0) }]],
    );
    return { ...change, services: Object.fromEntries(services) };
  };

  return {
    cycle,
    show: (account) => {
      const { plan, services, addons, pending } = current(account);
      const { startMs, endMs } = cycle();
      return {
        account,
        plan,
        services,
        addons,
        current_cycle: { start: iso(startMs), end: iso(endMs) },
        processing: pending !== undefined,
        payment_error: null,
        upcoming_invoice_total: planPrice(plan),
        trial_end: null,
      };
    },
    schedule: (account) => {
      const bought = current(account);
      const { schedule } = bought;
      if (schedule === undefined) return { account, release_at: null };
      return { account, release_at: iso(schedule.appliesAt), subscription: proportional(bought, schedule.change) };
    },
    summary: (account) => {
      const { pending, schedule } = current(account);
      return {
        processing: pending !== undefined,
        payment_error: null,
        past_due: false,
        not_enough_balance: false,
        schedule: schedule !== undefined,
      };
    },
    change: (account, change, coupon) => {
      if (coupon !== undefined && coupon !== DEMO_COUPON.code) throw new PlatformError(404, "Coupon Not Found");
      const bought = current(account);
      const waiting = isSmaller(bought, change)
        ? { schedule: { change, appliesAt: cycle().endMs } }
        : { pending: { change, appliesAt: clock.now() + PAYMENT_MS } };
      save(account, { ...bought, ...waiting });
    },
    cancelSchedule: (account) => {
      save(account, { ...current(account), schedule: undefined });
    },
    retry: (account) => {
      const bought = current(account);
      if (bought.pending === undefined) return;
      save(account, { ...applied(bought, bought.pending.change), pending: undefined });
    },
    cancel: (account) => {
      save(account, { ...current(account), pending: undefined });
    },
  };
}

/** A member of a document that is an object; empty otherwise. */
export const objectMember = (document: SettingDocument | undefined, name: string): SettingDocument | null => {
  const value = document?.[name];
  return isRecord(value) ? value : null;
};
