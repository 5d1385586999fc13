import { describe, expect, it } from "vitest";
import {
  Account,
  Authorization,
  Device,
  Dictionary,
  Network,
  Resources,
  RunUser,
  SdkError,
  Services,
  Utils,
} from "../../src/index.ts";
import { Module } from "../../src/lib/api/module.ts";
import { manualClock, scripted, success } from "../helpers/scripted-transport.ts";

type Method = (...args: unknown[]) => unknown;
type Call = readonly [name: string, method: Method];

const params = {
  token: "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab",
  region: "us-e1",
  transport: scripted(success("done")),
  clock: manualClock(),
  attempts: 1,
} as const;

/** Names of all members, those of the classes above too. */
function memberNames(object: object): string[] {
  const names = new Set<string>();
  for (let level = object; level !== Object.prototype; level = Object.getPrototypeOf(level) as object)
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  return [...names];
}

/** What programs may not call, by the types: parts of the base class. */
const internal = new Set(["constructor", "call", "page", "client", "member"]);

function callsOf(name: string, object: object, seen = new Set<object>()): Call[] {
  if (seen.has(object)) return [];
  seen.add(object);
  return memberNames(object).flatMap((member): Call[] => {
    if (internal.has(member)) return [];
    const value = (object as Record<string, unknown>)[member];
    if (typeof value === "function") return [[`${name}.${member}`, value.bind(object) as Method]];
    return value instanceof Module ? callsOf(`${name}.${member}`, value, seen) : [];
  });
}

const { AnalysisRouter: _class, getAPIVersion: _ownClient, parseLorawanQRCode: _throws, ...utils } = Utils;

const calls: Call[] = [
  ...callsOf("Resources", new Resources(params)),
  ...callsOf("Account", new Account(params)),
  ...callsOf("Device", new Device(params)),
  ...callsOf("Network", new Network(params)),
  ...callsOf("Authorization", new Authorization(params)),
  ...callsOf("RunUser", new RunUser(params)),
  ...callsOf("Services", new Services(params)),
  ...callsOf("Dictionary", new Dictionary(params)),
  ...Object.entries(utils).map(([name, method]): Call => [`Utils.${name}`, method as Method]),
];

const argumentLists: readonly (readonly unknown[])[] = [
  [],
  [null, null, null, null],
  ["x"],
  ["x", null],
  ["x", undefined, null],
  ["x", "y", null, null],
  [5, 5, 5],
  [5n, 5n],
  [{}, {}, {}],
  [[], []],
  [[null], [null]],
  ["x", [null]],
  [Symbol("a"), Symbol("b")],
  [() => 1, () => 2],
];

const shown = (args: readonly unknown[]): string => args.map((arg) => (arg === null ? "null" : typeof arg)).join(", ");

/** The error of a call, wherever it shows. A generator does its work when it is read. */
async function faultOf(method: Method, args: readonly unknown[]): Promise<unknown> {
  let made: unknown;
  try {
    made = method(...args);
  } catch (error) {
    return new Error("thrown, not rejected", { cause: error });
  }
  try {
    await (made !== null && typeof made === "object" && Symbol.asyncIterator in made
      ? (made as AsyncGenerator<unknown>).next()
      : made);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("arguments of the wrong kind", () => {
  it("reach every operation", () => {
    expect(calls.length).toBeGreaterThan(300);
  });

  it.each(calls)("never make %s fail with anything but an SdkError", async (_name, method) => {
    for (const args of argumentLists) {
      const fault = await faultOf(method, args);
      if (fault !== undefined) expect(fault, `(${shown(args)})`).toBeInstanceOf(SdkError);
    }
  });
});
