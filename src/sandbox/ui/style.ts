/** The page's style sheet. Light or dark follows the reader's own setting. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --sheet: #ffffff; --text: #1b2430; --soft: #566273; --line: #d5dae1;
  --accent: #0b5cad; --accent-ground: #e4effa; --good: #17663a; --bad: #a8201a; --warn: #7a4b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --sheet: #1a2029; --text: #e4e9f0; --soft: #a3aebd; --line: #333d4a;
    --accent: #7db8f5; --accent-ground: #1f3147; --good: #77d39b; --bad: #ff9d96; --warn: #f0c274;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 2px;
}
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--sheet); padding: .5rem 1rem; }
header { background: var(--sheet); border-bottom: 1px solid var(--line); padding: .75rem 1.5rem 0; }
header p { margin: 0; color: var(--soft); font-size: .875rem; }
header .name { font-size: 1.125rem; font-weight: 600; color: var(--text); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: .5rem 0 0; padding: 0; }
nav a { display: block; padding: .5rem .875rem; text-decoration: none; border-bottom: 3px solid transparent; }
nav a:hover { background: var(--accent-ground); }
nav a[aria-current] { border-bottom-color: var(--accent); font-weight: 600; color: var(--text); }
main { max-width: 80rem; margin: 0 auto; padding: 1rem 1.5rem 3rem; }
h1 { font-size: 1.5rem; margin: .5rem 0 .25rem; }
h2 { font-size: 1.125rem; margin: 1.75rem 0 .5rem; }
.about { color: var(--soft); margin: 0 0 1rem; max-width: 60rem; }
.tools { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 0 0 1rem; }
label { display: block; font-size: .875rem; color: var(--soft); }
input, button {
  font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--soft); border-radius: .375rem;
  padding: .375rem .75rem;
}
input { min-width: 18rem; max-width: 100%; }
button { cursor: pointer; background: var(--accent-ground); border-color: var(--accent); }
.scroll { overflow-x: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
caption { text-align: left; padding: .625rem .875rem; color: var(--soft); font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .875rem; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; font-size: .8125rem; white-space: nowrap; }
tbody tr:hover { background: var(--accent-ground); }
tbody th { font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.code { font-family: ui-monospace, monospace; font-size: .875rem; overflow-wrap: anywhere; }
.time { white-space: nowrap; font-variant-numeric: tabular-nums; }
thead th.code { font-family: inherit; font-size: .8125rem; }
.id { font-family: ui-monospace, monospace; font-size: .875rem; white-space: nowrap; }
.wide { min-width: 14rem; overflow-wrap: anywhere; }
.tools .state { margin: 0; align-self: center; }
.state { white-space: nowrap; font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.tag {
  display: inline-block; background: var(--accent-ground); border-radius: .25rem; padding: 0 .375rem; margin: 0 .25rem .25rem 0;
  font-size: .8125rem; overflow-wrap: anywhere;
}
.none { padding: 1.25rem; color: var(--soft); background: var(--sheet); border: 1px dashed var(--line); border-radius: .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: .25rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; }
@media (max-width: 40rem) {
  header, main { padding-left: 1rem; padding-right: 1rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
}
`.trimStart();
