import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { App } from "../../src/sandbox/app.ts";
import { removeProfile } from "../../src/sandbox/profiles/remove-profile.ts";
import { SEED_DEVICES, SEED_PROFILES } from "../helpers/seed.ts";
import { seededApp } from "./seeds/seeded-app.ts";

/** Belong to no profile, or stay as what was sent or is cleared by itself. */
const OTHERS = ["setting", "migration", "outbox", "run_revision", "file_content", "file_blob"];

let app: App;
let close: () => Promise<void>;

beforeAll(() => {
  ({ app, close } = seededApp());
});
afterAll(() => close());

/** Rows of every table that hold the id of the profile, or of anything that was in it. */
function rowsNaming(ids: ReadonlySet<string>): Record<string, number> {
  const tables = app.db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    if (OTHERS.includes(name)) continue;
    const rows = app.db.all(`SELECT * FROM "${name}"`);
    const amount = rows.filter((row) =>
      Object.values(row).some((value) => typeof value === "string" && ids.has(value)),
    );
    if (amount.length > 0) found[name] = amount.length;
  }
  return found;
}

describe("removing the seeded profile", () => {
  it("leaves no row in any table that names it or anything that was in it", { tags: ["slow"] }, () => {
    const profile = SEED_PROFILES.demoPlant;
    const records = app.db.all<{ id: string }>("SELECT id FROM entity WHERE profile = ?", profile);
    const ids = new Set([profile, ...records.map(({ id }) => id)]);
    const before = rowsNaming(ids);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(["entity", "entity_tag", "token", "device_data", "audit_event", "usage", "run_user_item"]),
    );
    app.db.transaction(() => removeProfile(app, profile));
    expect(rowsNaming(ids)).toEqual({});
    expect(app.data.amount(SEED_DEVICES.freezer)).toBe(0);
    expect(app.accounts.profiles(app.accounts.byEmail("shared@example.test")?.id ?? "")).toEqual([]);
    expect(app.accounts.profile(SEED_PROFILES.empty)).toBeDefined();
  });
});
