import type { OptionSpec } from "../command/options.ts";

const asOption = {
  name: "as",
  value: "user",
  summary: "show it to a portal user: an id, name:…, tag:key=value; several to switch between",
  repeat: true,
} as const satisfies OptionSpec;

/** Flags of the commands that show a page while it is written. */
export const pageOptions = [
  asOption,
  { name: "theme", value: "name", summary: "theme at the start (light)", choices: ["light", "dark"] },
  { name: "port", kind: "integer", least: 0, most: 65_535, summary: "port of the page (a free one)" },
  { name: "browser", summary: "only print the URL", negatable: true },
  { name: "for", kind: "duration", summary: "stop after this time" },
] as const satisfies readonly OptionSpec[];
