// How fast the built codec of TagoTiP is: parsing beside a parser of `split` and one expression per variable that checks
// nothing, opening envelopes beside a bare createDecipheriv of the same bytes, in short slices that take turns; and what its
// import takes, in fresh processes; and the worst of hostile frames. With a sandbox: PUSH over UDP beside POST /data, 64 in flight, and
// the whole process of `iot tip send` beside `iot device data send`.
//   node bench/tip.js [--slices 15] [--only parse,open,import,hostile,push,send]
import { execFile, execFileSync } from "node:child_process";
import { createDecipheriv } from "node:crypto";
import { createSocket } from "node:dgram";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { createSandbox } from "../dist/sandbox.js";
import { deriveKey, openEnvelope, parseFrame, parseInner, sealEnvelope } from "../dist/tip.js";

const { values: options } = parseArgs({
  options: { slices: { type: "string", default: "15" }, only: { type: "string" } },
});
const isAsked = (row) => options.only === undefined || options.only.split(",").includes(row);
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

const frame =
  "PUSH|!17|4deedd7bab8817ec|sensor-01|@1754000000000^shift_2{fw=3.0.1}" +
  "[temperature:=-18.25#C@1754000000000^run_9{phase=l1,src=ct-40};humidity:=61.5#%@1754000001000;" +
  "state=heating up^run_9;door?=false@1754000002000;place@=48.21,16.37,171]";

