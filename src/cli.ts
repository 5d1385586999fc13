import { VERSION } from "./lib/core/version.ts";

/** `--version` and top-level help are answered before anything else is loaded. */
async function main(line: readonly string[]): Promise<number> {
  const [first] = line;
  if (first === "--version" || first === "-V") {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const isHelp = first === "help" || first === "--help" || first === "-h";
  if (first === undefined || (isHelp && line.length === 1)) {
    const { topHelp } = await import("./commands/kit/top-help.ts");
    process.stdout.write(topHelp(line));
    return 0;
  }
  const { run } = await import("./commands/kit/run.ts");
  return run(line);
}

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
