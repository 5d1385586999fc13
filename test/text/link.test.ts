import { describe, expect, it } from "vitest";
import { knowsLinks, withLinks } from "../../src/text/link.ts";

const linked = (url: string): string => `\u001b]8;;${url}\u001b\\${url}\u001b]8;;\u001b\\`;

describe("clickable links", () => {
  it("are made of whole https addresses, without the punctuation after them", () => {
    expect(withLinks("See https://a.example/b?c=1.")).toBe(`See ${linked("https://a.example/b?c=1")}.`);
    expect(withLinks("(https://a.example/) ok")).toBe(`(${linked("https://a.example/")}) ok`);
  });

  it.each([
    "http://a.example/",
    "javascript:alert(1)",
    "https://a.example/dashboards/info/65a1…",
    "https://a.example/dashboards/info/65a1...",
  ])("are not made of %s", (text) => {
    expect(withLinks(text)).toBe(text);
  });

  it.each([
    [{ TERM_PROGRAM: "iTerm.app", TERM: "xterm-256color" }, true],
    [{ VTE_VERSION: "7200" }, true],
    [{ WT_SESSION: "1" }, true],
    [{ TERM: "xterm-kitty" }, true],
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
