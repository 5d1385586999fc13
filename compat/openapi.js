// Calls every operation of an OpenAPI file of the platform on a fresh demo sandbox and compares the answers with what
// the file shows. Deliberate differences stand in openapi/differences.json; one that is not listed, or no longer
// occurs, fails.
//   node compat/openapi.js FILE [--only id,id] [--sandbox FILE] [--differences FILE]
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { compareFile } from "./openapi/compare.js";

const here = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    sandbox: { type: "string", default: join(here, "..", "dist", "sandbox.js") },
    differences: { type: "string", default: join(here, "openapi", "differences.json") },
  },
});
if (positionals.length !== 1) {
  console.error("usage: node compat/openapi.js FILE [--only id,id] [--sandbox FILE] [--differences FILE]");
  process.exit(2);
}
const { operations } = JSON.parse(readFileSync(positionals[0], "utf8"));
const listed = JSON.parse(readFileSync(options.differences, "utf8"));

const { createSandbox } = await import(pathToFileURL(resolve(options.sandbox)));
const sandbox = await createSandbox({ ephemeral: true });
const matches = await compareFile(sandbox, operations, listed, console.log, options.only?.split(","));
await sandbox.close();
process.exitCode = matches ? 0 : 1;
