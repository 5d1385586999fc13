/**
 * Makes every connection that leaves the machine fail, and with it the test that made it. The library turns a failed
 * connection into an ordinary error, which a test may even expect; so each one is noted and reported after the test.
 */
import dns from "node:dns";
import net from "node:net";
import { afterAll, afterEach } from "vitest";

/** Files that share a worker share the guard: this module is read for each of them, the patches are made once. */
const shared = globalThis as { iotdeckAttempts?: string[] };
const isFirst = shared.iotdeckAttempts === undefined;
shared.iotdeckAttempts ??= [];
const attempts: string[] = shared.iotdeckAttempts;

function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return (
    name === "" ||
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    // What a socket for datagrams is bound to.
    name === "0.0.0.0" ||
    name === "::" ||
    /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(name)
  );
}

function refuse(host: string): NodeJS.ErrnoException {
  const where = new Error("attempt").stack?.split("\n").slice(3, 8).join("\n") ?? "";
  attempts.push(`${host}\n${where}`);
  return Object.assign(new Error(`Tests reach only this machine, not ${host}`), { code: "ENETUNREACH" });
}

/** The host of `connect(options)`, `connect(port, host)` and `connect(path)`; undefined for a local socket file. */
function hostOf(args: readonly unknown[]): string | undefined {
  // node:net hands its own calls on as one list of normalized arguments.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first === "object" && first !== null) {
    const { host, path } = first as { host?: unknown; path?: unknown };
    if (typeof path === "string" && host === undefined) return undefined;
    return typeof host === "string" ? host : "localhost";
  }
  if (typeof first === "string" && !/^\d+$/.test(first)) return undefined;
  return typeof second === "string" ? second : "localhost";
}

function guardConnections(): void {
  type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

  const connect = net.Socket.prototype.connect as unknown as Connect;

  net.Socket.prototype.connect = function guarded(this: net.Socket, ...args: unknown[]): net.Socket {
    const host = hostOf(args);
    if (host === undefined || isLoopback(host)) return connect.apply(this, args);
    const error = refuse(host);
    process.nextTick(() => this.destroy(error));
    return this;
  } as unknown as typeof net.Socket.prototype.connect;

  const lookup = dns.lookup as unknown as (...args: unknown[]) => void;

  dns.lookup = ((...args: unknown[]) => {
    const [host] = args;
    if (typeof host !== "string" || isLoopback(host)) {
      lookup(...args);
      return;
    }
    const error = refuse(host);
    const callback = args.at(-1);
    if (typeof callback === "function") process.nextTick(() => callback(error));
  }) as unknown as typeof dns.lookup;

  const lookupPromise = dns.promises.lookup as unknown as (...args: unknown[]) => Promise<unknown>;

  dns.promises.lookup = ((...args: unknown[]) => {
    const [host] = args;
    return typeof host !== "string" || isLoopback(host) ? lookupPromise(...args) : Promise.reject(refuse(host));
  }) as unknown as typeof dns.promises.lookup;
}

if (isFirst) guardConnections();

function report(): void {
  const seen = attempts.splice(0);
  if (seen.length > 0) throw new Error(`The test tried to leave this machine:\n${seen.join("\n")}`);
}

afterEach(report);
afterAll(report);

/** Takes the notes away, for the test of this guard itself. */
export function takeAttempts(): string[] {
  return attempts.splice(0);
}
