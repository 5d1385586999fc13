import { PlatformError } from "../core/platform-error.ts";
import type { SandboxDatabase } from "../store/types.ts";

/** Most payments in one response. */
const MAX_PAYMENTS = 100;

/** Payments of an account, newest first; with `lastId` those after it. */
export function paymentsOf(
  db: SandboxDatabase,
  account: string,
  { amount, lastId }: { readonly amount: number; readonly lastId: string | undefined },
): unknown[] {
  const last = db.get<{ created_at: number }>(
    "SELECT created_at FROM payment WHERE stripe_id = ? AND account = ?",
    lastId ?? "",
    account,
  );
  if (lastId !== undefined && last === undefined) throw new PlatformError(404, "Payment Not Found");
  const rows = db.all<{ doc: string }>(
    "SELECT doc FROM payment WHERE account = ? AND created_at < ? ORDER BY created_at DESC LIMIT ?",
    account,
    last?.created_at ?? Number.MAX_SAFE_INTEGER,
    Math.max(1, Math.min(MAX_PAYMENTS, amount)),
  );
  return rows.map(({ doc }): unknown => JSON.parse(doc));
}
