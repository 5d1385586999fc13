// Makes the pictures of docs/screens and the texts of the screen in docs/live-view.md, from the built program.
//   node scripts/screens.js                     writes them (with Chromium)
//   node scripts/screens.js --check             names those that are stale, but for the console's
//   node scripts/screens.js --check --browser   names the console's that are stale
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSandbox } from "../dist/sandbox.js";
import { digestOf, drawConsole, drawWidgets, openBrowser, widgetsPage } from "./screens/browser-screens.js";
import { NOW_MS, openPlace } from "./screens/place.js";
import { drawScreens, textScreens, withTexts } from "./screens/terminal-screens.js";
import { consoleFrame, tourInTerminal, tourOf, withoutPhotograph } from "./screens/tour.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "docs", "screens");
const livePage = join(root, "docs", "live-view.md");
const digestsFile = join(folder, "screens.json");
const isCheck = process.argv.includes("--check");
const isOfBrowser = process.argv.includes("--browser");

/** The terminal's pictures and texts by their path, and what moves in the picture of the README. */
async function makeInTerminal(sandbox, place) {
  const [screens, texts] = await Promise.all([drawScreens(sandbox, place), textScreens(place)]);
  const files = { [livePage]: withTexts(readFileSync(livePage, "utf8"), texts) };
  for (const [name, svg] of Object.entries(screens)) files[join(folder, name)] = svg;
  return { files, frames: await tourOfOwnSandbox() };
}

/** In a sandbox of its own, to which the others have sent nothing. */
async function tourOfOwnSandbox() {
  const sandbox = await createSandbox({ ephemeral: true, clock: new Date(NOW_MS) });
  const place = await openPlace(sandbox);
  try {
    return await tourInTerminal(sandbox, place);
  } finally {
    place.close();
    await sandbox.close();
  }
}

/** The console's pictures and that of the widgets by their name, in a sandbox nobody has sent anything to. */
async function makeInBrowser(html) {
  const sandbox = await createSandbox({ ephemeral: true, clock: new Date(NOW_MS) });
  const browser = await openBrowser();
  try {
    const light = await drawConsole(browser, sandbox, "light");
    const dark = await drawConsole(browser, sandbox, "dark");
    return {
      pngs: {
        "widget-before-after.png": await drawWidgets(browser, html),
        "console-dashboard-light.png": light.png,
        "console-dashboard-dark.png": dark.png,
      },
      digests: {
        "console-dashboard-light.png": digestOf(light.shown),
        "console-dashboard-dark.png": digestOf(dark.shown),
      },
    };
  } finally {
    await browser.close();
    await sandbox.close();
  }
}

function write(files, pngs, digests) {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
  for (const [name, png] of Object.entries(pngs)) writeFileSync(join(folder, name), png);
  writeFileSync(digestsFile, `${JSON.stringify(digests, null, 2)}\n`);
}

/** Names of what is not as it would be written now. */
function staleOf(files, digests) {
  const written = existsSync(digestsFile) ? JSON.parse(readFileSync(digestsFile, "utf8")) : {};
  const isStale = (path, text) => !existsSync(path) || withoutPhotograph(readFileSync(path, "utf8")) !== text;
  const texts = Object.keys(files).filter((path) => isStale(path, files[path]));
  const pictures = Object.keys(digests).filter((name) => written[name] !== digests[name]);
  return [...texts.map((path) => path.slice(root.length + 1)), ...pictures.map((name) => `docs/screens/${name}`)];
}

const sandbox = await createSandbox({ ephemeral: true, clock: new Date(NOW_MS) });
const place = await openPlace(sandbox);
try {
  const html = await widgetsPage(place);
  const { files, frames } = isCheck && isOfBrowser ? { files: {} } : await makeInTerminal(sandbox, place);
  const drawn = isCheck && !isOfBrowser ? { pngs: {}, digests: {} } : await makeInBrowser(html);
  const digests = { "widget-before-after.png": digestOf(html), ...drawn.digests };
  if (frames !== undefined) {
    const svg = tourOf([...frames, consoleFrame(drawn.pngs["console-dashboard-light.png"] ?? "")]);
    files[join(folder, "tour.svg")] = isCheck ? withoutPhotograph(svg) : svg;
  }
  if (!isCheck) write(files, drawn.pngs, digests);
  else {
    const stale = staleOf(files, digests);
    for (const name of stale) console.error(`stale: ${name}`);
    if (stale.length > 0) console.error('Run "npm run docs:screens", look at the pictures, and commit them.');
    process.exitCode = stale.length === 0 ? 0 : 1;
  }
} finally {
  place.close();
  await sandbox.close();
}
