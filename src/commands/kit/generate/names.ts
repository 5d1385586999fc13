import { cleanLine } from "../../../text/clean.ts";

/** Makes names of types from names of things, each once: `Freezer 1` becomes `Freezer1Variables`. */
export function typeNames(ending: string, taken: Set<string>): (name: string) => string {
  return (name) => {
    const words = name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .split(/[^A-Za-z0-9]+/);
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
    const base = `${/^[0-9]|^$/.test(joined) ? `_${joined}` : joined}${ending}`;
    let found = base;
    for (let count = 2; taken.has(found); count += 1) found = `${base}${count}`;
    taken.add(found);
    return found;
  };
}

/** A text in quotes, with nothing in it that ends a line or cannot be seen. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\u200b-\u200f\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A text inside of a comment: on one line, and unable to end it. */
export function inComment(text: string): string {
  return cleanLine(text, 200).replaceAll("*/", "* /");
}
