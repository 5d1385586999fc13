type Environment = Readonly<Record<string, string | undefined>>;

const programs = new Set(["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "zed", "WarpTerminal"]);
const terminals = /^(xterm-kitty|alacritty|foot|xterm-ghostty)/;

/** Whether the terminal is one that makes links of OSC 8; others might print the sequence. */
export function knowsLinks(env: Environment): boolean {
  if (env["FORCE_HYPERLINK"] !== undefined) return env["FORCE_HYPERLINK"] !== "0";
  if (env["TERM"] === "dumb" || env["CI"]) return false;
  if (env["WT_SESSION"] !== undefined || env["KONSOLE_VERSION"] !== undefined) return true;
  // VTE 0.50 crashed on links.
  if (Number(env["VTE_VERSION"] ?? 0) > 5000) return true;
  return programs.has(env["TERM_PROGRAM"] ?? "") || terminals.test(env["TERM"] ?? "");
}

// The lookahead leaves out addresses that were cut to fit a column.
const address = /https:\/\/[\w.~:/?#@!$&*+,;=%[\]-]*[\w/~#=&-](?![\w.~:/?#@!$&*+,;=%[\]-]*(?:…|\.\.\.))/g;

/** Makes the https addresses of a text clickable. The text is clean already: see `clean.ts`. */
export function withLinks(text: string): string {
  return text.replace(address, (url) => `\u001b]8;;${url}\u001b\\${url}\u001b]8;;\u001b\\`);
}
