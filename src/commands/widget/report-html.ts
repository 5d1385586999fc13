import { type DiffRow, sideBySide } from "./diff.ts";
import { fateOf, type Judged } from "./outcome.ts";
import { style } from "./report-style.ts";
import type { ReportText } from "./report-text.ts";

/** Widgets after this many are told in one line each: a browser cannot show more side by side. */
const MAX_DETAILED = 1_000;

/** One file without anything from outside; what comes from the widgets is text in it and never more. */
export function htmlReport(): ReportText {
  let count = 0;
  return {
    start: () => head,
    widget(judged) {
      count += 1;
      return count <= MAX_DETAILED ? detailed(judged, count === 1) : short(judged);
    },
    end(tally) {
      const counts = (["converted", "current", "unsupported", "invalid", "failed"] as const)
        .map(
          (name) =>
            `<div class="count ${tally.of(name) > 0 ? name : "none"}"><b>${tally.of(name)}</b><span>${name}</span></div>`,
        )
        .join("");
      const more =
        count > MAX_DETAILED
          ? `<p class="note">Only the first ${MAX_DETAILED} widgets are shown key by key; the JSON report has all of them.</p>`
          : "";
      return `<section class="summary"><div class="counts">${counts}</div>${more}</section>\n</main>\n</body>\n</html>\n`;
    },
  };
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const head = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Widget conversion</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Widget conversion</h1>
`;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text of a widget as text of the page. What an eye cannot see, or what turns the reading around, is spelled out. */
function escapeHtml(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[&<>"']/g, (char) => entities[char] ?? char)
    .replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, (char) => {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      return `<span class="hidden">U+${code}</span>`;
    });
}

const MAX_LABEL = 300;
const bounded = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text);

function heading({ outcome }: Judged): string {
  const { from, to, verdict, label, file, place } = outcome;
  const lost = outcome.dropped.length;
  const drops = lost === 0 ? "" : ` <span class="lost">${lost} ${lost === 1 ? "key" : "keys"} dropped</span>`;
  const types = from === to ? escapeHtml(bounded(from)) : `${escapeHtml(bounded(from))} → ${escapeHtml(bounded(to))}`;
  const where = place === 0 ? escapeHtml(file) : `${escapeHtml(file)}, widget ${place}`;
  return `<span class="badge ${verdict}">${verdict}</span> <b>${escapeHtml(bounded(label || file))}</b> <span class="types">${types}</span> <span class="where">${where}</span>${drops}`;
}

function notesOf({ outcome }: Judged): string {
  if (outcome.notes.length === 0) return "";
  return `<ul class="notes">${outcome.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("")}</ul>`;
}

const short = (judged: Judged): string => `<div class="widget line">${heading(judged)}${notesOf(judged)}</div>\n`;

function detailed(judged: Judged, isOpen: boolean): string {
  const { outcome, source, widget, entries } = judged;
  if (outcome.verdict !== "converted") return short(judged);
  const rows = sideBySide(linesOf(source), linesOf(widget));
  return `<details class="widget"${isOpen ? " open" : ""}>
<summary>${heading(judged)}</summary>
${notesOf(judged)}
<h2>Old and new</h2>
<div class="scroll"><table class="diff"><thead><tr><th>old</th><th>new</th></tr></thead><tbody>
${rows.map(diffRow).join("\n")}
</tbody></table></div>
<h2>Result for each key</h2>
<div class="scroll"><table class="keys"><thead><tr><th>key</th><th>result</th></tr></thead><tbody>
${entries.map((entry) => `<tr class="${entry.status}"><td>${escapeHtml(entry.path)}</td><td>${escapeHtml(fateOf(entry))}</td></tr>`).join("\n")}
</tbody></table></div>
</details>
`;
}

const linesOf = (value: unknown): string[] => JSON.stringify(value, null, 2)?.split("\n") ?? [];

function diffRow(row: DiffRow): string {
  const side = (text: string | undefined, kind: string): string =>
    text === undefined
      ? '<td class="none"></td>'
      : `<td class="${row.isSame ? "same" : kind}">${escapeHtml(text)}</td>`;
  return `<tr>${side(row.old, "old")}${side(row.new, "new")}</tr>`;
}
