import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Audit } from "../../src/sandbox/accounts/audit.ts";
import { manualClock } from "../../src/sandbox/core/clock.ts";
import { IdSource } from "../../src/sandbox/core/ids.ts";
import { migrations } from "../../src/sandbox/migrations.ts";
import { openEphemeral, type Storage } from "../../src/sandbox/store/open.ts";
import { Outbox } from "../../src/sandbox/store/outbox.ts";

const clock = manualClock(Date.parse("2026-05-14T10:00:00Z"));
const ids = new IdSource(clock, 1);
let storage: Storage;

beforeAll(() => {
  storage = openEphemeral(migrations, clock.now());
});
afterAll(() => storage.close());

const rowsOf = (table: string): unknown => storage.db.get(`SELECT count(*) AS n FROM ${table}`)?.["n"];

describe("the outbox", () => {
  it("lists the messages that have every member asked for, oldest first", () => {
    const outbox = new Outbox(storage.db, clock, ids);
    outbox.clear();
    outbox.add("email", { to: "jo@example.test", profile: "p1", action: "a1", text: "first" });
    clock.advance(60_000);
    outbox.add("sms", { to: "+100", profile: "p1", analysis: "s1", text: "second" });
    outbox.add("email", { to: 5, profile: "p2", text: "third" });
    const texts = (filter: Parameters<typeof outbox.list>[0]) => outbox.list(filter).map(({ text }) => text);
    expect(texts({})).toEqual(["first", "second", "third"]);
    expect(texts({ kind: "email" })).toEqual(["first", "third"]);
    expect(texts({ kind: "email", profile: "p1" })).toEqual(["first"]);
    expect(texts({ action: "a1" })).toEqual(["first"]);
    expect(texts({ analysis: "s1", to: "+100" })).toEqual(["second"]);
    expect(texts({ since: new Date(clock.now()).toISOString() })).toEqual(["second", "third"]);
    expect(texts({ to: "5" })).toEqual([]);
    expect(texts({ to: "' OR 1=1 --" })).toEqual([]);
  });

  it("keeps about the last 10,000 messages", () => {
    const outbox = new Outbox(storage.db, clock, ids);
    storage.db.transaction(() => {
      for (let i = 0; i < 10_250; i += 1) outbox.add("email", { number: i });
    });
    const kept = outbox.list();
    expect(kept.length).toBeGreaterThanOrEqual(10_000);
    expect(kept.length).toBeLessThan(10_100);
    expect(kept.at(-1)?.["number"]).toBe(10_249);
  });
});

describe("the log of changes", () => {
  it("keeps about the last 20,000 events of a profile although nobody searches it", { tags: ["slow"] }, () => {
    const audit = new Audit(storage.db, clock, ids);
    const event = { resourceName: "device", resourceID: "d", message: "Device was updated", who: "Jo" };
    storage.db.transaction(() => {
      for (let i = 0; i < 20_250; i += 1) audit.add({ ...event, profile: "p1", atMs: clock.now() + i });
      audit.add({ ...event, profile: "p2" });
    });
    const kept = Number(rowsOf("audit_event"));
    expect(kept).toBeGreaterThanOrEqual(20_001);
    expect(kept).toBeLessThan(20_101);
    const times = { startMs: 0, endMs: clock.now() + 1e9, limit: 1 };
    const [newest] = audit.search("p1", times).events;
    expect(newest?.date).toBe(new Date(clock.now() + 20_249).toISOString());
    expect(audit.search("p2", times).events).toHaveLength(1);
  });
});
