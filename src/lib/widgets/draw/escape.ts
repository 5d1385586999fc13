const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text as content or attribute of HTML and SVG. `hidden` writes what an eye cannot see, or what turns the reading
 * around, by its code point.
 */
export function escapeHtml(text: string, hidden: (code: string) => string = (code) => `U+${code}`): string {
  return text
    .replace(/\p{Surrogate}|[\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"']/g, (char) => entities[char] ?? char)
    .replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, (char) =>
      hidden((char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")),
    );
}

/** The first characters of a text, without half of one at the end. */
export function bounded(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
