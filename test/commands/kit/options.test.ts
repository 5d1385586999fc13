import { describe, expect, it } from "vitest";
import { globalFlagsOf } from "../../../src/commands/kit/command/shared-options.ts";
import { parseCount, parseDuration, parseInstant, parsePair } from "../../../src/commands/kit/command/values.ts";
import { CommandError } from "../../../src/commands/kit/failures/command-error.ts";
import { nearest } from "../../../src/commands/kit/failures/nearest.ts";

const noon = Date.UTC(2026, 0, 31, 12, 0, 0);

function failureOf(run: () => unknown): CommandError {
  try {
    run();
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("durations", () => {
  it.each([
    ["30s", 30_000],
    ["5m", 300_000],
    ["24h", 86_400_000],
    ["7d", 604_800_000],
    ["1h30m", 5_400_000],
    ["250ms", 250],
    ["1.5h", 5_400_000],
  ])("reads %s", (text, ms) => {
    expect(parseDuration(text, "--for")).toBe(ms);
  });

  it.each(["", "5", "h", "5 m", "-5m", "5y", "5m!", "1e3s", "99999999999999999999d"])(
    "refuses %j with exit 2",
    (text) => {
      const failure = failureOf(() => parseDuration(text, "--for"));
      expect(failure.exit).toBe(2);
      expect(failure.message).toContain("--for");
    },
  );
});

describe("instants", () => {
  it.each([
    ["now", noon],
    ["-24h", noon - 86_400_000],
    ["+1h", noon + 3_600_000],
    ["2026-01-31T08:00:00Z", Date.UTC(2026, 0, 31, 8)],
    ["2026-01-31T08:00:00.250+02:00", Date.UTC(2026, 0, 31, 6, 0, 0, 250)],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
  ])("reads %s", (text, ms) => {
    expect(parseInstant(text, "--from", noon).getTime()).toBe(ms);
  });

  it("takes today and a bare day as local midnight", () => {
    expect(parseInstant("today", "--from", noon).getHours()).toBe(0);
    expect(parseInstant("2026-03-04", "--from", noon).getHours()).toBe(0);
    expect(parseInstant("2026-03-04", "--from", noon).getDate()).toBe(4);
  });

  it.each(["", "soon", "2026-02-30", "2026-02-29T00:00:00Z", "31.01.2026", "-24", "-9999999999d", "12"])(
    "refuses %j",
    (text) => {
      expect(failureOf(() => parseInstant(text, "--from", noon)).exit).toBe(2);
    },
  );
});

describe("numbers and pairs", () => {
  it.each(["-1", "1.5", "abc", "", "1e3", "0x10", "99999999999999999"])("refuses the count %j", (text) => {
    expect(failureOf(() => parseCount(text, "--limit")).exit).toBe(2);
  });

  it("splits a pair at its first equals sign", () => {
    expect(parsePair("a=b=c", "--tag")).toEqual({ key: "a", value: "b=c" });
    expect(parsePair("a=", "--tag")).toEqual({ key: "a", value: "" });
    expect(parsePair("a", "--tag")).toEqual({ key: "a" });
    expect(failureOf(() => parsePair("=x", "--tag")).exit).toBe(2);
  });
});

describe("shared flags", () => {
  it("have their defaults", () => {
    expect(globalFlagsOf({})).toMatchObject({
      header: true,
      input: true,
      progress: true,
      color: "auto",
      all: false,
      filter: [],
      tag: [],
    });
  });

  it("split fields at commas and build lists from repeated flags", () => {
    const flags = globalFlagsOf({ fields: ["id, name", "tags"], tag: ["site=7", "room"], filter: ["a=b"] });
    expect(flags.fields).toEqual(["id", "name", "tags"]);
    expect(flags.tag).toEqual([{ key: "site", value: "7" }, { key: "room" }]);
  });

  it.each([
    [{ tz: "Mars/Olympus" }, "--tz"],
    [{ timeout: "never" }, "--timeout"],
    [{ retries: "-1" }, "--retries"],
    [{ timeout: "-5s" }, "--timeout"],
    [{ timeout: "Infinity" }, "--timeout"],
    [{ timeout: "100000000d" }, "--timeout"],
    [{ limit: "ten" }, "--limit"],
  ])("refuse %j", (values, flag) => {
    const failure = failureOf(() => globalFlagsOf(values));
    expect(failure.exit).toBe(2);
    expect(failure.message).toContain(flag);
  });

  it("take a bare number of seconds as a timeout", () => {
    expect(globalFlagsOf({ timeout: "5" }).timeoutMs).toBe(5_000);
  });

  it("limit a timeout to the longest timer: a longer one would end at once", () => {
    expect(globalFlagsOf({ timeout: "25d" }).timeoutMs).toBe(2 ** 31 - 1);
  });

  it("take 0 for no repetitions", () => {
    expect(globalFlagsOf({ retries: "0" }).retries).toBe(0);
  });
});

describe("the nearest word", () => {
  const words = ["list", "get", "create", "update", "delete", "--output", "--fields"];

  it.each([
    ["lsit", "list"],
    ["--ouput", "--output"],
    ["delte", "delete"],
    ["upd", "update"],
    ["LIST", "list"],
  ])("of %s is %s", (word, found) => {
    expect(nearest(word, words)).toBe(found);
  });

  it("is nothing for a word that is far from all", () => {
    expect(nearest("zebra", words)).toBeUndefined();
    expect(nearest("x".repeat(100_000), words)).toBeUndefined();
  });
});
