import { enableCompileCache } from "./compile-cache.ts";
import { VERSION } from "./lib/core/version.ts";

/** Writes to stdout before the rest of the program is there; a disk that is full ends as everywhere. */
async function print(text: string): Promise<number> {
  const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    process.stdout.once("error", resolve);
    process.stdout.write(text, resolve);
  });
  if (error === null || error === undefined) return 0;
  const { outputError, processIo } = await import("./commands/kit/io.ts");
  const { renderFailure, toFailure } = await import("./commands/kit/failures/failures.ts");
  const failure = toFailure(outputError(error));
  if (failure.exit !== 0) process.stderr.write(renderFailure(failure, false, processIo()));
  return failure.exit;
}

/** `--version` and top-level help run before anything else is loaded. */
async function main(line: readonly string[]): Promise<number> {
  const [first] = line;
  if (first === "--version" || first === "-V") {
    return print(`${VERSION}\n`);
  }
  enableCompileCache();
  const isHelp = first === "help" || first === "--help" || first === "-h";
  if (first === undefined || (isHelp && line.length === 1)) {
    const { topHelp } = await import("./commands/program/help/top-help.ts");
    return print(topHelp(line));
  }
  const { run } = await import("./commands/program/run.ts");
  return run(line);
}

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
