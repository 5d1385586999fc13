// The platform's side of the benchmarks: answers rendered beforehand, so that the client is what is measured.
import { createServer } from "node:http";

const iso = (n) => new Date(1_700_000_000_000 + n * 1000).toISOString();
const id = (n) => n.toString(16).padStart(24, "7");
const envelope = (result) => Buffer.from(JSON.stringify({ status: true, result }));

const device = {
  id: id(1),
  name: "Pump 1",
  profile: id(2),
  type: "mutable",
  active: true,
  visible: true,
  tags: [{ key: "site", value: "7" }],
  connector: id(3),
  network: id(4),
  bucket: { id: id(1), name: "Pump 1" },
  last_input: iso(1),
  created_at: iso(2),
  updated_at: iso(3),
};
const record = (n) => ({
  id: id(n),
  device: id(1),
  variable: "temperature",
  value: (n % 500) / 10,
  unit: "C",
  group: id(n >> 2),
  time: iso(n),
  created_at: iso(n + 1),
  metadata: { quality: "good", seq: n },
});
const pages = new Map();
function page(kind, size, make) {
  const key = `${kind} ${size}`;
  if (!pages.has(key)) pages.set(key, envelope(Array.from({ length: size }, (_, n) => make(n))));
  return pages.get(key);
}
const info = envelope(device);
const added = envelope("1 Data Added");
const texts = envelope(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`KEY_${n}`, `Text number ${n}`])));

const settings = { records: 1_000_000, devices: 200_000, dictionaryDelayMs: 0, events: 200_000 };
let requests = 0;

function answer(response, body) {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
  response.end(body);
}

const eventsInPiece = 64;
const pad = "x".repeat(220);
const eventOf = (n) => `id: ${n}\ndata: {"channel":"analysis_trigger","payload":{"seq":${n},"pad":"${pad}"}}\n\n`;
let eventPieces;

function stream(response) {
  eventPieces ??= Array.from({ length: Math.ceil(settings.events / eventsInPiece) }, (_, piece) => {
    const first = piece * eventsInPiece;
    const count = Math.min(eventsInPiece, settings.events - first);
    return Buffer.from(Array.from({ length: count }, (_, n) => eventOf(first + n)).join(""));
  });
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  let next = 0;
  const pump = () => {
    while (next < eventPieces.length) {
      next += 1;
      if (!response.write(eventPieces[next - 1])) return void response.once("drain", pump);
    }
  };
  setTimeout(pump, 20);
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://x");
  if (url.pathname === "/__set") {
    for (const [name, value] of url.searchParams) settings[name] = Number(value);
    const seen = requests;
    requests = 0;
    return answer(response, envelope(seen));
  }
  requests += 1;
  request.resume();
  request.on("end", () => {
    const number = (name, otherwise) => Number(url.searchParams.get(name) ?? otherwise);
    if (url.pathname === "/events") return stream(response);
    if (request.method !== "GET") return answer(response, added);
    if (url.pathname.endsWith("/data")) {
      const left = Math.max(0, settings.records - number("skip", 0));
      return answer(response, page("data", Math.min(number("qty", 15), left), record));
    }
    if (url.pathname === "/device") {
      // The older peer asks for its first page twice, as page 0 and 1: every module gets the number it asks for.
      const left = Math.max(0, settings.devices - (number("page", 1) - 1) * number("amount", 20));
      return answer(
        response,
        page("device", Math.min(number("amount", 20), left), (n) => ({ ...device, id: id(n) })),
      );
    }
    if (url.pathname.startsWith("/dictionary/"))
      return void setTimeout(() => answer(response, texts), settings.dictionaryDelayMs);
    return answer(response, info);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
process.on("disconnect", () => process.exit(0));
