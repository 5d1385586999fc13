type Environment = Readonly<Record<string, string | undefined>>;

const programs = new Set(["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "zed", "WarpTerminal"]);
const terminals = /^(xterm-kitty|alacritty|foot|xterm-ghostty)/;

/** Whether the terminal is one that makes links of OSC 8; others might print the sequence. */
export function knowsLinks(env: Environment): boolean {
  if (env["FORCE_HYPERLINK"]) return env["FORCE_HYPERLINK"] !== "0";
  if (env["TERM"] === "dumb" || env["CI"]) return false;
  // tmux passes links on from 3.4 on; before, and in screen, the variables are those of the terminal around it.
  if (env["TERM_PROGRAM"] === "tmux") return Number.parseFloat(env["TERM_PROGRAM_VERSION"] ?? "") >= 3.4;
  if (env["STY"] !== undefined) return false;
  if (env["WT_SESSION"] !== undefined || env["KONSOLE_VERSION"] !== undefined) return true;
  // VTE 0.50 crashed on links.
  if (Number(env["VTE_VERSION"] ?? 0) > 5000) return true;
  return programs.has(env["TERM_PROGRAM"] ?? "") || terminals.test(env["TERM"] ?? "");
}

// The lookahead leaves out addresses that were cut to fit a column.
const address = /https?:\/\/[\w.~:/?#@!$&*+,;=%[\]-]*[\w/~#=&-](?![\w.~:/?#@!$&*+,;=%[\]-]*(?:…|\.\.\.))/g;

const ofThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;
/** Names of values in a query that open something: terminals keep links, and some ask for what they lead to. */
const secretName = /(token|password|secret|signature|key|code)$/i;

const tokenShaped = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-|[0-9a-f]{32}/i;
/** A word of a page starts a fragment with a meaning; this is a code, such as that of the sandbox's console. */
const codeShaped = /^#(?=\S*\d|\S{32})[\w-]{16,}$/;

/** Whether an address may be clicked: one with https or of this machine, without a secret. */
function isLink(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, searchParams, hash } = new URL(text);
  if (protocol !== "https:" && !ofThisMachine.test(hostname)) return false;
  if (username !== "" || password !== "" || tokenShaped.test(text) || codeShaped.test(hash)) return false;
  return ![...searchParams.keys()].some((name) => secretName.test(name));
}

/** A text that leads to an address (OSC 8). */
export const linked = (url: string, text: string): string => `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`;

/** Makes the addresses of a text clickable. The text is clean already: see `clean.ts`. */
export function withLinks(text: string): string {
  return text.replace(address, (url) => (isLink(url) ? linked(url, url) : url));
}
