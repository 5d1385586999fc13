/**
 * Loaded before a peer: lets it reach this machine only. A peer that is not told where the sandbox is would speak to
 * the vendor's servers; here the call fails, and the attempt is reported to the program that started the run.
 */
const dns = require("node:dns");
const net = require("node:net");

const isLoopback = (host) => {
  const name = String(host)
    .replace(/^\[|\]$/g, "")
    .toLowerCase();
  return name === "" || name === "localhost" || name === "::1" || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(name);
};

function refuse(host) {
  process.send?.({ escaped: String(host) });
  return Object.assign(new Error(`Only this machine may be reached, not ${host}`), { code: "ENETUNREACH" });
}

/** The host of `connect(options)`, `connect(port, host)` and `connect(path)`; undefined for a local socket file. */
function hostOf(args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === "object" && first !== null) {
    if (typeof first.path === "string" && first.host === undefined) return undefined;
    return first.host ?? "localhost";
  }
  if (typeof first === "string" && !/^\d+$/.test(first)) return undefined;
  return typeof second === "string" ? second : "localhost";
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function guarded(...args) {
  const host = hostOf(args);
  if (host === undefined || isLoopback(host)) return connect.apply(this, args);
  const error = refuse(host);
  process.nextTick(() => this.destroy(error));
  return this;
};

const { lookup } = dns;
dns.lookup = (host, ...rest) => {
  if (isLoopback(host)) return lookup(host, ...rest);
  const error = refuse(host);
  process.nextTick(() => rest.at(-1)(error));
};

const lookupPromise = dns.promises.lookup;
dns.promises.lookup = (host, ...rest) =>
  isLoopback(host) ? lookupPromise(host, ...rest) : Promise.reject(refuse(host));
