/** Key under which two routes are the same: part names do not count, nor does a final slash. */
export function routeKey(method: string, path: string): string {
  return `${method} ${path.replaceAll(/:[A-Za-z_]+/g, ":").replace(/(.)\/$/, "$1")}`;
}
