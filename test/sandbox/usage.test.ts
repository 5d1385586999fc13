import { describe, expect, it } from "vitest";
import { Usage } from "../../src/sandbox/accounts/usage.ts";
import { manualClock } from "../../src/sandbox/core/clock.ts";
import { migrations } from "../../src/sandbox/migrations.ts";
import { openEphemeral } from "../../src/sandbox/store/open.ts";
import { holdTimers } from "../helpers/held-timers.ts";

const NOW_MS = Date.parse("2026-05-14T10:37:21.500Z");
const PROFILE = "65a1000000000000000f0001";
/** How long counts wait in memory. */
const FLUSH_MS = 1_000;

function open() {
  const storage = openEphemeral(migrations, NOW_MS);
  return { storage, usage: new Usage(storage.db, manualClock(NOW_MS)) };
}

describe("the usage of a profile", () => {
  it("is stored after a second, and counts what is still in memory", () => {
    const timers = holdTimers(FLUSH_MS);
    const { storage, usage } = open();
    usage.count(PROFILE, "input", 2);
    timers.elapse();
    storage.db.flush();
    usage.count(PROFILE, "input");
    expect(timers.waiting).toBe(1);
    expect(usage.month(PROFILE)).toEqual({ input: 3 });
    expect(timers.waiting).toBe(0);
    storage.close();
  });

  it("is left alone by requests that end after the sandbox has closed", () => {
    const timers = holdTimers(FLUSH_MS);
    const { storage, usage } = open();
    // Its writes are committed when the database closes, and what it used is counted after that.
    storage.db.run("INSERT INTO usage (profile, hour, service, amount) VALUES (?, 0, 'sms', 1)", PROFILE);
    usage.count(PROFILE, "input");
    usage.close();
    storage.close();
    usage.count(PROFILE, "output");
    expect(timers.waiting).toBe(0);
  });
});
