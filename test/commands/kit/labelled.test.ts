import { expect, it } from "vitest";
import { labelled } from "../../../src/commands/kit/say/labelled.ts";
import { runHere } from "../../helpers/in-process.ts";

const at = (columns: number, stderrIsTerminal = true) => ({ stderrIsTerminal, columns: () => columns });

it("breaks a message at blanks, with the rest below the text", () => {
  const text = "Columns hidden for lack of space: active, tags. Choose columns with --fields.";
  expect(labelled("hint", text, at(50))).toBe(
    ["hint: Columns hidden for lack of space: active,", "      tags. Choose columns with --fields.\n"].join("\n"),
  );
});

it("keeps a command in quotes whole where it fits, and breaks one that does not", () => {
  expect(labelled("next", 'Check it first with "iot device token list".', at(40))).toBe(
    'next: Check it first with\n      "iot device token list".\n',
  );
  expect(labelled("next", 'Run "iot device token list --all".', at(26))).toBe(
    'next: Run "iot device\n      token list --all".\n',
  );
});

it("leaves a message whole in a pipe", () => {
  const text = "word ".repeat(40).trim();
  expect(labelled("info", text, at(40, false))).toBe(`info: ${text}\n`);
});

it("keeps failures and hints within the width of the terminal", async () => {
  for (const line of [["device", "lst", "--nosuch"], ["device", "get"], ["nosuch"]]) {
    const { stderr } = await runHere(line, { terminal: 48 });
    expect(stderr).toMatch(/^error: /);
    for (const each of stderr.split("\n")) expect(each.length).toBeLessThanOrEqual(48);
  }
});
