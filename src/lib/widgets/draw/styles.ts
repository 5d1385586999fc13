const palette = {
  light: ["#2f6fdd", "#e0662a", "#149174", "#a24bc4", "#c79100", "#d0425f", "#4b8f29", "#5b6b80"],
  dark: ["#6ea3ff", "#ff9a66", "#4cc9a8", "#cf8cf0", "#f0c04a", "#ff8099", "#8ccf68", "#9fb0c6"],
} as const;

const tokens = {
  light:
    "--iot-surface: #fff; --iot-ink: #1a2027; --iot-soft: #5c6672; --iot-faint: #626c78; --iot-line: #e3e7ec; --iot-rule: #9aa4b0; --iot-track: #e8ecf1; --iot-panel: #f6f8fa; --iot-accent: #2f6fdd; --iot-alarm: #d0425f; --iot-grain: #d9a441; --iot-border: #d8dde4; --iot-sea: #e9f1f8; --iot-soil: #fbf9f4; --iot-shore: #aebac6;",
  dark: "--iot-surface: #1a2027; --iot-ink: #e8edf3; --iot-soft: #a7b2bf; --iot-faint: #97a3b1; --iot-line: #2e3742; --iot-rule: #6b7785; --iot-track: #313b47; --iot-panel: #232b34; --iot-accent: #5b93f5; --iot-alarm: #ff8099; --iot-grain: #d9a441; --iot-border: #38424e; --iot-sea: #17212b; --iot-soil: #29313a; --iot-shore: #4b5866;",
} as const;

const seriesOf = (theme: "light" | "dark"): string =>
  palette[theme].map((color, i) => `--iot-s${i}: ${color};`).join(" ");
const invert = "filter: invert(1) hue-rotate(180deg);";

const LIGHT = `color-scheme: light; ${tokens.light} ${seriesOf("light")}`;
const DARK = `color-scheme: dark; ${tokens.dark} ${seriesOf("dark")}`;

const dark = (start: string): string =>
  `${start}.iot-widget:not([data-theme]) { ${DARK} } ${start}.iot-widget:not([data-theme]) .iot-deep { ${invert} } ${start}.iot-widget:not([data-theme]) .iot-pale { filter: none; }`;

const series = Array.from(
  { length: 8 },
  (_, i) => `.iot-f${i} { fill: var(--iot-s${i}); } .iot-l${i} { stroke: var(--iot-s${i}); }`,
).join("\n");

