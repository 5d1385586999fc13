import { CommandError, usageError } from "../failures/command-error.ts";
import { toJson } from "./values.ts";

/** Printed last, so that an error in the middle of the results does not pass for their end. */
const endMark = "\u0001end";

function failed(why: string): CommandError {
  return usageError("The --jq filter failed.", {
    code: "usage.jq",
    why,
    next: "Fix the jq expression; its input is the JSON of the result.",
  });
}

async function loadJq() {
  try {
    return await import("jq-wasm");
  } catch (cause) {
    throw new CommandError("The program jq is not installed.", {
      code: "package.missing",
      exit: 1,
      why: "Filters of --jq run in the optional package jq-wasm.",
      next: "Install it next to iotdeck (npm install jq-wasm), or print --json and pipe it to jq.",
      cause,
    });
  }
}

/** What jq writes for a program over a value. */
async function written(value: unknown, program: string): Promise<string> {
  // The package is CommonJS: only its default export is there both bundled and unbundled.
  const { raw } = (await loadJq()).default;
  try {
    return await raw(toJson(value), program, ["-c"]);
  } catch (error) {
    const lines = (error instanceof Error ? error.message : String(error)).split("\n");
    throw failed(`${lines[0]?.replace(/^jq: error(?: \(at [^)]*\))?:? ?/, "jq: ") ?? "jq failed"}.`);
  }
}

/**
 * Checks before anything is sent that an expression can be run: it is compiled, with no input to run on.
 *
 * @throws CommandError `package.missing` without jq-wasm, `usage.jq` for an expression that jq cannot read
 */
export async function checkJq(expression: string): Promise<void> {
  await written(null, `empty | (${expression}\n)`);
}

/**
 * Runs a jq expression over a value.
 *
 * @throws CommandError `package.missing` without jq-wasm, `usage.jq` when the expression fails
 */
export async function runJq(value: unknown, expression: string): Promise<readonly unknown[]> {
  // The line break ends a comment; the parentheses keep an expression such as -1 from being read as a flag.
  const text = await written(value, `(${expression}\n), ${JSON.stringify(endMark)}`);
  const results = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
  if (results.at(-1) !== endMark) throw failed("An error occurred after some of the results.");
  return results.slice(0, -1);
}
