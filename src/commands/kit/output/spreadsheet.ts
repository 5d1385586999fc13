/** Signs that make a spreadsheet take a cell for a formula, also behind what it does not show and in full width. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/** Text that no spreadsheet runs: `--csv-safe` puts an apostrophe before what looks like a formula. */
export function spreadsheetText(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
