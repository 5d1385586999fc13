// Copies the pages to one folder, with the paths they have in the repository, so that their links hold in both.
import { cpSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = join(root, "site", "pages");

rmSync(pages, { recursive: true, force: true });
cpSync(join(root, "docs"), join(pages, "docs"), { recursive: true });
for (const name of ["CHANGELOG.md", "CONTRIBUTING.md"]) cpSync(join(root, name), join(pages, name));
cpSync(join(root, "site", "index.md"), join(pages, "index.md"));

// A web server looks for an index page.
for (const name of readdirSync(pages, { recursive: true, encoding: "utf8" }))
  if (name.endsWith("README.md")) renameSync(join(pages, name), join(pages, name.replace("README.md", "index.md")));