const rules = `
.iot-widget { ${LIGHT} position: relative; box-sizing: border-box; margin: 0; min-width: 0; overflow: hidden; border: 1px solid var(--iot-border); border-radius: 10px; background: var(--iot-surface); color: var(--iot-ink); font: 14px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
.iot-widget .iot-pale { ${invert} }
@media (prefers-color-scheme: dark) { ${dark(":root:not([data-theme=light]) ")} }
${dark("[data-theme=dark] ")}
.iot-widget[data-theme=dark] { ${DARK} }
.iot-widget[data-theme=dark] .iot-deep { ${invert} }
.iot-widget[data-theme=dark] .iot-pale { filter: none; }
.iot-widget *, .iot-widget *::before { box-sizing: border-box; }
.iot-back { position: absolute; inset: 0; width: 100%; height: 100%; }
.iot-widget figcaption { position: relative; display: flex; align-items: center; gap: 8px; min-height: 36px; padding: 8px 14px 2px; }
.iot-label { flex: 1; min-width: 0; font-size: 15px; font-weight: 600; }
.iot-help { flex: none; width: 18px; height: 18px; border: 1px solid var(--iot-rule); border-radius: 50%; color: var(--iot-soft); font-size: 11px; line-height: 16px; text-align: center; }
.iot-pill { flex: none; padding: 1px 9px; border: 1px solid var(--iot-border); border-radius: 10px; color: var(--iot-soft); font-size: 12px; }
.iot-body { position: relative; }
.iot-svg { display: block; max-width: 100%; height: auto; margin: 0 auto; font-family: inherit; }
.iot-tint, .iot-mark { vertical-align: middle; overflow: visible; }
.iot-mark { margin-right: 6px; }
.iot-ink { fill: var(--iot-ink); }
.iot-soft { fill: var(--iot-soft); }
.iot-panel { fill: var(--iot-surface); }
.iot-accent { fill: var(--iot-accent); }
.iot-off { fill: var(--iot-rule); }
.iot-grain { fill: var(--iot-grain); }
.iot-track { fill: var(--iot-track); }
.iot-thumb { fill: #fff; }
.iot-grid { stroke: var(--iot-line); stroke-width: 1; }
.iot-rule { stroke: var(--iot-rule); }
.iot-hand { stroke: var(--iot-ink); }
.iot-second { stroke: var(--iot-alarm); }
.iot-slice path { stroke: var(--iot-surface); }
.iot-knob { fill: var(--iot-panel); stroke: var(--iot-border); stroke-width: 1.5; }
.iot-glass { fill: var(--iot-panel); }
.iot-edge { fill: none; stroke: var(--iot-rule); stroke-width: 1.5; }
.iot-edged { stroke: var(--iot-rule); stroke-width: 1.5; }
.iot-field { fill: var(--iot-surface); stroke: var(--iot-rule); stroke-width: 1; }
.iot-place { fill: var(--iot-panel); stroke: var(--iot-border); stroke-width: 1; stroke-dasharray: 5 4; }
.iot-land { fill: var(--iot-panel); }
.iot-sea { fill: var(--iot-sea); }
.iot-coast { fill: var(--iot-soil); stroke: var(--iot-shore); stroke-width: 0.7; stroke-linejoin: round; }
.iot-bar { stroke: var(--iot-soft); stroke-width: 1.5; }
.iot-fence { fill: var(--iot-accent); stroke: var(--iot-accent); }
.iot-icon { stroke: var(--iot-accent); }
.iot-glyph { fill: none; stroke: var(--iot-rule); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
${series}
.iot-scroll { overflow-x: auto; margin: 4px 0 0; }
.iot-widget table { width: 100%; border-collapse: collapse; font-size: 13px; }
.iot-widget th { padding: 6px 14px; border-bottom: 1px solid var(--iot-border); color: var(--iot-soft); font-weight: 600; text-align: left; white-space: nowrap; }
.iot-widget td { padding: 6px 14px; border-bottom: 1px solid var(--iot-line); background: none; color: inherit; font-family: inherit; font-size: 13px; text-align: left; width: auto; overflow-wrap: break-word; }
.iot-widget .iot-right { text-align: right; }
.iot-widget .iot-center { text-align: center; }
.iot-widget .iot-cells td { border: 1px solid var(--iot-line); }
.iot-search { margin: 4px 14px 6px; padding: 5px 10px; border: 1px solid var(--iot-border); border-radius: 6px; color: var(--iot-faint); font-size: 13px; }
.iot-widget p { margin: 0; }
.iot-faint { color: var(--iot-faint); }
.iot-widget p.iot-faint { padding: 4px 14px; }
.iot-widget p.iot-foot { padding: 6px 14px 10px; color: var(--iot-faint); font-size: 12px; }
.iot-widget p.iot-empty { padding: 28px 14px; color: var(--iot-soft); text-align: center; }
.iot-note { padding: 6px 14px 16px; white-space: pre-wrap; }
.iot-json { max-height: 320px; margin: 4px 14px 14px; padding: 10px; overflow: auto; border-radius: 6px; background: var(--iot-panel); font: 12px/1.45 ui-monospace, monospace; white-space: pre-wrap; }
.iot-form { padding: 4px 14px 14px; }
.iot-widget .iot-form p { padding: 4px 0; }
.iot-widget p.iot-section { font-weight: 600; }
.iot-fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: 8px 14px; align-items: end; }
.iot-field-row { display: flex; flex-direction: column; gap: 3px; min-width: 0; }
.iot-hidden { min-width: 0; }
.iot-hidden > :first-child { opacity: 0.5; }
.iot-when { display: block; color: var(--iot-soft); font-size: 11px; font-style: italic; }
.iot-name { color: var(--iot-soft); font-size: 12px; }
.iot-star { color: var(--iot-alarm); }
.iot-input { display: flex; justify-content: space-between; gap: 8px; min-height: 32px; padding: 5px 10px; border: 1px solid var(--iot-border); border-radius: 6px; background: var(--iot-surface); font-size: 13px; }
.iot-row { display: flex; align-items: center; gap: 8px; min-height: 32px; }
.iot-row svg { flex: none; }
.iot-buttons { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end; margin-top: 12px; }
`;

/**
 * The style sheet of all drawings, for once in a page. Dark follows the system, or `data-theme="dark"` on an element
 * around the drawings.
 *
 * @example
 * ```ts
 * import { widgetStyles } from "iotdeck/draw";
 *
 * const head = "<style>" + widgetStyles() + "</style>";
 * ```
 */
export const widgetStyles = (): string => rules;
