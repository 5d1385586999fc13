import { filterStyle } from "./report-filter.ts";

const dark = `--back: #14181d; --text: #e3e8ee; --soft: #9aa6b4; --line: #333c47; --panel: #1c2229;
  --good: #7ddba0; --good-back: #16331f; --bad: #ff9d98; --bad-back: #401c1b; --mid: #efc566; --mid-back: #3a2e10; --plain-back: #2a323c;`;

/** The looks of the html report, in light and in dark. */
export const style = `
:root { color-scheme: light dark; --back: #fff; --text: #1d232b; --soft: #5b6573; --line: #d8dde4; --panel: #f6f8fa;
  --good: #146c3a; --good-back: #dff3e6; --bad: #a3201f; --bad-back: #fbe3e2; --mid: #7a5200; --mid-back: #fbeecb; --plain-back: #e8ecf1; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ${dark} } }
:root[data-theme=dark] { color-scheme: dark; ${dark} }
:root[data-theme=light] { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { display: flex; flex-direction: column; gap: 10px; max-width: 2000px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { order: -3; margin: 0; font-size: 1.5rem; }
h2 { margin: 18px 0 6px; font-size: 0.95rem; }
.summary { order: -2; }
.summary h2, .group > h2 { margin: 14px 0 4px; font-size: 1.1rem; overflow-wrap: anywhere; }
.filter { order: -1; display: flex; flex-wrap: wrap; align-items: center; gap: 6px 16px; padding: 8px 0; border-bottom: 1px solid var(--line); }
main:not(:has(.widget ~ .widget, .group ~ .group, .left)) .filter { display: none; }
.choices { margin: 0; padding: 0; list-style: none; }
.choices label { display: flex; gap: 4px; align-items: baseline; }
.group { display: flex; flex-direction: column; gap: 10px; }
.group > .line { order: 1; }
.group > .left { order: 2; }
.left > .widget { margin-top: 6px; }
.group:has(> .single) { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 440px), 1fr)); grid-auto-flow: dense; align-items: start; }
.group > h2, .group:has(> .single) > .widget:not(.single) { grid-column: 1 / -1; }
.widget > details { margin-top: 8px; }
.widget > details[open] > summary { margin-bottom: 6px; }
.counts { display: flex; flex-wrap: wrap; gap: 10px; }
.count { min-width: 110px; padding: 8px 14px; border-radius: 8px; background: var(--plain-back); }
.count b { display: block; font-size: 1.4rem; line-height: 1.2; }
.count.converted { background: var(--good-back); color: var(--good); }
.count.invalid, .count.failed { background: var(--bad-back); color: var(--bad); }
.count.unsupported { background: var(--mid-back); color: var(--mid); }
span.lost { margin-left: 6px; color: var(--mid); }
.note { color: var(--soft); }
.widget { border: 1px solid var(--line); border-radius: 8px; background: var(--panel); padding: 10px 14px; min-width: 0; overflow-wrap: anywhere; }
summary { cursor: pointer; }
.badge { display: inline-block; padding: 0 8px; border-radius: 10px; background: var(--plain-back); font-size: 0.8rem; }
.badge.converted { background: var(--good-back); color: var(--good); }
.badge.invalid, .badge.failed { background: var(--bad-back); color: var(--bad); }
.badge.unsupported { background: var(--mid-back); color: var(--mid); }
.types { margin-left: 6px; }
.where { color: var(--soft); margin-left: 6px; }
.notes { margin: 8px 0 0; padding-left: 22px; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--back); }
table { width: 100%; border-collapse: collapse; font-size: 0.85rem; }
th { text-align: left; padding: 4px 10px; color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--line); }
td { padding: 2px 10px; vertical-align: top; overflow-wrap: anywhere; }
.keys td { border-top: 1px solid var(--line); }
.keys td:first-child { width: 38%; font-family: ui-monospace, monospace; }
.keys tr.lost td { background: var(--bad-back); }
.keys tr.not-needed td { color: var(--soft); }
.keys ul { margin: 4px 0; padding-left: 18px; }
.diff { table-layout: fixed; }
.diff td { width: 50%; font-family: ui-monospace, monospace; font-size: 0.8rem; white-space: pre-wrap; }
.diff td + td { border-left: 1px solid var(--line); }
.diff td.old { background: var(--bad-back); }
.diff td.new { background: var(--good-back); }
.diff td.none { background: var(--plain-back); }
.hidden { padding: 0 3px; border: 1px solid var(--bad); border-radius: 3px; color: var(--bad); font-size: 0.8em; }
.pictures { display: flex; flex-wrap: wrap; gap: 12px; margin: 10px 0; }
.picture { flex: 1 1 380px; min-width: 0; max-width: 100%; }
.picture > p { margin: 0 0 4px; color: var(--soft); font-size: 0.85rem; }
.picture .iot-widget { background: var(--iot-surface); }
.picture .iot-svg { width: 100%; }
@media print { .widget { break-inside: avoid; } .filter { display: none; } }
${filterStyle}`;
