import type { SettingResult } from "../../../lib/widgets/settings.ts";
import { countOf, countText } from "../../../text/count.ts";
import { isObject } from "../files/files.ts";
import { type DiffRow, sideBySide } from "./diff.ts";
import { type Judged, lostSettings, settingText, type WidgetOutcome } from "./outcome.ts";
import type { Pictures } from "./pictures.ts";
import { filter, LostChoices, MAX_CHOICES } from "./report-filter.ts";
import { style } from "./report-style.ts";
import type { ReportText } from "./report-text.ts";
import type { WidgetCounts } from "./tally.ts";

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
  const safe: Safe = (text) => escapeHtml(text, (code) => `<span class="hidden">U+${code}</span>`);
  const choices = new LostChoices();
  const page = widgetsOf(safe, choices);
  const sections = sectionsOf(safe, isPreview);
  const drawing = (judged: Judged): string => {
    const isDrawn = judged.outcome.verdict === "converted" || (isPreview && isObject(judged.source));
    if (!isDrawn) return "";
    if (drawn >= MAX_DRAWN) left += 1;
    else drawn += 1;
    return left > 0 ? "" : pictures.of(judged);
  };
  const shown = (judged: Judged): string => {
    if (isPreview) return page.pictured(judged, drawing(judged));
    return count <= MAX_DETAILED ? page.detailed(judged, drawing(judged)) : page.short(judged);
  };
  return {
    start: () => head(escapeHtml(title), pictures),
    widget(judged) {
      count += 1;
      return sections.add(judged.outcome, shown(judged));
    },
    end(tally) {
      const notes = [
        ...(count > MAX_DETAILED && !isPreview
          ? [`Only the first ${MAX_DETAILED} widgets are shown key by key; the JSON report has all of them.`]
          : []),
        ...(left > 0 ? [`Only the first ${MAX_DRAWN} widgets are drawn.`] : []),
        ...(drawn > 0 ? [pictures.note] : []),
      ];
      return `${sections.end()}${summary(safe, choices, tally)}${notes.map((note) => `<p class="note">${safe(note)}</p>`).join("")}</section>\n</main>\n</body>\n</html>\n`;
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
${filter}
`;

/** A section for each dashboard or file. Its current widgets come last, folded. */
function sectionsOf(safe: Safe, isPreview: boolean) {
  let open: string | undefined;
  let current: string[] = [];
  let count = 0;
  const close = (): string => {
    const more = count > current.length ? `<p class="note">${countText(count - current.length)} more</p>\n` : "";
    const folded =
      count === 0
        ? ""
        : `<details class="left"><summary>${countText(count)} already current</summary>\n${current.join("")}${more}</details>\n`;
    [current, count] = [[], 0];
    return open === undefined ? "" : `${folded}</section>\n`;
  };
  return {
    add({ file, verdict }: WidgetOutcome, text: string): string {
      const isNext = file !== open;
      const start = isNext ? `${close()}<section class="group">\n${file === "" ? "" : `<h2>${safe(file)}</h2>\n`}` : "";
      open = file;
      if (verdict !== "current" || isPreview) return start + text;
      count += 1;
      if (current.length < MAX_DETAILED) current.push(text);
      return start;
    },
    end: close,
  };
}

const MAX_LABEL = 300;
const bounded = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text);

const verdicts = {
  converted: "converted",
  current: "already current",
  legacy: "not migrated",
  unsupported: "without a converter",
  invalid: "invalid",
  failed: "failed",
} as const;

/** Text that is safe in HTML. */
type Safe = (text: string) => string;

const list = (safe: Safe, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `<ul class="notes">${lines.map((line) => `<li>${safe(line)}</li>`).join("")}</ul>`;

/** The widgets of a page. */
function widgetsOf(safe: Safe, choices: LostChoices) {
  const heading = ({ outcome }: Judged): string => {
    const { from, to, verdict, label, file, place, dropped } = outcome;
    const lost = dropped.filter(({ isHarmless }) => !isHarmless).length;
    const types = from === to ? safe(bounded(from)) : `${safe(bounded(from))} → ${safe(bounded(to))}`;
    const where = place === 0 ? "" : ` <span class="where">widget ${place}</span>`;
    const losses = lost === 0 ? "" : ` <span class="lost">${countOf(lost, "key")} lost</span>`;
    return `<span class="badge ${verdict}">${verdict === "unsupported" ? "no converter" : verdict}</span> <b>${safe(bounded(label || file))}</b> <span class="types">${types}</span>${where}${losses}`;
  };

  /** The classes of a widget, for the filter. */
  const kindOf = ({ outcome: { verdict, dropped } }: Judged): string => {
    const lost = verdict === "converted" ? lostSettings(dropped).map(([name]) => name) : [];
    return `widget${verdict === "converted" ? " changed" : ""}${lost.length > 0 ? " loses" : ""}${choices.classesOf(lost)}`;
  };

  const short = (judged: Judged): string =>
    `<div class="${kindOf(judged)} line">${heading(judged)}${list(safe, judged.outcome.notes)}</div>\n`;

  const detailed = (judged: Judged, drawing: string): string => {
    const { outcome, source, widget } = judged;
    if (outcome.verdict !== "converted") return short(judged);
    return `<section class="${kindOf(judged)}">${heading(judged)}
${drawing}${list(safe, outcome.notes)}
<details><summary>Result for each setting</summary>
${settingsTable(safe, judged.settings())}
</details>
<details><summary>JSON, old and new</summary>
<div class="scroll"><table class="diff"><thead><tr><th>old</th><th>new</th></tr></thead><tbody>
${sideBySide(source, widget)
  .map((row) => diffRow(safe, row))
  .join("\n")}
</tbody></table></div>
</details>
</section>
`;
  };

  const pictured = (judged: Judged, drawing: string): string => {
    const { outcome } = judged;
    const lost = judged.settings().filter(({ state }) => state === "lost");
    const lines = [...outcome.notes, ...lost.map((each) => `${settingText(each)}: ${each.result}`)];
    const single = outcome.verdict === "converted" ? "" : " single";
    return `<section class="${kindOf(judged)}${single}">${heading(judged)}\n${drawing}${list(safe, lines)}</section>\n`;
  };

  return { short, detailed, pictured };
}

function settingsTable(safe: Safe, settings: readonly SettingResult[]): string {
  const rows = settings.filter(({ state }) => state !== "unchanged").map((each) => settingRow(safe, each));
  const same = settings.filter(({ state }) => state === "unchanged").map(settingText);
  const last = same.length === 0 ? "" : `<tr><td>${safe(same.join(", "))}</td><td>unchanged</td></tr>\n`;
  return `<div class="scroll"><table class="keys"><thead><tr><th>setting</th><th>result</th></tr></thead><tbody>
${rows.join("")}${last}</tbody></table></div>`;
}

function settingRow(safe: Safe, setting: SettingResult): string {
  const { path, state, result, keys } = setting;
  const inside = keys.map((key) => `<li>${safe(`${key.path}: ${key.result}`)}</li>`).join("");
  const more =
    keys.length === 1 ? "" : `<details><summary>${countOf(keys.length, "key")}</summary><ul>${inside}</ul></details>`;
  const name = keys.length === 1 ? settingText(setting) : path;
  return `<tr class="${state.replace(" ", "-")}"><td>${safe(name)}</td><td>${safe(result)}${more}</td></tr>\n`;
}

function diffRow(safe: Safe, row: DiffRow): string {
  const side = (text: string | undefined, name: string): string =>
    text === undefined ? '<td class="none"></td>' : `<td class="${row.isSame ? "same" : name}">${safe(text)}</td>`;
  return `<tr>${side(row.old, "old")}${side(row.new, "new")}</tr>`;
}

/** Opens the section that sums up a page. */
function summary(safe: Safe, choices: LostChoices, tally: WidgetCounts): string {
  const counts = Object.entries(verdicts).flatMap(([name, words]) => {
    const count = tally.of(name as keyof typeof verdicts);
    if (count === 0 && name !== "converted") return [];
    return `<div class="count ${name}"><b>${countText(count)}</b><span>${words}</span></div>`;
  });
  const lost = tally.lost
    .slice(0, MAX_CHOICES)
    .map(({ name, widgets, whys }) =>
      choices.choiceOf(name, safe(`${name} (${countOf(widgets, "widget")}): ${[...whys].join("; ")}`)),
    );
  const left = tally.lost.length - lost.length;
  const lines = left > 0 ? [...lost, countOf(left, "more setting")] : lost;
  const losses = lines.map((line) => `<li>${line}</li>`).join("");
  return `<section class="summary"><div class="counts">${counts.join("")}</div>${losses === "" ? "" : `<h2>Lost</h2><ul class="choices">${losses}</ul>`}`;
}
