// Writes the icons that widgets name: those of lucide in this list, each as one line of path data.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "src/lib/widgets/draw/icon-paths.ts");

const names = `activity air-vent alarm-clock ambulance anchor antenna arrow-down arrow-left arrow-right arrow-up battery
  battery-charging battery-full battery-low battery-warning bed bell bell-off bike bluetooth box building bus calendar
  camera car cctv chart-column chart-line chart-pie check circle circle-check circle-question-mark circle-x clipboard
  clock cloud cloud-lightning cloud-rain cloud-snow cloud-sun construction container contrast cpu cylinder database
  dollar-sign door-closed door-open download droplet droplets ev-charger eye factory fan faucet fence file
  fire-extinguisher flag flame flask-conical folder forklift fuel funnel gauge globe grid-3x3 hammer hard-drive hard-hat
  heart heater hospital hourglass house image info key lamp landmark laptop leaf lightbulb link list lock lock-open
  magnet mail map map-pin megaphone menu message-square mic minus monitor moon motorbike mountain navigation network
  octagon-alert package pause pen phone plane play plug plus power printer qr-code radar radiation radio radio-tower
  recycle refresh-cw refrigerator road route router rss satellite save search send server settings share-2 shield
  shield-check ship shopping-cart signal siren sliders-horizontal smartphone snowflake solar-panel speaker sprout square
  star store sun tablet tag target thermometer timer toggle-left toggle-right train-front trash tractor tree-deciduous
  tree-pine trending-down trending-up triangle-alert truck unplug upload usb user users utensils utility-pole van video
  volume-2 volume-x warehouse washing-machine waves-horizontal weight wheat wifi wifi-off wind wrench x zap`.split(
  /\s+/,
);

const number = (value) => Number(value ?? 0);
const closed = (points) => `M${points.trim().replace(/\s+/g, " ")}Z`;
const round = (cx, cy, rx, ry) => `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`;

function box({ x, y, width, height, rx, ry }) {
  const [w, h, r] = [number(width), number(height), number(rx ?? ry)];
  const start = `M${number(x) + r} ${number(y)}`;
  if (r === 0) return `${start}h${w}v${h}h${-w}z`;
  const corner = (dx, dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  return `${start}h${w - 2 * r}${corner(r, r)}v${h - 2 * r}${corner(-r, r)}h${2 * r - w}${corner(-r, -r)}v${2 * r - h}${corner(r, -r)}z`;
}

const NUMBER = String.raw`(-?(?:\d+(?:\.\d+)?|\.\d+))`;
const START = new RegExp(`^m ?${NUMBER}[ ,]?${NUMBER}(?=( ?[\\d.-])?)`);

const shapes = {
  // The first m of a path is absolute, and would not be after another path.
  path: ({ d }) => d.replace(START, (_, x, y, more) => `M${x} ${y}${more === undefined ? "" : "l"}`),
  circle: ({ cx, cy, r }) => round(number(cx), number(cy), number(r), number(r)),
  ellipse: ({ cx, cy, rx, ry }) => round(number(cx), number(cy), number(rx), number(ry)),
  line: ({ x1, y1, x2, y2 }) => `M${x1} ${y1}L${x2} ${y2}`,
  polyline: ({ points }) => `M${points}`,
  polygon: ({ points }) => closed(points),
  rect: box,
};

/** The module with the icons. */
export function iconModule() {
  const nodes = JSON.parse(readFileSync(join(root, "node_modules/lucide-static/icon-nodes.json"), "utf8"));
  const lines = [...new Set(names)].sort().map((name) => {
    if (nodes[name] === undefined) throw new Error(`lucide has no icon ${name}`);
    const d = nodes[name].map(([shape, attributes]) => shapes[shape](attributes)).join("");
    const key = /^\w+$/.test(name) ? name : `"${name}"`;
    return `  ${key}:${key.length > 4 && key.length + d.length > 113 ? "\n   " : ""} "${d}",`;
  });
  return `// Written by scripts/icons.js from lucide (ISC). Icons are 24 by 24, drawn with lines 2 wide.\nexport const ICON_PATHS = {\n${lines.join("\n")}\n} as const;\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, iconModule());
