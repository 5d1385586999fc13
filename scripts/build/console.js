// The console of the sandbox, which the sandbox serves to the browser, and the page around pages that are being written.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes `web/` into a folder. `make` bundles, and resolves to the metafile. */
export async function makeConsole(make, { root, out, drawEntry }) {
  const { outputs } = await make("web", consoleOptions(root, out, drawEntry));
  // What app.js imports is asked for together with it.
  const { imports } = outputs[`${out}/web/app.js`];
  const preloads = imports
    .filter(({ kind, external: isBeside }) => kind === "import-statement" && !isBeside)
    .map(({ path }) => `<link rel="modulepreload" href="/assets${path.slice(`${out}/web`.length)}">\n`);
  writeFileSync(
    `${out}/web/index.html`,
    readFileSync("src/web/index.html", "utf8").replace("<script", () => `${preloads.join("")}<script`),
  );
  await makePage(make, out);
}

/** Built already: the console loads these files beside its own. */
function filesBeside(root, drawEntry) {
  const beside = new Map([
    [join(root, "src/index.ts"), "/assets/browser.js"],
    [join(root, drawEntry), "/assets/draw.js"],
    ...["core/json", "widgets/catalog", "widgets/displays", "widgets/engine", "widgets/json-schema"].map((name) => [
      join(root, `src/lib/${name}.ts`),
      "/assets/draw.js",
    ]),
  ]);
  return {
    name: "beside-console",
    setup({ onResolve }) {
      onResolve({ filter: /(index|page|json|catalog|displays|engine|json-schema)\.ts$/ }, ({ path, resolveDir }) => {
        const address = beside.get(join(resolveDir, path));
        return address && { path: address, external: true };
      });
    },
  };
}

/** What the first view does not need is loaded on use. */
const consoleOptions = (root, out, drawEntry) => ({
  entryPoints: [
    { in: "src/web/index.tsx", out: "app" },
    { in: "src/web/theme.css", out: "app" },
    { in: "src/web/editor/editor.css", out: "editor" },
  ],
  outdir: `${out}/web`,
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  // Addresses of the parts: the page is at several paths.
  publicPath: "/assets",
  platform: "browser",
  target: "es2022",
  format: "esm",
  minify: true,
  jsx: "automatic",
  plugins: [filesBeside(root, drawEntry)],
  define: { "process.env.NODE_ENV": '"production"' },
});

/** The page around pages that are being written, in one file. */
async function makePage(make, out) {
  await make("page", {
    entryPoints: { page: "src/web/pages/page.ts", style: "src/web/pages/page.css" },
    outdir: `${out}/page`,
    platform: "browser",
    target: "es2022",
    format: "esm",
    minify: true,
  });
  const pagePart = (name) => readFileSync(`${out}/page/${name}`, "utf8").trim();
  const page = readFileSync("src/web/pages/page.html", "utf8")
    .replace("<style>", () => `<style>${pagePart("style.css")}`)
    .replace(
      '<script type="module">',
      () => `<script type="module">${pagePart("page.js").replaceAll("</script", "<\\/script")}`,
    );
  writeFileSync(`${out}/web/page.html`, page);
  rmSync(`${out}/page`, { recursive: true });
}
