import { beforeEach, describe, expect, it } from "vitest";
import type { CommandContext } from "../../../src/commands/kit/context.ts";
import { inputError } from "../../../src/commands/kit/failures/command-error.ts";
import type { JobItem } from "../../../src/commands/kit/jobs/job.ts";
import { type ItemRun, type RunEnd, runItems } from "../../../src/commands/kit/jobs/run-items.ts";
import { type Journal, unfinishedRun, unfinishedRuns, withRun } from "../../../src/commands/kit/state/journal.ts";
import { temporaryFolder } from "../../helpers/cli.ts";

interface Row {
  readonly made: string;
}

const key = ["test of items", "one"];
const ids = (...names: string[]): JobItem[] => names.map((id) => ({ id, args: {} }));
const fatal = (): boolean => true;
let env: { readonly IOT_CONFIG_DIR: string };
let stop: AbortController;
beforeEach(() => {
  env = { IOT_CONFIG_DIR: temporaryFolder() };
  stop = new AbortController();
});

/** One run of a command: what it was asked to do, and how it ended. */
async function runOnce(
  run: Partial<ItemRun<object, Row>> & Pick<ItemRun<object, Row>, "phases">,
  { isResumed = true, work }: { isResumed?: boolean; work?: (journal: Journal) => void } = {},
): Promise<{ readonly end: RunEnd<Row>; readonly began: string[] }> {
  const ctx = { env, flags: { dryRun: false, concurrency: 2 }, signal: stop.signal } as unknown as CommandContext;
  const about = { key, content: undefined, what: "test", isResumed, isBegun: true };
  const began: string[] = [];
  const end = await withRun(ctx, about, false, (journal) => {
    work?.(journal);
    return runItems<object, Row>(ctx, journal, {
      run: async ({ id }) => ({ made: `${id} of this run` }),
      ...run,
      ...(run.run !== undefined && {
        run: async (item, notes) => {
          began.push(item.id);
          return (run.run as ItemRun<object, Row>["run"])(item, notes);
        },
      }),
    });
  });
  return { end, began };
}

describe("the items of a run", () => {
  it("of a phase see what those before have made, also when an earlier run made it", async () => {
    const seen: string[] = [];
    const run = (isBroken: boolean): Promise<{ end: RunEnd<Row>; began: string[] }> => {
      const made = new Map<string, string>();
      return runOnce({
        *phases() {
          yield ids("a", "b");
          seen.push([...made.values()].sort().join());
          yield ids("c");
        },
        async run({ id }) {
          if (isBroken && id === "c") throw new Error("out of reach");
          return { made: `new-${id}` };
        },
        ended: ({ id }, result) => void ("row" in result && made.set(id, result.row.made)),
        isFatal: fatal,
      });
    };
    const first = await run(true);
    expect([first.began, first.end.stop]).toEqual([["a", "b", "c"], { cause: new Error("out of reach") }]);
    const second = await run(false);
    expect([second.began, second.end.stop, second.end.results.size]).toEqual([["c"], undefined, 3]);
    expect(seen).toEqual(["new-a,new-b", "new-a,new-b"]);
  });

  it("end with an Error, also where something else was thrown", async () => {
    const work = { phases: () => [ids("a")], run: () => Promise.reject("a string"), isFatal: fatal };
    expect((await runOnce(work)).end.stop).toEqual({ cause: new Error("a string") });
  });

  it("that fail stop no other, and a resumed run does them alone again", async () => {
    const run = (bad: string) =>
      runOnce({
        phases: () => [ids("a", "b", "c")],
        async run({ id }) {
          if (id === bad) throw inputError("It is bad.");
          return { made: id };
        },
      });
    const { end } = await run("b");
    expect([end.failed, end.stop]).toEqual([1, undefined]);
    expect(end.results.get("b")).toMatchObject({ reason: "It is bad." });
    expect((await run("none")).began).toEqual(["b"]);
  });

  it("are done again where their result is not whole", async () => {
    const run = () =>
      runOnce({
        phases: () => [ids("whole", "half")],
        run: async ({ id }) => ({ made: id }),
        isWhole: ({ made }) => made === "whole",
      });
    await run();
    expect((await run()).began).toEqual(["half"]);
  });

  it("find the notes of an earlier run, and none that was taken back", async () => {
    const phases = () => [ids("a")];
    await runOnce({
      phases,
      async run(_, notes) {
        await notes.add("widget", "5f");
        await notes.add("begun", "");
        await notes.forget("begun");
        throw new Error("killed");
      },
      isFatal: fatal,
    });
    let noted: unknown;
    await runOnce({
      phases,
      async run(_, notes) {
        noted = [notes.of("widget"), notes.of("begun"), notes.of("other")];
        return { made: "a" };
      },
    });
    expect(noted).toEqual(["5f", undefined, undefined]);
  });

  it.each(["done", "begun"])("that were %s and are others now end the run", async (state) => {
    const run = (mark: string) =>
      runOnce({
        phases: () => [[{ id: "a", args: {}, mark }]],
        async run(_, notes) {
          const isBegun = notes.of("begun") !== undefined;
          await notes.add("begun", "");
          if (state === "begun" && !isBegun) throw inputError("Not this time.");
          return { made: "a" };
        },
        isFatal: fatal,
      });
    await run("01");
    expect((await run("02")).end.stop?.cause).toMatchObject({ code: "input.changed", exit: 7 });
    expect((await run("01")).end.stop).toBeUndefined();
  });

  it("that are under way at Ctrl-C are finished, and no other is begun", async () => {
    const { end, began } = await runOnce({
      phases: () => [ids("a", "b", "c", "d")],
      async run({ id }) {
        if (id === "a") stop.abort();
        return { made: id };
      },
    });
    expect([began, [...end.results.keys()], end.stop]).toEqual([["a", "b"], ["a", "b"], {}]);
  });
});

describe("an unfinished run", () => {
  it("is found by its key and by the word of its kind, unless a process works on it or it is done", async () => {
    const found = () => [unfinishedRun(env, key) !== undefined, unfinishedRuns(env, "test of items").length];
    const during: number[] = [];
    const phases = () => [ids("a")];
    await runOnce({ phases }, { work: () => during.push(unfinishedRuns(env, "test of items").length) });
    expect([...during, found(), unfinishedRuns(env, "other").length]).toEqual([0, [true, 1], 0]);
    await runOnce({ phases }, { work: (journal) => journal.finish() });
    expect(found()).toEqual([false, 0]);
  });
});