/** Accepts what no server would. */
const VARIABLE =
  /^([^:=?@]+)(:=|\?=|@=|=)([^#@^{]*)(?:#([^@^{]*))?(?:@=([^@^{]*))?(?:@([^^{]*))?(?:\^([^{]*))?(?:\{(.*)\})?$/;
const DEFAULTS = /^(?:@=([^@^{]*))?(?:@([^^{]*))?(?:\^([^{]*))?(?:\{(.*)\})?$/;
function place(text) {
  const [lat, lng, alt] = text.split(",");
  return { lat: Number(lat), lng: Number(lng), alt: Number(alt) };
}
function mark(target, location, time, group, pairs) {
  if (location) target.location = place(location);
  if (time) target.time = Number(time);
  if (group) target.group = group;
  if (!pairs) return;
  target.metadata = {};
  for (const pair of pairs.split(",")) {
    const [name, value] = pair.split("=");
    target.metadata[name] = value;
  }
}
function naive(text) {
  const [method, seq, auth, serial, rest] = text.split("|");
  const open = rest.indexOf("[");
  const body = { kind: "variables", variables: [] };
  const defaults = DEFAULTS.exec(rest.slice(0, open));
  mark(body, defaults[1], defaults[2], defaults[3], defaults[4]);
  for (const one of rest.slice(open + 1, -1).split(";")) {
    const match = VARIABLE.exec(one);
    const [, name, operator, raw] = match;
    const value = operator === ":=" ? Number(raw) : operator === "?=" ? raw === "true" : raw;
    const variable = { variable: name, value: operator === "@=" ? place(raw) : value };
    if (match[4]) variable.unit = match[4];
    mark(variable, match[5], match[6], match[7], match[8]);
    body.variables.push(variable);
  }
  return { method, seq: Number(seq.slice(1)), auth, serial, body };
}

const key = deriveKey("ate2bd319014b24e0a8aca9f00aea4c0d0", "sensor-01");
const inner = "sensor-01|@1754000000000[temperature:=-18.25#C;humidity:=61.5#%;x:=1]";
const content = { method: "PUSH", counter: 42, authHash: "4deedd7bab8817ec", serial: "sensor-01", key, inner };
const envelope = sealEnvelope(content);
const nonce = Buffer.concat([
  envelope.subarray(0, 1),
  Buffer.alloc(4),
  envelope.subarray(13, 17),
  envelope.subarray(1, 5),
]);
function bare() {
  const decipher = createDecipheriv("aes-128-ccm", key, nonce, { authTagLength: 8 });
  decipher.setAuthTag(envelope.subarray(-8));
  decipher.setAAD(envelope.subarray(0, 21), { plaintextLength: envelope.length - 29 });
  const plain = decipher.update(envelope.subarray(21, -8));
  decipher.final();
  return plain;
}
const open = () => parseInner("PUSH", openEnvelope(envelope, key, { serial: "sensor-01" }).inner);

/** Rows: the simple way, ours, calls of one slice, and the least ratio. */
const rows = {
  parse: { simple: () => naive(frame), ours: () => parseFrame(frame), calls: 20_000, gate: 0.5, goal: 0.75 },
  open: { simple: bare, ours: open, calls: 5_000, gate: 0.25, goal: 0.5 },
};

function rateOf(call, calls) {
  const start = performance.now();
  for (let n = 0; n < calls; n += 1) call();
  return (calls * 1000) / (performance.now() - start);
}

const text = (value) => Math.round(value).toLocaleString("en-US");
let missed = 0;
function say(name, isMet, line) {
  missed += isMet ? 0 : 1;
  console.log(`${isMet ? "met   " : "MISSED"} ${name}: ${line}`);
}

for (const [name, { simple, ours, calls, gate, goal }] of Object.entries(rows)) {
  if (!isAsked(name)) continue;
  const seen = { simple: [], ours: [] };
  for (let n = -3; n < Number(options.slices); n += 1) {
    const rates = n % 2 === 0 ? { simple: rateOf(simple, calls), ours: rateOf(ours, calls) } : {};
    rates.ours ??= rateOf(ours, calls);
    rates.simple ??= rateOf(simple, calls);
    if (n >= 0) for (const side of ["simple", "ours"]) seen[side].push(rates[side]);
  }
  const ratio = median(seen.ours.map((rate, n) => rate / seen.simple[n]));
  const rates = `${text(median(seen.ours))}/s, beside ${text(median(seen.simple))}/s`;
  say(name, ratio >= gate, `${ratio.toFixed(2)}x (gate ${gate}x, goal ${goal}x), ${rates}`);
}

if (isAsked("import")) {
  // The first import of a file loads what Node needs for it, whatever it is of.
  const folder = mkdtempSync(join(tmpdir(), "iotdeck-bench-"));
  const empty = join(folder, "empty.mjs");
  writeFileSync(empty, "export {};\n");
  const [first, second] = [pathToFileURL(empty).href, new URL("../dist/tip.js", import.meta.url).href];
  const program = `await import("${first}"); const start = performance.now(); await import("${second}"); console.log(performance.now() - start);`;
  const once = () =>
    Number(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }));
  // The third least, for the same reason as below.
  const ms = Array.from({ length: Number(options.slices) }, once).sort((a, b) => a - b)[2];
  rmSync(folder, { recursive: true });
  say("import", ms <= 5, `${ms.toFixed(1)} ms (gate 5 ms, goal 3 ms)`);
}

// Frames of 16,384 bytes that are none, with much of what an expression could try in many ways.
const head = "PUSH|4deedd7bab8817ec|sensor-01|";
const fill = (start, part, end = "") => start + part.repeat((16_384 - start.length - end.length) / part.length) + end;
const hostile = [
  ...["\\\\", "\\|", "a", "=", "@", "1", "1.1", "{", ";", "\\n,"].map((part) => fill(`${head}[a=`, part)),
  ...["1", "1.", "-1"].map((part) => fill(`${head}[a:=`, part)),
  ...["a=1,", "a=\\,", "a,"].map((part) => fill(`${head}[a:=1{`, part)),
  fill(`${head}@=`, "1,"),
  fill("PUSH", "|"),
  fill(head, ">x00"),
];
if (isAsked("hostile")) {
  const times = hostile.map((line) => {
    const call = () => {
      try {
        parseFrame(line);
      } catch {}
    };
    // The least of several: a busy machine only adds to it.
    return Math.min(...Array.from({ length: 20 }, () => 1000 / rateOf(call, 1)));
  });
  say("hostile", Math.max(...times) < 5, `${Math.max(...times).toFixed(2)} ms for 16 kB at worst (gate 5 ms)`);
}
const IN_FLIGHT = 64;
/** Runs a call this often, so many at a time; calls in a second. */
async function flightRate(call, calls) {
  let left = calls;
  const start = performance.now();
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return (calls * 1000) / (performance.now() - start);
}

/** A PUSH over UDP; responses come in any order, and say with their counters which request they are for. */
function udpPush(tip) {
  const [host, port] = tip.udp.split(":");
  const socket = createSocket({ type: "udp4", recvBufferSize: 1 << 20 });
  const waiting = new Map();
  let seq = 0;
  socket.on("message", (message) => {
    const counter = /!(\d+)/.exec(message.toString())?.[1];
    waiting.get(counter)?.();
    waiting.delete(counter);
  });
  const call = () =>
    new Promise((resolve) => {
      seq += 1;
      waiting.set(String(seq), resolve);
      socket.send(`PUSH|!${seq}|${tip.hash}|sensor-01|[temperature:=21.5#C]`, Number(port), host);
    });
  return { call, close: () => socket.close() };
}

function httpPost(url, token) {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const body = JSON.stringify([{ variable: "temperature", value: 21.5, unit: "C" }]);
  const headers = { token, "content-type": "application/json", "content-length": body.length };
  const call = () =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}/data`, { method: "POST", agent, headers }, (reply) => {
        reply.resume().on("end", resolve);
      });
      sent.on("error", reject).end(body);
    });
  return { call, close: () => agent.destroy() };
}

if (isAsked("push") || isAsked("send")) {
  const sandbox = await createSandbox({ tip: { sequence: false, lives: false } });
  const { tip, url, tokens } = sandbox;
  if (isAsked("push")) {
    const ours = udpPush(tip);
    const simple = httpPost(url, tokens.device);
    const seen = [];
    for (let n = -1; n < Math.min(5, Number(options.slices)); n += 1) {
      const rates = { simple: await flightRate(simple.call, 2_000), ours: await flightRate(ours.call, 2_000) };
      if (n >= 0) seen.push(rates);
    }
    for (const side of [ours, simple]) side.close();
    const ratio = median(seen.map((rates) => rates.ours / rates.simple));
    const rates = `${text(median(seen.map((one) => one.ours)))}/s, beside ${text(median(seen.map((one) => one.simple)))}/s`;
    say("push", ratio >= 1, `${ratio.toFixed(2)}x (gate 1x, goal 1.5x), ${rates}`);
  }
  if (isAsked("send")) {
    const entries = Object.entries(tip).map(([name, value]) => [`IOT_TIP_${name.toUpperCase()}`, value]);
    const env = { ...process.env, ...Object.fromEntries(entries), IOT_API_URL: url, IOT_TOKEN: tokens.profile };
    const cli = new URL("../bin/iot.js", import.meta.url).pathname;
    const time = async (...words) => {
      const start = performance.now();
      await promisify(execFile)(process.execPath, [cli, ...words], { env });
      return performance.now() - start;
    };
    const seen = [];
    for (let n = 0; n < Math.min(7, Number(options.slices)); n += 1)
      seen.push({
        ours: await time("tip", "send", "serial:sensor-01", "a:=1", "--over", "udp"),
        simple: await time("device", "data", "send", "name:TagoTiP sensor", "a=1"),
      });
    const ratio = median(seen.map((one) => one.ours / one.simple));
    const times = `${text(median(seen.map((one) => one.ours)))} ms, beside ${text(median(seen.map((one) => one.simple)))} ms`;
    say("send", ratio <= 1, `${ratio.toFixed(2)}x of its time (gate 1x, goal 0.7x), ${times}`);
  }
  await sandbox.close();
}
process.exit(missed === 0 ? 0 : 1);
