import { type CommandError, usageError } from "../failures/command-error.ts";
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

/** Runs a jq expression over a value. */
export async function runJq(value: unknown, expression: string): Promise<readonly unknown[]> {
  // Its loader of WebAssembly mentions this name of CommonJS, which an ES module lacks; it opens no file by it.
  if (!("__dirname" in globalThis)) Reflect.set(globalThis, "__dirname", "");
  // The package is CommonJS: only its default export is there both bundled and unbundled.
  const { raw } = (await import("jq-wasm")).default;
  let text: string;
  try {
    // The line break ends a comment; the parentheses keep an expression such as -1 from being read as a flag.
    text = await raw(toJson(value), `(${expression}\n), ${JSON.stringify(endMark)}`, ["-c"]);
  } catch (error) {
    const lines = (error instanceof Error ? error.message : String(error)).split("\n");
    throw failed(`${lines[0]?.replace(/^jq: error(?: \(at [^)]*\))?:? ?/, "jq: ") ?? "jq failed"}.`);
  }
  const results = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
  if (results.at(-1) !== endMark) throw failed("An error occurred after some of the results.");
  return results.slice(0, -1);
}
