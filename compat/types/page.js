// Writes docs/internals/type-differences.md: the known differences to the official types, as known.json has them.
//   node compat/types/page.js
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** Where a name of known.json is: a type or a call, and the property or part of it. */
function placeOf(name) {
  const type = /^type (\w+)(?:\.(\w+))?, (?:added: (.+)|[\w-]+)$/.exec(name);
  if (type !== null) {
    const [, of, property, added] = type;
    return { kind: "Types", of, parts: added?.split(" ") ?? (property === undefined ? [] : [property]) };
  }
  const [path, ...parts] = name.replace(/, properties$/, "").split(", ");
  return { kind: "Calls", of: path.replace("#.", "."), parts };
}

function listOf(names) {
  const kinds = new Map();
  for (const { kind, of, parts } of names.map(placeOf)) {
    const places = kinds.get(kind) ?? new Map();
    kinds.set(kind, places.set(of, new Set([...(places.get(of) ?? []), ...parts])));
  }
  return ["Types", "Calls"].flatMap((kind) => {
    const places = [...(kinds.get(kind) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    const items = places.map(([of, parts]) => {
      const shown = [...parts].sort().map((part) => (kind === "Types" ? `\`${part}\`` : part));
      return `- \`${of}\`${shown.length === 0 ? "" : `: ${shown.join(", ")}`}`;
    });
    return items.length === 0 ? [] : ["", `${kind}:`, "", ...items];
  });
}

export function pageOf(known) {
  return [
    "# Differences to the official types",
    "",
    "All places where a type of the library differs on purpose from the one of `@tago-io/sdk` 11.3.10 or 12.3.1, by reason. What to change",
    "stands in [Migrating](../MIGRATING.md#types). `npm run compat:types` compares all types and calls of both releases, and fails for any other",
    "difference. Where the two releases differ, only 12.3.1 counts. `node compat/types/page.js` writes this page from `compat/types/known.json`.",
    ...Object.entries(known).flatMap(([reason, names]) => [
      "",
      `## ${reason[0] === "`" ? reason : reason[0].toUpperCase() + reason.slice(1)}`,
      ...listOf(names),
    ]),
    "",
  ].join("\n");
}

export const readKnown = () => JSON.parse(readFileSync(join(here, "known.json"), "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(here, "..", "..", "docs", "internals", "type-differences.md"), pageOf(readKnown()));
