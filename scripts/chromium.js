// The browser of the checks and pictures: the one that CHROMIUM names, otherwise one of the usual names in PATH.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Path of the browser. Without one, the process ends with an error. */
export function findChromium() {
  const named = process.env.CHROMIUM;
  const usual = NAMES.flatMap((name) => (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)));
  const browser = named === undefined || named === "" ? usual.find(existsSync) : named;
  if (browser !== undefined && existsSync(browser)) return browser;
  console.error("error: No Chromium was found.");
  console.error(`  why: ${browser === undefined ? "None of the usual names is in PATH" : `CHROMIUM is ${browser}`}.`);
  console.error("  next: Install Chromium, or set CHROMIUM to its path, then run the same command again.");
  process.exit(1);
}
