import type { GridPlace } from "../../../lib/widgets/draw/grid.ts";
import { COLUMN_PX, GAP_PX, PAGE_PX, type Pen, ROW_PX } from "./drawing.ts";
import type { ReadDashboard } from "./read.ts";

/** What a page says of its origin. */
export interface PageNotes {
  /** Environment and profile. */
  readonly where: string;
  /** When it was read, for people. */
  readonly time: string;
}

const DARK = "--back: #11161c; --text: #e8edf3; --quiet: #a7b2bf;";

/** Nothing but the style sheet below: no scripts, and nothing from the network. */
const POLICY = "default-src 'none'; style-src-elem 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const style = `
:root { color-scheme: light dark; --back: #f2f4f7; --text: #1a2027; --quiet: #5c6672; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ${DARK} } }
:root[data-theme=dark] { color-scheme: dark; ${DARK} }
:root[data-theme=light] { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { width: 100%; max-width: ${PAGE_PX + 40}px; margin: 0 auto; padding: 20px; }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 24px 0 10px; font-size: 1.15rem; }
.quiet { margin: 4px 0 0; color: var(--quiet); font-size: 0.9rem; }
.grid { display: grid; grid-template-columns: repeat(12, minmax(0, ${COLUMN_PX}px)); grid-auto-rows: minmax(${ROW_PX}px, auto); gap: ${GAP_PX}px; margin-top: 14px; }
.grid > * { display: flex; flex-direction: column; min-width: 0; }
.grid .iot-widget { flex: 1; }
.unread { border-style: dashed; }
@media (max-width: 720px) { .grid { display: flex; flex-direction: column; } main { padding: 12px; } }
@media print {
  @page { margin: 12mm; }
  :root { color-scheme: light; --back: #fff; }
  main { max-width: none; padding: 0; }
  section + section { break-before: page; }
  .grid > * { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;

/** The positions as classes: the content security policy allows no style in an element. */
class Places {
  readonly #rules = new Map<string, string>();

  classOf({ left, top, columns, rows }: GridPlace): string {
    const name = `p${left}-${top}-${columns}-${rows}`;
    this.#rules.set(
      name,
      `.${name} { grid-column: ${left + 1} / span ${columns}; grid-row: ${top + 1} / span ${rows}; }`,
    );
    return name;
  }

  get style(): string {
    return [...this.#rules.values()].join("\n");
  }
}

/** The whole dashboard as one file, its tabs one after the other. */
export function dashboardPage(found: ReadDashboard, pen: Pen, { where, time }: PageNotes): string {
  const { escapeText, theme, styles } = pen;
  const { dashboard, tabs, widgets } = found;
  const places = new Places();
  // People read from the top left, whatever order the arrangement has.
  const inOrder = (a: GridPlace, b: GridPlace): number => a.top - b.top || a.left - b.left;
  const cell = (place: GridPlace): string => {
    const widget = widgets.get(place.widget);
    return widget === undefined ? "" : `<div class="${places.classOf(place)}">${pen.draw(widget, place).html}</div>\n`;
  };
  const sections = tabs.map(({ title, places: own }) => {
    const heading = title === "" || tabs.length < 2 ? "" : `<h2>${escapeText(title)}</h2>\n`;
    const cells =
      own.length === 0 ? '<p class="quiet">There are no widgets here.</p>' : own.toSorted(inOrder).map(cell).join("");
    return `<section>\n${heading}<div class="grid">\n${cells}</div>\n</section>\n`;
  });
  const title = escapeText(dashboard.label);
  const about = dashboard.description ? `<p>${escapeText(dashboard.description)}</p>\n` : "";
  const note = escapeText(`${where}, ${time}. Drawn by iotdeck; the platform may draw some widgets differently.`);
  return `<!DOCTYPE html>
<html lang="en"${theme === "auto" ? "" : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}${places.style}\n${styles}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${about}<p class="quiet">${note}</p>
${sections.join("")}</main>
</body>
</html>
`;
}
