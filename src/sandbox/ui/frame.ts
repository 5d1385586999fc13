import { html } from "hono/html";
import { SANDBOX_VERSION } from "../core/version.ts";

/** Markup in which everything that was put in has been escaped. */
export type Markup = ReturnType<typeof html>;

const VIEWS = [
  ["devices", "Devices"],
  ["live", "Live data"],
  ["outbox", "Outbox"],
  ["requests", "Requests"],
  ["gaps", "Gaps"],
] as const;

/** The whole document around one view. */
export function frame(view: string, title: string, content: Markup): Markup {
  const link = ([name, label]: (typeof VIEWS)[number]): Markup => {
    const current = name === view ? html` aria-current="page"` : "";
    return html`<li><a href="/__sandbox/?view=${name}"${current}>${label}</a></li>`;
  };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__sandbox/page.css">
<script src="/__sandbox/page.js" defer></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<p class="name">Sandbox</p>
<p>iotdeck ${SANDBOX_VERSION}, on this machine only</p>
<nav aria-label="Views"><ul>${VIEWS.map(link)}</ul></nav>
</header>
<main id="content" tabindex="-1">
${content}
</main>
</body>
</html>`;
}

/** A column: what it is called, and how its cells look. */
export interface PageColumn<Row> {
  readonly title: string;
  readonly kind?: "number" | "time" | "code" | "id" | "wide";
  /** The first column names the row. */
  readonly isName?: boolean;
  readonly cell: (row: Row) => Markup | string | number;
}

export function table<Row>(
  caption: string,
  columns: readonly PageColumn<Row>[],
  rows: readonly Row[],
  empty: string,
): Markup {
  if (rows.length === 0) return html`<p class="none">${empty}</p>`;
  const head = columns.map(({ title, kind }) => html`<th scope="col" class="${kind ?? ""}">${title}</th>`);
  const line = (row: Row): Markup =>
    html`<tr>${columns.map(({ kind, isName, cell }) =>
      isName
        ? html`<th scope="row" class="${kind ?? ""}">${cell(row)}</th>`
        : html`<td class="${kind ?? ""}">${cell(row)}</td>`,
    )}</tr>\n`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${rows.map(line)}</tbody></table></div>`;
}

/** A box to search in a view. */
export function searchBox(view: string, label: string, text: string): Markup {
  return html`<form class="tools" method="get" action="/__sandbox/" role="search">
<input type="hidden" name="view" value="${view}">
<div><label for="q">${label}</label><input id="q" name="q" type="search" value="${text}"></div>
<button type="submit">Search</button>
</form>`;
}

/** `2026-01-31 12:00:00.000`, in UTC as it is stored. */
export function moment(value: unknown): string {
  return typeof value === "string" ? value.replace("T", " ").replace("Z", "") : "";
}
