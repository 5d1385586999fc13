import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { DEAD_END } from "../helpers/dead-end.ts";
import { type ExamplePlace, examplePlace } from "../helpers/example-place.ts";
import { runHere } from "../helpers/in-process.ts";
import { firstPlain, type Leaf, leaves, type PlainLine, withFlags } from "../helpers/leaves.ts";
import { tierOf } from "../helpers/tiers.ts";

let place: ExamplePlace;

beforeAll(async () => {
  place = await examplePlace();
});
afterAll(() => place.close());

/** The first example as a real run: what a dry run leaves out is what these tests are about. */
function earnest(leaf: Leaf): PlainLine {
  const line = firstPlain(leaf) ?? { words: leaf.words };
  const words = line.words.filter((word) => word !== "--dry-run");
  return { ...line, words: leaf.command.groups?.includes("confirm") ? withFlags(words, "--yes") : words };
}

/** Commands that the platform is asked by. */
const sending = leaves.filter(({ command }) => command.asks === undefined || command.asks === "anonymous");

/** A snapshot is written back to the platform it came from only, which is found before anything is sent. */
const refusedBefore = new Map([
  ["iot dashboard rollback", 7],
  ["iot profile rollback", 7],
  // A server on standard input: it ends when its input does, and tells each caller what the platform said.
  ["iot mcp", 0],
]);

describe("a platform that does not answer ends with 10", { tags: ["posix"] }, () => {
  for (const leaf of sending)
    it(leaf.title, tierOf(leaf), async () => {
      const { title } = leaf;
      const line = earnest(leaf);
      // Logging in is for a named environment; everything else follows the variables.
      const isLogin = title === "iot auth login";
      const words = withFlags(line.words, "--retries", "0", ...(isLogin ? ["--env", "gone"] : []));
      // Without its authorization, which the sandbox's variables have, a device asks the platform as well.
      const addresses = {
        IOT_API_URL: DEAD_END,
        IOT_EVENTS_URL: `${DEAD_END}/events`,
        IOT_TIP_AUTHORIZATION: "",
      };
      const { code, stdout, stderr } = await place.runPlain({ ...line, words }, isLogin ? {} : addresses);
      const expected = refusedBefore.get(title) ?? 10;
      // What doctor found is its result.
      const isPrinted = title !== "iot doctor" && stdout !== "";
      expect({ code, isPrinted, stderr: code === expected ? "" : stderr }).toEqual({
        code: expected,
        isPrinted: false,
        stderr: "",
      });
    });
});

describe("without a token a command ends with 4", { tags: ["posix"] }, () => {
  const needing = leaves.filter(({ command }) => command.asks === undefined || command.asks === "token");

  for (const leaf of needing)
    it(leaf.title, tierOf(leaf), async () => {
      const { title } = leaf;
      const nothing = {
        IOT_TOKEN: "",
        IOT_TIP_AUTHORIZATION: "",
        T_ANALYSIS_TOKEN: "",
        IOT_CONFIG_DIR: temporaryFolder(),
      };
      const { code, stdout, stderr } = await place.runPlain(earnest(leaf), nothing);
      const isPrinted = title !== "iot doctor" && stdout !== "";
      expect({ code, isPrinted, stderr: code === 4 ? "" : stderr }).toEqual({ code: 4, isPrinted: false, stderr: "" });
    });
});

/** These serve until they are stopped, or speak over stdin; that is what they are for. */
const servers = new Set(["iot sandbox start", "iot mcp", "iot console"]);

/** It fills a sandbox with what it is told to, and the demo account takes two seconds. */
const bare = ({ title, words }: Leaf): readonly string[] =>
  title === "iot sandbox seed" ? [...words, "--seed", "empty"] : words;

describe("no command waits for input without a terminal", { tags: ["posix"] }, () => {
  const waiting = leaves.filter(({ title }) => !servers.has(title));

  for (const leaf of waiting)
    it(leaf.title, tierOf(leaf), async () => {
      const open = new PassThrough();
      try {
        // Bare, and with the flag that would stop a question: both must come back.
        for (const extra of [[], ["--no-input"]]) {
          const { code } = await runHere([...bare(leaf), ...extra], {
            env: place.here.env,
            cwd: place.folder,
            stdin: open,
          });
          expect(code).not.toBe(70);
        }
      } finally {
        open.destroy();
      }
    });
});
