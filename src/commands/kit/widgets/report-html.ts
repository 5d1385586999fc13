import { isObject } from "../files/files.ts";
import { type DiffRow, sideBySide } from "./diff.ts";
import { fates, type Judged } from "./outcome.ts";
import type { Pictures } from "./pictures.ts";
import { style } from "./report-style.ts";
import type { ReportText } from "./report-text.ts";

/** Widgets after this many get one line each: a browser cannot show more side by side. */
const MAX_DETAILED = 1_000;
/** Widgets after this many are not drawn: two drawings take about 20 KB. */
const MAX_DRAWN = 200;

interface PageOptions {
  readonly title?: string;
  /** Only the drawings, of every widget: no key by key. */
  readonly isPreview?: boolean;
}

/** One file without anything from outside; what comes from the widgets is text in it and never more. */
export function htmlReport(
  pictures: Pictures,
  { title = "Widget conversion", isPreview = false }: PageOptions = {},
): ReportText {
  let count = 0;
  let drawn = 0;
  let left = 0;
  const { escapeHtml } = pictures;
  const page = pageOf((text) => escapeHtml(text, (code) => `<span class="hidden">U+${code}</span>`));
  const drawing = (judged: Judged): string => {
    const isDrawn = judged.outcome.verdict === "converted" || (isPreview && isObject(judged.source));
    if (!isDrawn) return "";
    if (drawn >= MAX_DRAWN) left += 1;
    else drawn += 1;
    return left > 0 ? "" : pictures.of(judged);
  };
  return {
    start: () => head(escapeHtml(title), pictures),
    widget(judged) {
      count += 1;
      if (isPreview) return page.pictured(judged, drawing(judged));
      return count <= MAX_DETAILED ? page.detailed(judged, drawing(judged), count === 1) : page.short(judged);
    },
    end(tally) {
      const counts = (["converted", "current", "unsupported", "invalid", "failed"] as const)
        .map(
          (name) =>
            `<div class="count ${tally.of(name) > 0 ? name : "none"}"><b>${tally.of(name)}</b><span>${name}</span></div>`,
        )
        .join("");
      const notes = [
        ...(count > MAX_DETAILED && !isPreview
          ? [`Only the first ${MAX_DETAILED} widgets are shown key by key; the JSON report has all of them.`]
          : []),
        ...(left > 0 ? [`Only the first ${MAX_DRAWN} widgets are drawn.`] : []),
        ...(drawn > 0 ? [pictures.note] : []),
      ];
      const more = notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`).join("");
      return `<section class="summary"><div class="counts">${counts}</div>${more}</section>\n</main>\n</body>\n</html>\n`;
    },
  };
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const head = (title: string, { styles, theme }: Pictures): string => `<!DOCTYPE html>
<html lang="en"${theme === "auto" ? "" : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}${styles}</style>
</head>
<body>
<main>
<h1>${title}</h1>
`;

const MAX_LABEL = 300;
const bounded = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text);

const linesOf = (value: unknown): string[] => JSON.stringify(value, null, 2)?.split("\n") ?? [];

/** The parts of a page. */
function pageOf(escapeHtml: (text: string) => string) {
  const heading = ({ outcome }: Judged): string => {
    const { from, to, verdict, label, file, place } = outcome;
    const lost = outcome.dropped.filter(({ isHarmless }) => !isHarmless).length;
    const drops = lost === 0 ? "" : ` <span class="lost">${lost} ${lost === 1 ? "key" : "keys"} lost</span>`;
    const types = from === to ? escapeHtml(bounded(from)) : `${escapeHtml(bounded(from))} → ${escapeHtml(bounded(to))}`;
    const where = place === 0 ? escapeHtml(file) : `${escapeHtml(file)}, widget ${place}`;
    return `<span class="badge ${verdict}">${verdict}</span> <b>${escapeHtml(bounded(label || file))}</b> <span class="types">${types}</span> <span class="where">${where}</span>${drops}`;
  };

  const notesOf = ({ outcome }: Judged): string => {
    if (outcome.notes.length === 0) return "";
    return `<ul class="notes">${outcome.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("")}</ul>`;
  };

  const lostOf = ({ outcome }: Judged): string => {
    const lost = outcome.dropped.filter(({ isHarmless }) => !isHarmless);
    if (lost.length === 0) return "";
    return `<ul class="notes">${lost.map(({ path, reason }) => `<li>${escapeHtml(`${path} is lost: ${reason}`)}</li>`).join("")}</ul>`;
  };

  const short = (judged: Judged): string => `<div class="widget line">${heading(judged)}${notesOf(judged)}</div>\n`;

  const detailed = (judged: Judged, drawing: string, isOpen: boolean): string => {
    const { outcome, source, widget, entries } = judged;
    if (outcome.verdict !== "converted") return short(judged);
    const words = fates(judged);
    const rows = sideBySide(linesOf(source), linesOf(widget));
    return `<details class="widget"${isOpen ? " open" : ""}>
<summary>${heading(judged)}</summary>
${notesOf(judged)}
${drawing}
<h2>Old and new</h2>
<div class="scroll"><table class="diff"><thead><tr><th>old</th><th>new</th></tr></thead><tbody>
${rows.map(diffRow).join("\n")}
</tbody></table></div>
<h2>Result for each key</h2>
<div class="scroll"><table class="keys"><thead><tr><th>key</th><th>result</th></tr></thead><tbody>
${entries.map(({ path, status }, i) => `<tr class="${status}"><td>${escapeHtml(path)}</td><td>${escapeHtml(words[i] ?? "")}</td></tr>`).join("\n")}
</tbody></table></div>
</details>
`;
  };

  const pictured = (judged: Judged, drawing: string): string =>
    `<section class="widget">${heading(judged)}\n${drawing}${notesOf(judged)}${lostOf(judged)}</section>\n`;

  const diffRow = (row: DiffRow): string => {
    const side = (text: string | undefined, kind: string): string =>
      text === undefined
        ? '<td class="none"></td>'
        : `<td class="${row.isSame ? "same" : kind}">${escapeHtml(text)}</td>`;
    return `<tr>${side(row.old, "old")}${side(row.new, "new")}</tr>`;
  };

  return { short, detailed, pictured };
}
