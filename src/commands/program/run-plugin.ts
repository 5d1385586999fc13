import { emptyValue } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { copyEnvironment } from "../kit/process/in-path.ts";
import { pluginsIn } from "../kit/process/plugins.ts";
import { runChild } from "../kit/process/run-child.ts";
import { meaningOf } from "./errors.ts";
import type { Run } from "./run-command.ts";

/** Flags that may stand before the name of a plugin, and the variables it gets them in. */
const passed = new Map([
  ["--env", "IOT_ENV"],
  ["-e", "IOT_ENV"],
  ["--profile", "IOT_PROFILE"],
]);

/** Parts a line at the name of the plugin. */
function readLine(line: readonly string[]): { args: readonly string[]; variables: Readonly<Record<string, string>> } {
  const variables: Record<string, string> = {};
  let at = 0;
  for (let token = line[at]; token?.startsWith("-"); token = line[at]) {
    const [flag = "", joined] = token.startsWith("--") ? token.split(/=(.*)/s) : [token];
    const variable = passed.get(flag);
    if (variable === undefined)
      throw usageError(`${flag} cannot stand before the name of a plugin.`, {
        why: "Only --env and --profile can: what a plugin is to get follows its name.",
        next: "Move it behind the name.",
      });
    const value = joined ?? line[at + 1] ?? "";
    // Empty, the variable would count as not set, and the plugin would use another environment.
    if (value === "") throw emptyValue(flag);
    variables[variable] = value;
    at += joined === undefined ? 2 : 1;
  }
  return { args: line.slice(at + 1), variables };
}

/**
 * `iot hello` runs the program `iot-hello` of PATH; undefined when there is none, or when the line may start none: that of
 * an alias, or of another command.
 */
export async function runPlugin(run: Run, word: string): Promise<number | undefined> {
  if (run.isOfProcess !== true || run.aliases !== undefined || (await meaningOf(word)) !== undefined) return undefined;
  const env = copyEnvironment(run.env);
  const plugin = pluginsIn(env).find(({ name }) => name === word);
  if (plugin === undefined) return undefined;
  const { args, variables } = readLine(run.line);
  return runChild({
    command: [plugin.path, ...args],
    env: { ...env, ...variables },
    cwd: run.cwd,
    isOnTerminal: run.io.stdinIsTerminal,
    next: "It has to be a program of this system, or a script whose first line names its interpreter.",
  });
}
