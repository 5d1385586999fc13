/** Tells a `FormData` by its tag: on Node, naming the class loads the whole built-in fetch (30 ms, 8 MiB). */
export function isForm(value: unknown): value is FormData {
  return Object.prototype.toString.call(value) === "[object FormData]";
}
