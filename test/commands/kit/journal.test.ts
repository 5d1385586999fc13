import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CommandContext } from "../../../src/commands/kit/context.ts";
import { aboutRun, type Journal, unfinishedRuns, withRun } from "../../../src/commands/kit/state/journal.ts";
import { temporaryFolder } from "../../helpers/cli.ts";

const DAY_SECONDS = 86_400;

it("deletes finished runs above 500, the oldest first, and an unfinished one only after 90 days", async () => {
  const env = { IOT_CONFIG_DIR: temporaryFolder() };
  const ctx = { env, flags: { dryRun: false }, signal: new AbortController().signal } as unknown as CommandContext;
  const run = (name: string, work: (journal: Journal) => void): Promise<void> =>
    withRun(ctx, { key: ["test of journals", name], content: "same", what: "test" }, true, async (journal) =>
      work(journal),
    );
  const open = (name: string): Promise<void> => run(name, (journal) => journal.add(aboutRun("plan"), name));
  const folder = join(env.IOT_CONFIG_DIR, "state", "journals");
  const names = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const isOpen = (name: string): boolean => !readFileSync(join(folder, name), "utf8").startsWith('{"done"');
  const age = (name: string, days: number): void => {
    const seconds = Date.now() / 1_000 - days * DAY_SECONDS;
    utimesSync(join(folder, name), seconds, seconds);
  };
  await open("89 days");
  for (const name of names()) age(name, 89);
  await run("finished", (journal) => journal.finish());
  const finished = names().find((name) => !isOpen(name)) ?? "";
  const text = readFileSync(join(folder, finished));
  for (let i = 0; i < 600; i += 1) {
    writeFileSync(join(folder, `${i}.jsonl`), text);
    age(`${i}.jsonl`, 60 - i / 20);
  }
  await open("today");
  const kept = names();
  expect(kept.filter(isOpen)).toHaveLength(2);
  expect(kept).toContain("599.jsonl");
  expect(kept).not.toContain("0.jsonl");
  expect(kept.length).toBeLessThan(510);
  for (const name of kept.filter(isOpen)) age(name, 91);
  await open("later");
  expect(unfinishedRuns(env, "test of journals").map(({ key }) => key[1])).toEqual(["later"]);
});
