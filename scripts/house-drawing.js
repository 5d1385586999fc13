// Writes docs/screens/house.svg: the folders of src and the imports between them. An arrow that follows from others is
// left out. Checked by test/contract/house-drawing.test.ts. `--print` writes to the standard output instead.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { instance } from "@viz-js/viz";
import ts from "typescript";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const aliases = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).imports;
const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
  .sort();

/** These are drawn apart from the folder they are in, and these as a part of the file that loads them. */
const apart = /^(lib\/widgets\/draw|commands\/(program|kit|registry\.ts))(?=\/|$)/;
const parts = new Map([
  ["compile-cache.ts", "cli.ts"],
  ["lib/official-types.ts", "index.ts"],
]);
/** A folder, or a file beside the folders. Every folder of the library is a box. */
const boxOf = (file) => parts.get(file) ?? (apart.exec(file) ?? /^lib\/[^/]+|^[^/]+/.exec(file))[0];
const colours = [
  [/^(lib|index)\b/, "#ddf1e0"],
  [/^(commands|cli|tui)\b/, "#dcecfb"],
  [/^(sandbox|web)\b/, "#fdebd3"],
  [/^/, "#eeeeee"],
];

/** What each box imports, types and late imports included. */
function readImports() {
  const found = new Map(files.map((file) => [boxOf(file), new Set()]));
  for (const file of files) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, "src", file), "utf8"));
    for (const { fileName } of importedFiles) {
      const alias = aliases[fileName]?.default.replace("./src/", "");
      const path = fileName.startsWith(".") ? posix.join(posix.dirname(file), fileName) : alias;
      if (path !== undefined && boxOf(path) !== boxOf(file)) found.get(boxOf(file)).add(boxOf(path));
    }
  }
  return found;
}

/** The arrows that no other way replaces. */
function arrows(imports) {
  const reaches = (from, to, path = []) => {
    if (path.includes(from)) throw new Error(`the imports go in a circle: ${[...path, from].join(" -> ")}`);
    return [...imports.get(from)].some((next) => next === to || reaches(next, to, [...path, from]));
  };
  return [...imports].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
      .map((to) => ({ tail: from, head: to })),
  );
}

async function draw() {
  const imports = readImports();
  const line = { color: "#5b6770" };
  const fill = (name) => colours.find(([names]) => names.test(name))[1];
  const graph = {
    name: "The folders of src and their imports",
    graphAttributes: { bgcolor: "white", pad: 0.2, nodesep: 0.35, ranksep: 0.3 },
    nodeAttributes: { ...line, shape: "box", style: "rounded,filled", fontname: "sans-serif", margin: "0.3,0.05" },
    edgeAttributes: { ...line, arrowsize: 0.7 },
    nodes: [...imports.keys()].map((name) => ({ name, attributes: { fillcolor: fill(name) } })),
    edges: arrows(imports),
  };
  return (await instance()).renderString(graph, { format: "svg" });
}

const svg = await draw();
if (process.argv.includes("--print")) process.stdout.write(svg);
else writeFileSync(join(root, "docs", "screens", "house.svg"), svg);
