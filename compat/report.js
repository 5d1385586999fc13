// The table of a compat run, for the terminal and for the documents.
import { readFileSync, writeFileSync } from "node:fs";

const MARK = "<!-- The rest is written by `npm run compat`. -->";

/** Calls in order of first appearance, with each peer's row. */
function byCall(results) {
  const calls = new Map();
  results.forEach(({ rows }, index) => {
    for (const row of rows) {
      const key = `${row.area}\0${row.call}`;
      if (!calls.has(key)) calls.set(key, { area: row.area, call: row.call, cells: results.map(() => undefined) });
      calls.get(key).cells[index] = row;
    }
  });
  return [...calls.values()];
}

const cell = (row) => (row === undefined ? "–" : row.ok ? "ok" : "FAILED");

function perArea(results) {
  const areas = [...new Set(results.flatMap(({ rows }) => rows.map(({ area }) => area)))];
  return areas.map((area) => ({
    area,
    counts: results.map(({ rows }) => {
      const own = rows.filter((row) => row.area === area);
      return `${own.filter((row) => row.ok).length} of ${own.length}`;
    }),
  }));
}

function table(head, lines) {
  const widths = head.map((text, column) => Math.max(text.length, ...lines.map((line) => line[column].length)));
  const draw = (line) => `| ${line.map((text, column) => text.padEnd(widths[column])).join(" | ")} |`;
  return [draw(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...lines.map(draw)].join("\n");
}

function total(results) {
  return results.map(({ rows }) => `${rows.filter((row) => row.ok).length} of ${rows.length}`);
}

export function printTable(results) {
  const names = results.map(({ name }) => name);
  console.log(
    table(
      ["Area", "Call", ...names],
      byCall(results).map(({ area, call, cells }) => [area, call, ...cells.map(cell)]),
    ),
  );
  for (const { name, notes } of results) for (const note of notes) console.log(`${name} ${note}`);
  console.log(`total: ${names.map((name, index) => `${name}: ${total(results)[index]}`).join(", ")}`);
}

/** Counts by area, what went wrong beside the calls, and every call. */
function sectionOf({ title, results }) {
  const names = results.map(({ name }) => name);
  const summary = table(
    ["area", ...names],
    [...perArea(results).map(({ area, counts }) => [area, ...counts]), ["**all**", ...total(results)]],
  );
  const calls = table(
    ["area", "call", ...names],
    byCall(results).map(({ area, call, cells }) => [area, call, ...cells.map(cell)]),
  );
  const notes = results.flatMap(({ name, notes: own }) => own.map((note) => `- ${name} ${note}`));
  return [`## ${title}`, summary, ...(notes.length > 0 ? [notes.join("\n")] : []), "Every call:", calls];
}

/** Keeps what people wrote above the mark, replaces the rest. */
export function writeDocument(path, programs) {
  const before = readFileSync(path, "utf8").split(MARK)[0];
  writeFileSync(path, `${[`${before}${MARK}`, ...programs.flatMap(sectionOf)].join("\n\n")}\n`);
}
