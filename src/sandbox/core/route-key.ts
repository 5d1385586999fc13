/** Key by which routes are compared: parameter names and a trailing slash do not count. */
export function routeKey(method: string, path: string): string {
  return `${method} ${path.replaceAll(/:[A-Za-z_]+/g, ":").replace(/(.)\/$/, "$1")}`;
}
