/** True for a name that matches several: `*`, `?`, `[ab]`, `{a,b}`. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

/** The leading folders of a glob that are plain names, `.` when there are none. */
export function fixedPart(glob: string): string {
  const parts = glob.split("/");
  const first = parts.findIndex(isGlob);
  return parts.slice(0, first).join("/") || (glob.startsWith("/") ? "/" : ".");
}

/** A glob as a pattern for whole relative paths with slashes. `**` crosses folders, `*` and `?` do not. */
export function globPattern(glob: string): RegExp {
  let source = "";
  for (let i = 0; i < glob.length; ) {
    const [piece, length] = pieceAt(glob, i);
    source += piece;
    i += length;
  }
  return new RegExp(`^${source}$`, "u");
}

function pieceAt(glob: string, at: number): readonly [pattern: string, length: number] {
  if (glob.startsWith("**/", at)) return ["(?:[^/]+/)*", 3];
  if (glob.startsWith("**", at)) return [".*", 2];
  const char = glob.charAt(at);
  if (char === "*") return ["[^/]*", 1];
  if (char === "?") return ["[^/]", 1];
  const end = char === "[" ? glob.indexOf("]", at + 2) : char === "{" ? glob.indexOf("}", at) : -1;
  if (end < 0) return [char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"), 1];
  const inside = glob.slice(at + 1, end);
  return [char === "[" ? oneCharOf(inside) : anyOf(inside), end + 1 - at];
}

function oneCharOf(inside: string): string {
  const isNegated = /^[!^]/.test(inside);
  const chars = (isNegated ? inside.slice(1) : inside).replace(/[\\\]^[]/g, "\\$&");
  return `[${isNegated ? "^" : ""}${chars}]`;
}

function anyOf(inside: string): string {
  return `(?:${inside
    .split(",")
    .map((choice) => globPattern(choice).source.slice(1, -1))
    .join("|")})`;
}
