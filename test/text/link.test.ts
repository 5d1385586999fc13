import { describe, expect, it } from "vitest";
import { renderFailure } from "../../src/commands/kit/failures/failures.ts";
import { createMessages } from "../../src/commands/kit/say/messages.ts";
import { knowsLinks, withLinks } from "../../src/text/link.ts";

const linked = (url: string): string => `\u001b]8;;${url}\u001b\\${url}\u001b]8;;\u001b\\`;

describe("clickable links", () => {
  it("are made of whole https addresses, without the punctuation after them", () => {
    expect(withLinks("See https://a.example/b?c=1.")).toBe(`See ${linked("https://a.example/b?c=1")}.`);
    expect(withLinks("(https://a.example/) ok")).toBe(`(${linked("https://a.example/")}) ok`);
  });

  it.each(["http://127.0.0.1:4000/dashboard/65a1", "http://localhost:4000", "http://[::1]:4000/"])(
    "are made of addresses of this machine: %s",
    (url) => {
      expect(withLinks(`At ${url}, in memory.`)).toBe(`At ${linked(url)}, in memory.`);
    },
  );

  it.each([
    "http://a.example/",
    "http://127.0.0.1.a.example/",
    "http://127.0.0.1:4000@a.example/",
    "https://ann:pass@a.example/",
    "https://a.example/file?expires=1&signature=0f",
    "https://a.example/#2b7e151628aed2a6abf7158809cf4f3c",
    "http://127.0.0.1:4000/__sandbox/open#Zk3vQ9xw_P0aB-12",
    "https://a.example/at0123456789abcdef0123456789abcdef",
    "https://",
    "javascript:alert(1)",
    "https://a.example/dashboards/info/65a1…",
    "https://a.example/dashboards/info/65a1...",
  ])("are not made of %s", (text) => {
    expect(withLinks(text)).toBe(text);
  });

  it("lead from the name of a written file to the file, and from a failure to the page it names", () => {
    const written: string[] = [];
    const io = { writeError: (text: string) => written.push(text), stderrIsTerminal: true, columns: () => 80 };
    const say = createMessages(io, { quiet: false, verbose: false, links: true, path: (name) => `/tmp/a b/${name}` });
    say.info("Wrote e.", "e");
    expect(written[0]?.replaceAll("\u001b", "^")).toMatch(
      /^info: Wrote \^\]8;;file:\S*\/tmp\/a%20b\/e\^\\e\^\]8;;\^\\\.\n$/,
    );
    createMessages(io, { quiet: false, verbose: false }).info("Wrote e.", "e");
    expect(written[1]).toBe("info: Wrote e.\n");
    const failure = { code: "x", message: "No.", next: "See https://a.example/b.", exit: 1 };
    expect(renderFailure(failure, false, io, true)).toContain(`See ${linked("https://a.example/b")}.`);
    expect(renderFailure(failure, false, io)).not.toContain("\u001b");
  });

  it.each([
    [{ TERM_PROGRAM: "iTerm.app", TERM: "xterm-256color" }, true],
    [{ VTE_VERSION: "7200" }, true],
    [{ WT_SESSION: "1" }, true],
    [{ TERM: "xterm-kitty" }, true],
    [{ TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: "3.4", TERM: "tmux-256color" }, true],
    [{ TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: "3.3a", VTE_VERSION: "7200" }, false],
    [{ TERM: "screen", STY: "1.pts", VTE_VERSION: "7200" }, false],
    [{ NO_COLOR: "1", VTE_VERSION: "7200" }, true],
    [{ FORCE_HYPERLINK: "" }, false],
    [{ TERM_PROGRAM: "Apple_Terminal", TERM: "xterm-256color" }, false],
    [{ VTE_VERSION: "5000" }, false],
    [{ TERM: "dumb", TERM_PROGRAM: "vscode" }, false],
    [{ CI: "true", VTE_VERSION: "7200" }, false],
    [{ FORCE_HYPERLINK: "1" }, true],
    [{ FORCE_HYPERLINK: "0", VTE_VERSION: "7200" }, false],
  ])("are for terminals that know them: %j", (env, expected) => {
    expect(knowsLinks(env)).toBe(expected);
  });
});
