// Runs programs that nobody here wrote against the sandbox, each call checked against values: the official packages 11
// and 12 over http and https, a client of the Model Context Protocol over https, the requests of the Python package.
// Installs them on first use, prints the tables, writes docs/internals/compat.md.
//   node compat/run.js [--programs javascript,mcp,python] [--only data,files] [--peer 11,12] [--sandbox FILE] [--no-write]
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import "./guard.cjs";
import { here, install, run } from "./install.js";
import { runMcp } from "./mcp.js";
import { runPython } from "./python.js";
import { printTable, writeDocument } from "./report.js";
import { areaNames } from "./rows.js";

const root = dirname(here);
const { values: options } = parseArgs({
  options: {
    programs: { type: "string", default: "javascript,mcp,python" },
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

/** Collects what a program reports, with a name for the tables. */
function collector(name) {
  const rows = [];
  const notes = [];
  const report = (row) => {
    rows.push(row);
    if (!row.ok) console.error(`${name}: ${row.area}: ${row.call}: ${row.reason}`);
  };
  return { result: { name, rows, notes }, report };
}

/** A sandbox for `use`; answers of 500 and above are noted as a fault of the run. */
async function withSandbox(notes, tls, use) {
  const { createSandbox } = await import(options.sandbox);
  const sandbox = await createSandbox({ ephemeral: true, tls });
  try {
    await use(sandbox);
  } finally {
    const failedRequests = sandbox.requestLog().filter(({ status }) => status >= 500).length;
    if (failedRequests > 0) notes.push(`got ${failedRequests} answers of 500 and above`);
    await sandbox.close();
  }
}

/** Rows of one peer, in a process of its own, against a sandbox of its own. */
async function runPeer({ peer, node, tls }) {
  const version = versionOf(peer);
  const { result, report } = collector(tls ? `${version} over https` : version);
  await withSandbox(result.notes, tls, async (sandbox) => {
    const { url, tokens, inspectionHeaders, profileId } = sandbox;
    const target = { url, tokens, inspectionHeaders, profileId, version: Number(version.split(".")[0]) };
    const child = fork(join(here, "driver.js"), {
      cwd: here,
      execPath: node,
      execArgv: ["--require", join(here, "guard.cjs")],
      env: {
        PATH: process.env.PATH,
        ...sandbox.certificate?.variables,
        TAGOIO_API: url,
        TAGOIO_SSE: sandbox.eventsUrl,
        COMPAT: JSON.stringify({ peer, areas, target }),
      },
    });
    child.on("message", ({ row, escaped, unhandled }) => {
      if (row !== undefined) report(row);
      if (escaped !== undefined) result.notes.push(`tried to reach ${escaped}`);
      if (unhandled !== undefined) result.notes.push(`left a rejection unhandled: ${unhandled}`);
    });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    if (code !== 0) result.notes.push(`ended with ${code}`);
  });
  return result;
}

async function runJavaScript() {
  install();
  const peers = [
    { peer: "peer-11", number: "11", node: () => process.execPath },
    { peer: "peer-12", number: "12", node: node24 },
  ].filter(({ number }) => options.peer.split(",").includes(number));
  const results = [];
  for (const { peer, node: find } of peers) {
    const node = find();
    for (const tls of [false, true]) results.push(await runPeer({ peer, node, tls }));
  }
  return results;
}

async function runMcpClient() {
  const { result, report } = collector("iot mcp over https");
  await runMcp(report);
  return [result];
}

async function runPythonRequests() {
  console.error("info: The Python package itself is not run: its requests, written by hand, are sent instead.");
  const { result, report } = collector("requests, written by hand");
  await withSandbox(result.notes, false, (sandbox) => runPython(sandbox, report));
  return [result];
}

const PROGRAMS = {
  javascript: { title: "JavaScript SDK", start: runJavaScript },
  mcp: { title: "Client of the Model Context Protocol", start: runMcpClient },
  python: { title: "Requests of the Python SDK", start: runPythonRequests },
};

const programs = [];
for (const name of options.programs.split(",")) {
  const { title, start } = PROGRAMS[name];
  programs.push({ title, results: await start() });
}
for (const { results } of programs) printTable(results);
if (!options["no-write"]) writeDocument(join(root, "docs", "internals", "compat.md"), programs);
const isGood = programs
  .flatMap(({ results }) => results)
  .every(({ rows, notes }) => notes.length === 0 && rows.length > 0 && rows.every((row) => row.ok));
process.exit(isGood ? 0 : 1);
