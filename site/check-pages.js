// Checks the built pages: links lead to pages and anchors that exist, and nothing loads from another host.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("dist", import.meta.url));
const here = new URL(`${process.env.SITE_BASE ?? ""}/`, "http://site.invalid");

const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
const addressOf = (file) => new URL(file.replace(/(^|\/)index\.html$/, "$1"), here).pathname;
const anchors = new Map(files.map((file) => [addressOf(file), new Set()]));
const pages = files.filter((file) => file.endsWith(".html"));
const texts = new Map(pages.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
for (const [file, text] of texts)
  for (const [, id] of text.matchAll(/\sid="([^"]*)"/g)) anchors.get(addressOf(file)).add(id);

const faults = new Set();
let links = 0;
for (const [file, text] of texts) {
  for (const [, tag, attributes] of text.matchAll(/<(a|link|script|img|source|iframe)\s([^>]*)>/g)) {
    const [, target] = /(?:^|\s)(?:href|src)="([^"]*)"/.exec(attributes) ?? [];
    if (target === undefined) continue;
    links += 1;
    const url = new URL(target.replaceAll("&amp;", "&"), new URL(addressOf(file), here));
    if (url.protocol === "data:") continue;
    if (url.origin !== here.origin) {
      if (tag !== "a") faults.add(`${file}: loads ${target}`);
      continue;
    }
    const ids = anchors.get(url.pathname) ?? anchors.get(url.pathname.replace(/(\.html)?$/, ".html"));
    if (ids === undefined) faults.add(`${file}: ${target} is not a page`);
    else if (url.hash !== "" && !ids.has(decodeURIComponent(url.hash.slice(1))))
      faults.add(`${file}: ${target} is not an anchor`);
  }
}

for (const fault of faults) console.error(fault);
console.log(`${pages.length} pages, ${links} links, ${faults.size} faults`);
process.exitCode = faults.size === 0 && links > 0 ? 0 : 1;
