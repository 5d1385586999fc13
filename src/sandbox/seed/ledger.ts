import { storeBackup } from "../accounts/backups.ts";
import { writeSetting } from "../accounts/settings.ts";
import type { CountedService } from "../accounts/usage.ts";
import type { FullApp } from "../app.ts";
import { SEED_ACCOUNTS, SEED_PROFILES } from "./accounts.ts";
import { SEED_ANALYSIS, SEED_DASHBOARDS, SEED_DEVICES } from "./names.ts";
import { SEED_ACCESS_RULES, SEED_RUN_USERS } from "./portal.ts";
import { createRandom } from "../seeds/random.ts";

const profile = SEED_PROFILES.demoPlant;
const account = SEED_ACCOUNTS.demo.id;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Payments, one on the first of each of these months. */
const MONTHS = 14;
const PRICE = 199;

function seedPayments({ clock, db }: FullApp): void {
  const card = { name: "Dana Demo", brand: "Visa", last4: "4242", funding: "credit", exp_month: 12, exp_year: 2031 };
  writeSetting(db, "account", account, "payment_method", { card });
  writeSetting(db, "account", account, "billing", {
    company: "Demo Plant Ltd",
    country: "PT",
    state: "Porto",
    city: "Porto",
    street: "Rua do Exemplo 1",
    zip_code: "4000-001",
    comments: null,
    updated_at: "2024-01-12T09:01:52.000Z",
  });
  const now = new Date(clock.now());
  for (let back = 0; back < MONTHS; back += 1) {
    const paidAt = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1, 6);
    if (paidAt > clock.now()) continue;
    const number = String(MONTHS - back).padStart(4, "0");
    const payment = {
      stripe_id: `ch_demo_${number}`,
      invoice_number: `DEMO-${number}`,
      total: PRICE,
      currency: "usd",
      receipt_url: `https://example.test/receipts/DEMO-${number}`,
      paid: true,
      status: "succeeded",
      card: { brand: card.brand, last4: card.last4 },
      created_at: new Date(paidAt).toISOString(),
    };
    const text = JSON.stringify(payment);
    db.run(
      "INSERT INTO payment (stripe_id, account, created_at, doc) VALUES (?, ?, ?, ?)",
      payment.stripe_id,
      account,
      paidAt,
      text,
    );
  }
}

/** Changes of the last days: resource, id, message, hours ago. */
const CHANGES: readonly (readonly [name: string, id: string, message: string, hoursAgo: number])[] = [
  ["profile", profile, `${SEED_ACCOUNTS.demo.email} logged in`, 1],
  ["device", SEED_DEVICES.freezer, "Device Freezer 1 was updated", 3],
  ["dashboard", SEED_DASHBOARDS.current, "Dashboard Plant overview was updated", 4],
  ["runuser", SEED_RUN_USERS.operator.id, `${SEED_RUN_USERS.operator.email} logged in`, 7],
  ["analysis", SEED_ANALYSIS, "Analysis alert was updated", 26],
  ["am", SEED_ACCESS_RULES.managers, "Access rule Managers: everything in the plant was updated", 29],
  ["device", SEED_DEVICES.truck, "Device Truck 7 was updated", 50],
  ["run", profile, "Portal Demo Plant portal was updated", 75],
  ["profile", profile, `${SEED_ACCOUNTS.demo.email} logged in`, 76],
  ["dashboard", SEED_DASHBOARDS.blueprint, "Dashboard Silo, any of them was created", 100],
  ["device", SEED_DEVICES.soil, "Device Soil probe was created", 140],
  ["runuser", SEED_RUN_USERS.driver.id, "Portal user Dirk Driver was created", 300],
  ["profile", profile, "Profile Demo Plant was updated", 600],
];

function seedAudit({ audit, clock }: FullApp): void {
  for (const [resourceName, resourceID, message, hoursAgo] of CHANGES) {
    const who = message.includes(SEED_RUN_USERS.operator.email) ? SEED_RUN_USERS.operator.id : account;
    audit.add({ profile, resourceName, resourceID, message, who, atMs: clock.now() - hoursAgo * HOUR_MS });
  }
}

/** What a usual day uses; weekends have half of it. */
const DAILY: readonly (readonly [service: CountedService, amount: number])[] = [
  ["input", 2_400],
  ["output", 5_100],
  ["analysis", 14],
  ["email", 9],
  ["sms", 2],
  ["push_notification", 11],
  ["dashboard_output", 8_000],
];

const STATISTIC_DAYS = 92;
const RECORDS_PER_DAY = 260;

/** Use of the services over three months, up to the day before now. */
function seedUsage({ clock, usage }: FullApp, seed: number, records: number): void {
  const random = createRandom(seed, "usage");
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  for (let back = STATISTIC_DAYS; back >= 1; back -= 1) {
    const noon = today - back * DAY_MS + DAY_MS / 2;
    const weekday = new Date(noon).getUTCDay();
    const share = weekday === 0 || weekday === 6 ? 0.5 : 1;
    for (const [service, amount] of DAILY) {
      usage.addHistory(profile, service, Math.round(amount * share * (0.8 + 0.4 * random())), noon);
    }
    usage.level(profile, "data_records", Math.max(0, records - back * RECORDS_PER_DAY), noon);
    usage.level(profile, "run_users", back > 60 ? 2 : 5, noon);
    usage.level(profile, "file_storage", Math.round((12 - back * 0.1) * 100) / 100, noon);
  }
}

const BACKUP_ID = "65a10000000000000000bac1";

/** A backup of yesterday. To be made when everything else is there. */
export function seedBackup(app: FullApp): void {
  const created_at = new Date(app.clock.now() - DAY_MS).toISOString();
  storeBackup(app, { id: BACKUP_ID, profile, status: "completed", created_at });
}

/** What the account paid, what changed, and what was used. `records` is what the devices hold. */
export function seedLedger(app: FullApp, seed: number): void {
  const devices = app.collection("device").all(profile);
  const records = devices.reduce((sum, { id }) => sum + app.data.amount(id), 0);
  seedPayments(app);
  seedAudit(app);
  seedUsage(app, seed, records);
}
