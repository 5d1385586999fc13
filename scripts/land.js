// Writes the outline of the land that maps are drawn over: Natural Earth (public domain) as world-atlas has it, made coarser.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "src/lib/widgets/draw/land-outline.ts");

/** Degrees that a point may lie beside the outline, the unit of what is written, and the smallest island that is kept. */
const [NEAR, UNIT, LEAST] = [0.1, 0.1, 0.06];

/** Douglas and Peucker: the points without which the outline would be elsewhere. */
function simplified(points) {
  const kept = new Set([0, points.length - 1]);
  const open = [[0, points.length - 1]];
  while (open.length > 0) {
    const [from, to] = open.pop();
    const [[x1, y1], [x2, y2]] = [points[from], points[to]];
    const length = Math.hypot(x2 - x1, y2 - y1);
    let [far, at] = [0, -1];
    for (let i = from + 1; i < to; i++) {
      const [x, y] = points[i];
      const away =
        length === 0 ? Math.hypot(x - x1, y - y1) : Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length;
      if (away > far) [far, at] = [away, i];
    }
    if (far <= NEAR) continue;
    kept.add(at);
    open.push([from, at], [at, to]);
  }
  return points.filter((_, i) => kept.has(i));
}

const areaOf = (ring) =>
  Math.abs(
    ring.reduce((sum, [x, y], i) => sum + x * (ring[i + 1] ?? ring[0])[1] - (ring[i + 1] ?? ring[0])[0] * y, 0),
  ) / 2;

/** The first point, then the step to each of the others, in units. */
function written(ring) {
  let [x, y] = [0, 0];
  return ring
    .flatMap(([lng, lat]) => {
      const [nextX, nextY] = [Math.round(lng / UNIT), Math.round(lat / UNIT)];
      const step = [nextX - x, nextY - y];
      [x, y] = [nextX, nextY];
      return step;
    })
    .join(" ");
}

/** Over the antimeridian without a jump; what goes around the pole is closed along it. */
function inRow(ring) {
  let last = ring[0][0];
  const points = ring.map(([x, y]) => {
    last = x + Math.round((last - x) / 360) * 360;
    return [last, y];
  });
  const end = ring[0][0] + Math.round((last - ring[0][0]) / 360) * 360;
  return end === ring[0][0] ? points : [...points, [end, ring[0][1]], [end, -90], [ring[0][0], -90]];
}

/** The module with the outline. */
export function landModule() {
  const topology = JSON.parse(readFileSync(join(root, "node_modules/world-atlas/land-50m.json"), "utf8"));
  const { scale, translate } = topology.transform;
  const arcs = topology.arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
  const ringOf = (indices) => inRow(indices.flatMap((i) => (i < 0 ? [...arcs[~i]].reverse() : arcs[i]).slice(0, -1)));
  const rings = topology.objects.land.geometries
    .flatMap(({ arcs: polygons }) => polygons.flat().map(ringOf))
    .filter((ring) => areaOf(ring) >= LEAST)
    .map((ring) => simplified([...ring, ring[0]]).slice(0, -1))
    .filter((ring) => ring.length > 2);
  const head = `// Written by scripts/land.js from Natural Earth (public domain): rings, each the steps from point to point in ${UNIT} degrees.`;
  return `${head}\nexport const LAND_UNIT = ${UNIT};\nexport const LAND = \`\n${rings.map(written).join("\n")}\n\`;\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, landModule());
