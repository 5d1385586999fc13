import { lineAt } from "../files/line-at.ts";
import { findSpans, type Path } from "./spans.ts";

const part = /([A-Za-z_$][\w$-]*)|\[("(?:[^"\\]|\\.)*"|[^\]]*)\]/g;

/** The names in a path such as `data[0].origin`, `tabs[1705].value` or `tags["a b"]`. */
export function partsOf(path: string): Path {
  return [...path.matchAll(part)].map(([, name, inside = ""]) => {
    return name ?? (inside.startsWith('"') ? unquoted(inside) : inside);
  });
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    // An id that only looks like a quoted name.
    return text;
  }
}

/** The line of a value in a JSON text; of the closest value around it where there is none. */
export function lineOfPath(text: string, path: Path): number {
  const around = path.map((_, i) => path.slice(0, i + 1));
  const span = findSpans(text, around).findLast((each) => each !== undefined);
  return span === undefined ? 1 : lineAt(text, span.start);
}
