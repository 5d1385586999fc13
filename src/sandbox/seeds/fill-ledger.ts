import { createRandom } from "../../lib/core/random.ts";
import type { Section } from "../../schema/seed/records.ts";
import type { CountedService } from "../accounts/usage.ts";
import { writeSetting } from "../store/settings.ts";
import { type Filling, fillEach, ownerOf } from "./filling.ts";

type Ledger = Section<"ledger">;

const DAY_MS = 86_400_000;

/** Payments, changes and usage of the account. Created when the devices have their data. */
export function fillLedger(filling: Filling): void {
  const { app, profile } = filling;
  fillEach(filling, "ledger", (ledger) => {
    fillPayments(filling, ledger);
    const owner = ownerOf(filling);
    for (const { resource, id, message, who = owner, at } of ledger.changes) {
      const atMs = app.clock.now() + at;
      app.audit.add({ profile, resourceName: resource, resourceID: id, message, who, atMs });
    }
    fillUsage(filling, ledger.usage);
  });
}

/** Payments, one on the first of each of the last months. */
function fillPayments(filling: Filling, { card, address, payments }: Ledger): void {
  const { clock, db } = filling.app;
  const account = ownerOf(filling);
  const { months, total, currency, prefix } = payments;
  writeSetting(db, "account", account, "payment_method", { card });
  writeSetting(db, "account", account, "billing", { ...address, updated_at: filling.layer.created });
  const now = new Date(clock.now());
  for (let back = 0; back < months; back += 1) {
    const paidAt = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1, 6);
    if (paidAt > clock.now()) continue;
    const number = String(months - back).padStart(4, "0");
    const stripeId = `ch_${prefix.toLowerCase()}_${number}`;
    const payment = {
      stripe_id: stripeId,
      invoice_number: `${prefix}-${number}`,
      total,
      currency,
      receipt_url: `https://example.test/receipts/${prefix}-${number}`,
      paid: true,
      status: "succeeded",
      card: { brand: card["brand"], last4: card["last4"] },
      created_at: new Date(paidAt).toISOString(),
    };
    const statement = "INSERT INTO payment (stripe_id, account, created_at, doc) VALUES (?, ?, ?, ?)";
    db.run(statement, stripeId, account, paidAt, JSON.stringify(payment));
  }
}

/** Usage of the services up to yesterday. */
function fillUsage({ app, profile, seed }: Filling, usage: Ledger["usage"]): void {
  const random = createRandom(seed, "usage");
  const devices = app.collection("device").all(profile);
  const records = devices.reduce((sum, { id }) => sum + app.data.amount(id), 0);
  const today = Math.floor(app.clock.now() / DAY_MS) * DAY_MS;
  for (let back = usage.days; back >= 1; back -= 1) {
    const noon = today - back * DAY_MS + DAY_MS / 2;
    const weekday = new Date(noon).getUTCDay();
    const share = weekday === 0 || weekday === 6 ? 0.5 : 1;
    for (const [service, amount] of Object.entries(usage.daily) as [CountedService, number][]) {
      app.usage.addHistory(profile, service, Math.round(amount * share * (0.8 + 0.4 * random())), noon);
    }
    app.usage.level(profile, "data_records", Math.max(0, records - back * usage.data_records.per_day), noon);
    const users = usage.run_users.find(({ older_than = -1 }) => back > older_than);
    app.usage.level(profile, "run_users", users?.amount ?? 0, noon);
    const { now, per_day } = usage.file_storage;
    app.usage.level(profile, "file_storage", Math.round((now - back * per_day) * 100) / 100, noon);
  }
}
