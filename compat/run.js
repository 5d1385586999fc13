// Runs programs that nobody here wrote against the sandbox: the official packages 11 and 12, each call checked against
// values. Installs them on first use, prints the table, writes docs/compat.md.
//   node compat/run.js [--only data,files] [--peer 11,12] [--sandbox FILE] [--no-write]
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { here, install, run } from "./install.js";
import { printTable, writeDocument } from "./report.js";
import { areaNames } from "./rows.js";

const root = dirname(here);
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    peer: { type: "string", default: "11,12" },
    sandbox: { type: "string", default: join(root, "dist", "sandbox.js") },
    "no-write": { type: "boolean", default: false },
  },
});
const areas = options.only?.split(",") ?? areaNames;

/** Version 12 needs Node 24; the one running here serves when it is new enough. */
function node24() {
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  return run("npx", ["-y", "node@24", "-p", "process.execPath"], "Fetching Node 24");
}

function versionOf(peer) {
  return JSON.parse(readFileSync(join(here, "node_modules", peer, "package.json"), "utf8")).version;
}

/** Rows of one peer, in a process of its own, against a sandbox of its own. */
async function runPeer({ peer, node }) {
  const { createSandbox } = await import(options.sandbox);
  const sandbox = await createSandbox({ ephemeral: true });
  const version = versionOf(peer);
  const target = {
    url: sandbox.url,
    tokens: sandbox.tokens,
    inspectionHeaders: sandbox.inspectionHeaders,
    profileId: sandbox.profileId,
    version: Number(version.split(".")[0]),
  };
  const rows = [];
  const notes = [];
  const child = fork(join(here, "driver.js"), {
    cwd: here,
    execPath: node,
    execArgv: ["--require", join(here, "guard.cjs")],
    env: {
      PATH: process.env.PATH,
      TAGOIO_API: sandbox.url,
      TAGOIO_SSE: sandbox.eventsUrl,
      COMPAT: JSON.stringify({ peer, areas, target }),
    },
  });
  child.on("message", ({ row, escaped, unhandled }) => {
    if (row !== undefined) {
      rows.push(row);
      if (!row.ok) console.error(`${version}: ${row.area}: ${row.call}: ${row.reason}`);
    }
    if (escaped !== undefined) notes.push(`tried to reach ${escaped}`);
    if (unhandled !== undefined) notes.push(`left a rejection unhandled: ${unhandled}`);
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) notes.push(`ended with ${code}`);
  const failedRequests = sandbox.requestLog().filter(({ status }) => status >= 500).length;
  if (failedRequests > 0) notes.push(`got ${failedRequests} answers of 500 and above`);
  await sandbox.close();
  return { name: `JavaScript SDK ${version}`, rows, notes };
}

install();
const peers = [
  { peer: "peer-11", number: "11", node: () => process.execPath },
  { peer: "peer-12", number: "12", node: node24 },
].filter(({ number }) => options.peer.split(",").includes(number));

// The sandbox runs in this process: it must not leave the machine either.
const targets = peers.map(({ peer, node }) => ({ peer, node: node() }));
createRequire(import.meta.url)("./guard.cjs");
const results = [];
for (const { peer, node } of targets) results.push(await runPeer({ peer, node }));
printTable(results);
if (!options["no-write"]) writeDocument(join(root, "docs", "compat.md"), results);
const isGood = results.every(({ rows, notes }) => notes.length === 0 && rows.length > 0 && rows.every((row) => row.ok));
process.exit(isGood ? 0 : 1);
