import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documents } from "../helpers/documents.ts";
import { byTitle, leaves, queueNouns } from "../helpers/leaves.ts";
import { type ClusterPlace, clusterPlace, exportTo } from "./place.ts";

let place: ClusterPlace;
let id = "";
beforeAll(async () => {
  place = await clusterPlace(1);
  await place.iot(exportTo(place.folder, "--detach"));
  id = (await place.job()).id;
});
afterAll(() => place?.close());

/** The words of an example, about the queue, the job and the folder there are. */
const wordsOf = (line: string): string[] =>
  line
    .replace(/^iot /, "")
    .replace(/rediss?:\/\/\S+/, place.redis.url)
    .replace(/\bj[0-9a-f]{15}\b/, id)
    .replace(/\/mnt\/data\S*/, place.folder)
    .replace("--out data/ ", `--out ${place.folder}/scale --yes `)
    .split(" ")
    .map((word) => word.replaceAll("'", ""));

// In this order: a job is watched until workers have ended it, and only an unfinished one is paused and cancelled.
const order = ["list", "get", "pause", "resume", "worker", "watch", "retry", "report", "cancel"];
const placeOf = (words: readonly string[]): number => order.indexOf(words.at(-1) ?? "");
const some = leaves
  .filter(({ words: [noun = ""] }) => queueNouns.includes(noun))
  .sort((one, other) => placeOf(one.words) - placeOf(other.words));

describe("examples of commands about a queue", () => {
  it.each(byTitle(some))("%s", async (title, { command }) => {
    for (const line of command.examples) {
      if (title === "iot job cancel") await place.iot(exportTo(place.folder, "--detach", "--again"));
      const end = title === "iot worker" ? ["--drain"] : title === "iot job cancel" ? ["--yes"] : [];
      const { code, stderr } = await place.iot([...wordsOf(line), ...end]);
      expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
    }
  });
});

const [page] = documents("docs").filter(({ path }) => path === "docs/scale.md");
const lines = page?.commands.map(({ text }) => text.replace(/\\\n\s*/g, "").replace(/\s+# .*$/, "")) ?? [];
/** What runs until it is stopped, and what ends it. */
const endOf = (line: string): string[] =>
  line.startsWith("iot worker") ? ["--drain"] : /^iot (device watch|stream)/.test(line) ? ["--for", "1s"] : [];

describe("docs/scale.md", () => {
  it.each(lines.filter((line) => line.startsWith("iot ")))("runs %s", async (line) => {
    const worker = /^iot (device data export|dashboard)/.test(line) ? await place.worker() : undefined;
    const { code, stderr } = await place.iot([...wordsOf(line), ...endOf(line)]);
    await worker?.end("SIGTERM");
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });
});
