import { setTimeout as sleep } from "node:timers/promises";
import type { CliResult } from "./cli.ts";
import type { TerminalRun } from "./terminal.ts";
import { waitFor } from "./wait-for.ts";

/** What a command shows at last, and the code it ends with. */
interface Screen {
  text(): Promise<string>;
  /** Exit code once it has ended. */
  code(): number | undefined;
  /** Does `step` again and again until it returns true or the command has ended. */
  until(step: (text: string) => boolean | Promise<boolean>): Promise<void>;
}

function screenOf(run: TerminalRun): Screen {
  let ended: number | undefined;
  void run.ended.then((code) => {
    ended = code;
  });
  const text = async (): Promise<string> => (await run.lines()).join("\n");
  return {
    text,
    code: () => ended,
    until: (step) =>
      waitFor(
        async () => ended !== undefined || (await step(await text())),
        async () => `more on the screen, which shows:\n${await text()}`,
      ),
  };
}

async function endOf(run: TerminalRun, screen: Screen): Promise<CliResult> {
  await screen.until(() => false);
  return { code: screen.code() ?? -1, stdout: "", stderr: (await run.lines()).join("\n") };
}

/**
 * Lets a command run until the screen shows what is expected, and stops it with Ctrl-C; 130, which that ends with, is
 * then 0. `cause` makes something happen that the command may show.
 */
export async function runUntilCtrlC(
  run: TerminalRun,
  expected: RegExp,
  cause: () => Promise<void> = async () => undefined,
): Promise<CliResult> {
  const screen = screenOf(run);
  try {
    await screen.until(async (text) => {
      if (expected.test(text)) return true;
      await cause();
      // Time to show it.
      await sleep(150);
      return false;
    });
    run.type("\u0003");
    const result = await endOf(run, screen);
    return result.code === 130 ? { ...result, code: 0 } : result;
  } finally {
    run.kill();
  }
}

/** Answers the questions of a command as they ask: yes, and the name to type. */
export async function runWithAnswers(run: TerminalRun): Promise<CliResult> {
  const screen = screenOf(run);
  let answered = 0;
  try {
    await screen.until((text) => {
      const questions = [...text.matchAll(/\[y\/N\]|Type (.+) to (?:confirm|continue):/g)];
      const next = questions[answered];
      if (next === undefined) return false;
      run.type(`${next[1] ?? "y"}\r`);
      answered += 1;
      return false;
    });
    return await endOf(run, screen);
  } finally {
    run.kill();
  }
}
