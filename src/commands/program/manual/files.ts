import { nouns } from "../../registry.ts";
import { topics } from "../topics/topics.ts";
import { cheatSheetPage } from "./cheat-sheet.ts";
import { type Chapter, indexPage, nounPage, topicPage } from "./markdown.ts";
import { mainManual, nounManual, topicManual } from "./roff.ts";

/** Name below the folder, and text. */
export type Files = ReadonlyMap<string, string>;

async function chapters(): Promise<readonly Chapter[]> {
  return Promise.all(nouns.map(async (noun) => ({ noun, commands: (await noun.load()).commands })));
}

/** The files of `docs/commands`. */
export async function commandDocs(): Promise<Files> {
  const all = await chapters();
  const titles = new Set(
    all.flatMap(({ noun, commands }) => commands.map(({ path }) => ["iot", noun.name, ...path].join(" "))),
  );
  return new Map([
    ["README.md", indexPage(all, topics.values())],
    ...all.map((chapter): [string, string] => [`${chapter.noun.name}.md`, nounPage(chapter, titles)]),
    ...[...topics.values()].map((topic): [string, string] => [`topics/${topic.name}.md`, topicPage(topic)]),
  ]);
}

/** The page `docs/cheat-sheet.md`. */
export async function cheatSheet(): Promise<string> {
  return cheatSheetPage(await chapters());
}

/** The manual pages: `iot.1`, `iot-device.1`, `iot-filters.7`. */
export async function manualPages(): Promise<Files> {
  const all = await chapters();
  return new Map([
    ["iot.1", mainManual(topics.values())],
    ...all.map((chapter): [string, string] => [`iot-${chapter.noun.name}.1`, nounManual(chapter)]),
    ...[...topics.values()].map((topic): [string, string] => [`iot-${topic.name}.7`, topicManual(topic)]),
  ]);
}
