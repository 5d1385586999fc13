import { describe, expect, it } from "vitest";
import { KeyParser } from "../../../src/tui/terminal/keys.ts";

const names = (...chunks: string[]): string[] => {
  const parser = new KeyParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.flush()].map(({ name }) => name);
};

describe("keys", () => {
  it("are told apart in one piece of input", () => {
    expect(names("q\r\u001b[A\u001b[6~ \u0003\t\u001b[Z\u007f")).toEqual([
      "q",
      "enter",
      "up",
      "pagedown",
      "space",
      "ctrl+c",
      "tab",
      "shift+tab",
      "backspace",
    ]);
  });

  it("are found wherever the input is cut", () => {
    const input = "a\u001b[A\u001bOB\u001b[5~\u001b[200~q\u001b[201~é😀";
    const whole = names(input);
    expect(whole).toEqual(["a", "up", "down", "pageup", "paste", "é", "😀"]);
    for (let at = 1; at < input.length; at += 1) {
      // Half of a surrogate pair never arrives: the stream decodes whole characters.
      if (/[\ud800-\udbff]/.test(input[at - 1] ?? "")) continue;
      expect(names(input.slice(0, at), input.slice(at))).toEqual(whole);
    }
  });

  it("with modifiers say so, and unknown sequences are no keys", () => {
    expect(names("\u001b[1;5C\u001b[1;2A\u001b[99;7X\u001b[?25hx")).toEqual(["ctrl+right", "shift+up", "x"]);
  });

  it("take an escape with nothing after it for Esc, and with a letter for Alt", () => {
    expect(names("\u001b")).toEqual(["escape"]);
    expect(names("\u001bq")).toEqual(["alt+q"]);
    expect(names("\u001b\u001b[A")).toEqual(["escape", "up"]);
  });
});

describe("pasted text", () => {
  it("is one event whatever is in it", () => {
    const parser = new KeyParser();
    const keys = parser.push("\u001b[200~q\u0003\u001b[A\r\u001b[201~j");
    expect(keys).toEqual([
      { name: "paste", text: "q\u0003\u001b[A\r" },
      { name: "j", text: "j" },
    ]);
  });

  it("that never ends does not swallow all later keys", () => {
    const parser = new KeyParser();
    expect(parser.push(`\u001b[200~${"x".repeat(1_000_001)}`)).toHaveLength(1);
    expect(parser.push("q")).toEqual([{ name: "q", text: "q" }]);
  });
});
