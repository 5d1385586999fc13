import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanLine, cleanText, escapeJson, MAX_CLEAN_LENGTH, safeRelativePath } from "../../src/text/clean.ts";

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  maxLength: 200,
});
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "\u001b",
      "\u009b",
      "\u0007",
      "\r",
      "\n",
      "\t",
      "\u202e",
      "\u2066",
      "\u200b",
      "\ufeff",
      "\ud800",
      "[31m",
      "]0;x",
    ),
    fc.string({ unit: "grapheme", maxLength: 3 }),
  ),
  maxLength: 60,
});

const inside = (code: number, from: number, to: number): boolean => code >= from && code <= to;

/** Whether a terminal would obey the character, or an eye not see it. */
function isControl(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return (
    inside(code, 0, 0x1f) ||
    inside(code, 0x7f, 0x9f) ||
    inside(code, 0x200b, 0x200f) ||
    inside(code, 0x2028, 0x202e) ||
    inside(code, 0x2060, 0x2069) ||
    code === 0xfeff
  );
}

describe("cleaning untrusted text", () => {
  it("leaves no control but the line feed in text of several lines", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, hostile), (text) => {
        const clean = cleanText(text);
        expect([...clean].filter((char) => char !== "\n" && isControl(char))).toEqual([]);
        expect(clean).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 2_000 },
    );
  });

  it("leaves no control at all in text of one line", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, hostile), (text) => {
        expect([...cleanLine(text)].filter(isControl)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("changes nothing twice", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(cleanLine(cleanLine(text))).toBe(cleanLine(text));
      }),
    );
  });

  it.each([
    ["\u001b[31mred\u001b[0m", "␛[31mred␛[0m"],
    ["\u009b31m", "␛[31m"],
    ["\u001b]0;title\u0007", "␛]0;title␇"],
    ["\u001bPq\u001b\\", "␛Pq␛\\"],
    ["\u001b_app\u009c", "␛_app␛\\"],
    ["a\u0000b\u007f", "a␀b␡"],
    ["one\r\ntwo\nthree\u2028four\u0085five", "one⏎two⏎three⏎four⏎five"],
    ["tab\there", "tab␉here"],
    ["pdf\u202egpj.exe", "pdfU+202Egpj.exe"],
    ["zero\u200bwidth\ufeff", "zeroU+200BwidthU+FEFF"],
    ["lone \ud83d surrogate", "lone \ufffd surrogate"],
    ["Grüße 日本 👍 ❤️", "Grüße 日本 👍 ❤️"],
  ])("shows %j as %j", (text, shown) => {
    expect(cleanLine(text)).toBe(shown);
  });

  it("keeps line feeds, and only those, in text of several lines", () => {
    expect(cleanText("a\r\nb\rc\nd")).toBe("a\nb\nc\nd");
  });

  it("bounds the length without cutting a character in half", () => {
    expect(cleanLine("x".repeat(MAX_CLEAN_LENGTH + 5))).toHaveLength(MAX_CLEAN_LENGTH);
    expect(cleanLine("ab😀cd", 4)).toBe("ab…");
    expect(cleanLine("\u202e".repeat(1_000), 100).length).toBeLessThanOrEqual(100);
  });

  it("escapes C1 and direction controls in JSON without changing what it means", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeJson(JSON.stringify({ text }));
        expect(escaped).not.toMatch(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(JSON.parse(escaped)).toEqual({ text });
      }),
    );
  });
});

describe("file names from a server", () => {
  it.each([
    ["../../etc/passwd", "etc/passwd"],
    ["C:\\Windows\\system32", "C_/Windows/system32"],
    ["/absolute/path", "absolute/path"],
    ["a/./b//c", "a/b/c"],
    ["con.txt", "_con.txt"],
    ["..", "unnamed"],
    ["na\nme\u0000.csv", "na⏎me␀.csv"],
    ["trailing. . ", "trailing"],
  ])("reduces %j to %j", (name, path) => {
    expect(safeRelativePath(name)).toBe(path);
  });

  it("never leaves the folder, whatever the name", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const path = safeRelativePath(name);
        expect(path.startsWith("/")).toBe(false);
        expect(path.split("/")).not.toContain("..");
        expect(path).not.toBe("");
      }),
    );
  });
});
