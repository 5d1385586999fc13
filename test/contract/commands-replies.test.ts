import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFull } from "../helpers/amount.ts";
import { type ExamplePlace, examplePlace } from "../helpers/example-place.ts";
import { firstPlain, type Leaf, leaves, needsProcess, withFlags } from "../helpers/leaves.ts";
import { type SmallServer, sendJson, smallServer } from "../helpers/small-server.ts";
import { isRepresentative, ofEachShape, tierOf } from "../helpers/tiers.ts";

/**
 * Results of no kind a command asks for: each is well-formed JSON in the platform's envelope. Many commands read the
 * profile first; what they read next is only reached where that is as it should be.
 */
const results: readonly { readonly result: unknown; readonly isProfileRight: boolean }[] = [
  { result: {}, isProfileRight: false },
  { result: {}, isProfileRight: true },
  { result: null, isProfileRight: true },
  { result: [{}], isProfileRight: true },
  { result: { id: 7, name: {}, files: [7], folders: [7] }, isProfileRight: true },
];
const profile = { info: { id: "65a1000000000000000d0001", name: "Plant" }, addons: {}, allocation: {} };

let place: ExamplePlace;
let server: SmallServer;
let current = results[0];

beforeAll(async () => {
  place = await examplePlace();
  server = await smallServer(({ url }, response) => {
    const isProfile = current?.isProfileRight === true && /^\/profile\/[^/]+$/.test(url);
    sendJson(response, 200, { status: true, result: isProfile ? profile : current?.result });
  });
});
afterAll(async () => {
  await server.close();
  await place.close();
});

/** Commands that stand for the others, since readers and writers are shared; in the nightly run every command. */
const asking = leaves.filter(
  (leaf) =>
    (isFull || isRepresentative(leaf)) && !needsProcess(leaf) && leaf.command.asks !== "nothing" && firstPlain(leaf),
);

function wordsOf(leaf: Leaf): readonly string[] {
  const words = (firstPlain(leaf)?.words ?? []).filter((word) => word !== "--wait" && word !== "--dry-run");
  return withFlags(words, "--retries", "0", "--timeout", "2s");
}

describe("a result of the wrong kind is no fault of the program", { tags: ["posix"] }, () => {
  for (const leaf of asking)
    it(leaf.title, tierOf(leaf, ofEachShape), async () => {
      const env = { IOT_API_URL: server.url, IOT_EVENTS_URL: `${server.url}/events` };
      const faults: string[] = [];
      for (current of results) {
        const { code, stderr } = await place.runPlain({ ...firstPlain(leaf), words: wordsOf(leaf) }, env);
        if (code === 70) faults.push(`${JSON.stringify(current)}: ${stderr.slice(0, 300)}`);
      }
      expect(faults).toEqual([]);
    });
});
