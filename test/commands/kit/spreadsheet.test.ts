import { expect, it } from "vitest";
import { spreadsheetText } from "../../../src/commands/kit/output/spreadsheet.ts";

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1", "＠SUM(A1)"])(
  "%j is not run by a spreadsheet",
  (text) => {
    expect(spreadsheetText(text)).toBe(`'${text}`);
  },
);

it.each(["", "level", "1+1", " =1", "a=1"])("%j stays as it is", (text) => {
  expect(spreadsheetText(text)).toBe(text);
});
