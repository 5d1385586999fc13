import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { routeTables } from "../helpers/route-tables.ts";
import { root } from "./imports.ts";

/** Iterators whose name does not follow from that of their list. */
const named: Readonly<Record<string, string>> = {
  getPaymentHistory: "allPayments",
  getDeviceData: "allDeviceData",
  getEntityData: "allEntityData",
  getData: "allData",
};

const whole = "the platform returns everything in one response";
/** Lists without an iterator, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "Analyses.listSnippets": whole,
  "Dashboards.listAnalysisRelated": whole,
  "Dashboards.listDevicesRelated": whole,
  "Devices.paramList": whole,
  "PaymentMethods.list": "one object",
  "PaymentHistory.getHistory": whole,
  "Profiles.addonList": whole,
  "Profiles.teamList": whole,
  "Profiles.usageStatisticList": whole,
  "Run.notificationList": whole,
  "Widgets.getData": "what one widget shows",
};

/** `tokenList` and `listUsers` have `allTokens` and `allUsers`. */
function iteratorOf(name: string): string {
  const noun = name.replace(/^list|List$/g, "");
  const plural = noun === "" || noun.endsWith("s") ? noun : `${noun}s`;
  return named[name] ?? `all${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
}

/** Methods of every public class, as api-surface.md names them. */
function methods(): Map<string, Set<string>> {
  const classes = new Map<string, Set<string>>();
  let current = new Set<string>();
  const [listed = ""] = readFileSync(join(root, "api-surface.md"), "utf8").split("### Functions and values");
  for (const line of listed.split("\n")) {
    const owner = /^- `(\w+)/.exec(line)?.[1];
    const method = /^ {2}- `(\w+)[(<]/.exec(line)?.[1];
    if (owner !== undefined) {
      current = classes.get(owner) ?? new Set();
      classes.set(owner, current);
    }
    if (method !== undefined) current.add(method);
  }
  return classes;
}

const isList = (name: string): boolean => /^list(?!Streaming)|List$|History$/.test(name) || Object.hasOwn(named, name);
const lists = [...methods()].flatMap(([owner, names]) =>
  [...names].filter(isList).map((name) => ({ owner, name, all: names.has(iteratorOf(name)) })),
);

describe("every list", () => {
  it("has an iterator, or a reason to have none", () => {
    const without = lists.filter(({ all }) => !all).map(({ owner, name }) => `${owner}.${name}`);
    expect(without.sort()).toEqual(Object.keys(exceptions).sort());
    expect(lists.length - without.length).toBeGreaterThan(25);
  });

  it("that the platform pages is found by its name", async () => {
    const paged = (await routeTables()).flatMap(([, table]) =>
      Object.entries(table).flatMap(([name, route]) => (route.list === undefined ? [] : [name])),
    );
    const known = new Set(lists.filter(({ all }) => all).map(({ name }) => name));
    expect(paged.length).toBeGreaterThan(15);
    expect(paged.filter((name) => !known.has(name))).toEqual([]);
  });
});
