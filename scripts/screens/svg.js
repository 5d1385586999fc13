// A screen of a terminal as SVG: a dark window with text that can be selected, in the reader's own monospace font.
const CELL = 8.4;
const LINE = 17;
const EDGE = 16;
/** Height of the bar with the title. */
export const BAR = 38;
const FONT =
  'ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", "Liberation Mono", "Cascadia Mono", Consolas, monospace';
const BACK = "#12171e";
const INK = "#d5dce5";
/** The 16 basic colors, by their number in a terminal. */
const COLORS = [
  ...["#3b4552", "#f2777a", "#7fd18b", "#e8c268", "#78aef0", "#c79bf2", "#5fc9d3", "#d5dce5"],
  ...["#7d8a99", "#ff9699", "#9be5a6", "#ffd98a", "#9cc6ff", "#dcbcff", "#8ae0e8", "#ffffff"],
];

const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeXml = (text) => text.replaceAll(/[&<>"]/g, (char) => entities[char]);
const round = (number) => Number(number.toFixed(1));

/** The window, with its title and what is on the screen. */
export function svgOf(screen, title) {
  const lines = linesOf(screen);
  const { width } = sizeOf(screen);
  const height = BAR + (lines.findLastIndex((line) => line !== "") + 1) * LINE + EDGE;
  return documentOf(width, height, title, "", windowOf(lines, title, width, height));
}

/** The size of the window with every row of its screen. */
export const sizeOf = ({ cols, rows }) => ({ width: round(cols * CELL + 2 * EDGE), height: BAR + rows * LINE + EDGE });

export const linesOf = (screen) => Array.from({ length: screen.rows }, (_, y) => lineOf(screen, y));

export function documentOf(width, height, title, styles, content) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(title)}</title>
<style>
text { font: 14px ${FONT}; fill: ${INK}; white-space: pre }
.bold { font-weight: bold }
.dim { opacity: 0.6 }
.back { shape-rendering: crispEdges }
${styles}</style>
${content}
</svg>
`;
}

export function windowOf(lines, title, width, height) {
  return `${barOf(title, width, height)}
<g xml:space="preserve">
${lines.filter((line) => line !== "").join("\n")}
</g>`;
}

/** The window without what is in it. */
export function barOf(title, width, height) {
  const dots = ["#f2777a", "#e8c268", "#7fd18b"].map(
    (color, i) => `<circle cx="${20 + i * 18}" cy="18" r="5.5" fill="${color}"/>`,
  );
  return `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${BACK}" stroke="#39434f"/>
${dots.join("")}
<text x="${width / 2}" y="23" text-anchor="middle" class="dim">${escapeXml(title)}</text>`;
}

/** A line: rectangles where the background has a color, and the text in spans. */
function lineOf(screen, y) {
  const spans = spansOf(screen.buffer.active.getLine(y), screen.cols);
  const top = BAR + y * LINE;
  const backs = spans
    .filter(({ back }) => back !== undefined)
    .map(
      ({ column, cells, back }) =>
        `<rect class="back" x="${left(column)}" y="${top}" width="${round(cells * CELL)}" height="${LINE}" fill="${back}"/>`,
    );
  const isBlank = spans.every(({ text }) => text.trim() === "");
  return `${backs.join("")}${isBlank ? "" : `<text y="${top + 13}">${spans.map(spanOf).join("")}</text>`}`;
}

const left = (column) => round(EDGE + column * CELL);

/** With its length, so that columns stay in line in every font. */
function spanOf({ column, cells, text, fore, names }) {
  const look = `${names === "" ? "" : ` class="${names}"`}${fore === undefined ? "" : ` style="fill: ${fore}"`}`;
  return `<tspan x="${left(column)}" textLength="${round(cells * CELL)}" lengthAdjust="spacingAndGlyphs"${look}>${escapeXml(text)}</tspan>`;
}

/** Cells next to each other that look the same; a new one after a gap, and where letters and drawn lines meet. */
function spansOf(line, columns) {
  const spans = [];
  let last;
  for (let column = 0; column < columns; column += 1) {
    const cell = line.getCell(column);
    if (cell.getWidth() === 0) continue;
    const char = cell.getChars() || " ";
    const look = lookOf(cell);
    const isLetter = char <= "~";
    const isNew = last?.key !== look.key || (char !== " " && (last.isLetter !== isLetter || last.text.endsWith("  ")));
    if (isNew) {
      last = { column, cells: 0, text: "", isLetter, ...look };
      spans.push(last);
    }
    last.cells += cell.getWidth();
    last.text += char;
  }
  while (spans.at(-1)?.text.trim() === "" && spans.at(-1).back === undefined) spans.pop();
  return spans;
}

function lookOf(cell) {
  const own = { fore: colorOf(cell, "Fg"), back: colorOf(cell, "Bg") };
  const { fore, back } = cell.isInverse() ? { fore: own.back ?? BACK, back: own.fore ?? INK } : own;
  const names = [cell.isBold() ? "bold" : "", cell.isDim() ? "dim" : ""].filter(Boolean).join(" ");
  return { fore, back, names, key: `${fore} ${back} ${names}` };
}

function colorOf(cell, side) {
  if (cell[`is${side}Default`]()) return undefined;
  const color = COLORS[cell[`get${side}Color`]()];
  if (!cell[`is${side}Palette`]() || color === undefined)
    throw new Error("The screen has a color beyond the 16 basic ones.");
  return color;
}
