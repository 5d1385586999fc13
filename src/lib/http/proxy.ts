import { InputError } from "../core/errors.ts";
import { environment } from "../core/platform.ts";

/** The proxy that the environment sets for a URL. `NO_PROXY` is applied when the request is made. */
export function proxyInEnvironment(url: string): string | undefined {
  const http = environment("http_proxy") ?? environment("HTTP_PROXY");
  const proxy = url.startsWith("https:") ? (environment("https_proxy") ?? environment("HTTPS_PROXY") ?? http) : http;
  if (proxy !== undefined) checkProxy(proxy, "the proxy of the environment");
  return proxy;
}

/** Whether the environment sets a proxy for any URL. */
export function hasProxyInEnvironment(): boolean {
  return ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].some((name) => environment(name) !== undefined);
}

/** The error does not show the address: it may contain a password. */
export function checkProxy(proxy: string, name: string): void {
  const protocol = URL.canParse(proxy) ? new URL(proxy).protocol : "";
  if (protocol === "http:" || protocol === "https:") return;
  throw new InputError(`Invalid proxy: ${name} must be an http or https address`, "proxy");
}
