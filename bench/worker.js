// One measurement in one fresh process. Arguments: module, scenario. Sends { value, unit, better, rssMib } to its parent.
import { pathToFileURL } from "node:url";

const [modulePath, scenario] = process.argv.slice(2);
const region = { api: process.env.TAGOIO_API, sse: process.env.TAGOIO_SSE };
const token = "00000000-0000-4000-8000-000000000000";
const deviceId = "777777777777777777777771";
const peakRssMib = () => process.resourceUsage().maxRSS / 1024;
const set = async (query) => (await (await fetch(`${region.api}/__set?${query}`)).json()).result;

const rssBefore = process.memoryUsage().rss;
const importStart = performance.now();
const loaded = await import(pathToFileURL(modulePath).href);
const importMs = performance.now() - importStart;
const importMib = (process.memoryUsage().rss - rssBefore) / 1048576;
const { Resources, Device, Dictionary, SSE, Migration } = loaded.Resources ? loaded : loaded.default;

async function lanes(count, width, task) {
  let next = 0;
  const lane = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

async function rate(count, work) {
  const start = performance.now();
  await work();
  return (count * 1000) / (performance.now() - start);
}

/** Ours has a transport for many requests a second; the official packages have one for all. */
const own = scenario.startsWith("undici-") ? { transport: "undici" } : {};
const requestsPerSecond = async (width, count, call) => {
  await lanes(count / 10, width, call);
  return { value: await rate(count, () => lanes(count, width, call)), unit: "req/s", better: "high" };
};

const scenarios = {
  async import() {
    return { value: importMs, unit: "ms", better: "low", rssMib: importMib };
  },
  /** Import and one request, in a fresh process. */
  async "first-answer"() {
    await new Resources({ token, region }).devices.info(deviceId);
    return { value: performance.now() - importStart, unit: "ms", better: "low" };
  },
  /** A whole process, from the start of Node, that lists devices once. */
  async "list-once"() {
    await new Resources({ token, region }).devices.list({ amount: 20 });
    return { value: performance.now(), unit: "ms", better: "low" };
  },
  async "get-sequential"() {
    const { devices } = new Resources({ token, region });
    const times = [];
    for (let n = 0; n < 4000; n += 1) {
      const start = performance.now();
      await devices.info(deviceId);
      if (n >= 500) times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    return { value: times[times.length >> 1] * 1000, unit: "us p50", better: "low" };
  },
  async "get-16"() {
    const { devices } = new Resources({ token, region, ...own });
    return requestsPerSecond(16, 12_000, () => devices.info(deviceId));
  },
  async "get-64"() {
    const { devices } = new Resources({ token, region, ...own });
    return requestsPerSecond(64, 12_000, () => devices.info(deviceId));
  },
  async "post-16"() {
    const device = new Device({ token, region, ...own });
    return requestsPerSecond(16, 12_000, (n) => device.sendData({ variable: "temperature", value: n, unit: "C" }));
  },
  async "read-1m-records"() {
    const device = new Device({ token, region });
    let seen = 0;
    const value = await rate(1_000_000, async () => {
      for await (const page of device.getDataStreaming(
        { variables: "temperature" },
        { poolingRecordQty: 10_000, poolingTime: 1 },
      )) {
        for (const { time } of page) if (time instanceof Date) seen += 1;
      }
    });
    if (seen !== 1_000_000) throw new Error(`${seen} records arrived instead of 1,000,000`);
    return { value, unit: "records/s", better: "high" };
  },
  async "list-200k-devices"() {
    const { devices } = new Resources({ token, region });
    let seen = 0;
    const value = await rate(200_000, async () => {
      for await (const page of devices.listStreaming({}, { poolingRecordQty: 1000, poolingTime: 1 }))
        seen += page.length;
    });
    if (seen < 200_000) throw new Error(`${seen} devices arrived instead of 200,000`);
    return { value, unit: "devices/s", better: "high", note: seen > 200_000 ? `${seen - 200_000} twice` : "" };
  },
  async "send-200k-records"() {
    const device = new Device({ token, region });
    const rows = Array.from({ length: 200_000 }, (_, n) => ({
      variable: "temperature",
      value: n / 10,
      unit: "C",
      group: `g${n >> 3}`,
      time: new Date(1.7e12 + n),
      metadata: { q: "good", seq: n },
    }));
    return {
      value: await rate(rows.length, () => device.sendDataStreaming(rows, { poolingTime: 1 })),
      unit: "records/s",
      better: "high",
    };
  },
  async "cached-1000-in-flight"() {
    await set("dictionaryDelayMs=20");
    const dictionary = new Dictionary({ token, region, language: "en-US" });
    await dictionary.getLanguagesData("WARM", "en-US");
    await set("dictionaryDelayMs=20");
    const start = performance.now();
    await Promise.all(Array.from({ length: 1000 }, () => dictionary.getLanguagesData("SLUG", "en-US")));
    const value = performance.now() - start;
    return { value, unit: "ms", better: "low", note: `${await set("dictionaryDelayMs=0")} request(s)` };
  },
  async "cached-hits-10000-entries"() {
    const dictionary = new Dictionary({ token, region, language: "en-US" });
    await lanes(10_000, 16, (n) => dictionary.getLanguagesData(`S${n}`, "en-US"));
    let hits = 0;
    const start = performance.now();
    while (performance.now() - start < 1500) {
      for (let n = 0; n < 200; n += 1)
        await dictionary.getLanguagesData(`S${(hits * 7919 + n * 104729) % 10_000}`, "en-US");
      hits += 200;
    }
    return { value: (hits * 1000) / (performance.now() - start), unit: "hits/s", better: "high" };
  },
  async "events-200k"() {
    const source = await SSE.openSSEListening({ channel: "analysis_trigger" }, { token, region });
    let seen = 0;
    let start = 0;
    const value = await new Promise((resolve, reject) => {
      source.addEventListener("error", () => reject(new Error("the stream broke")));
      source.addEventListener("message", () => {
        if (seen === 0) start = performance.now();
        seen += 1;
        if (seen === 200_000) resolve((seen * 1000) / (performance.now() - start));
      });
    });
    source.close();
    return { value, unit: "events/s", better: "high" };
  },
  async "convert-widgets"() {
    const { readFileSync } = await import("node:fs");
    const file = JSON.parse(readFileSync(process.env.BENCH_WIDGETS, "utf8"));
    const widgets = Array.isArray(file) ? file : file.widgets;
    const batch = () => structuredClone(Array.from({ length: Math.ceil(3000 / widgets.length) }, () => widgets).flat());
    let busyMs = 0;
    let done = 0;
    for (let round = 0; round < 6; round += 1) {
      const list = batch();
      const start = performance.now();
      for (const widget of list) Migration.convertWidget(widget);
      if (round === 0) continue;
      busyMs += performance.now() - start;
      done += list.length;
    }
    return { value: (done * 1000) / busyMs, unit: "widgets/s", better: "high" };
  },
};

const result = await scenarios[scenario.replace(/^undici-/, "")]();
process.send({ rssMib: peakRssMib(), ...result }, () => process.exit(0));
