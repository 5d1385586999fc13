/**
 * How a value names a file or folder of this machine. `in` and `out`: the whole value does, unless it is `-`; `out` is only
 * written. `@`: what follows an `@` at its start, and `=@` one behind `key=`. A function finds the path in a value that
 * may be something else.
 */
export type FileForm = "in" | "out" | "@" | "=@" | ((value: string) => string | undefined);

/** The path that a value names; undefined for other values, stdin and stdout. */
export function pathIn(form: FileForm | undefined, value: string): string | undefined {
  if (typeof form === "function") return named(form(value));
  if (form === "in" || form === "out") return named(value);
  const text = form === "=@" ? value.slice(value.indexOf("=") + 1) : value;
  return form !== undefined && text.startsWith("@") ? named(text) : undefined;
}

/** Files may be written with an `@` before them everywhere. */
function named(text: string | undefined): string | undefined {
  const path = text?.replace(/^@/, "");
  return path === "-" ? undefined : path;
}
