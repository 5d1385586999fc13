// What the pictures of the live view show: readings sent to a sandbox, and a recording with a gap.
import { writeFileSync } from "node:fs";
import { NOW_MS } from "./place.js";

const SECONDS = 60;
const STEP = 2;

/**
 * Steps of a run: the view as it opens, and a minute of readings, one pair after the other; each has arrived before the next is
 * sent.
 */
export function watchMinute(sandbox, place) {
  const minute = Array.from({ length: SECONDS / STEP + 1 }, (_, i) => {
    const send = async () => {
      const atMs = NOW_MS + (i * STEP - SECONDS) * 1_000;
      place.setDate(atMs);
      await post(sandbox, readingsOf(i * STEP, new Date(atMs)));
    };
    return [send, new RegExp(`received ${2 * (i + 1)} `)];
  });
  // The last input is asked for beside the connection, and is there before it or after.
  return [["", /LIVE[\s\S]*Last input/], ...minute];
}

function readingsOf(n, time) {
  const isCooling = n > 14 && n < 44;
  const temperature = { variable: "temperature", unit: "°C", time, value: -17.4 + 1.6 * Math.cos((n - 14) / 10) };
  const power = { variable: "power", unit: "W", time, value: (isCooling ? 164 : 91) + 4 * Math.sin(n * 1.7) };
  return [temperature, power].map((one) => ({ ...one, value: Number(one.value.toFixed(1)) }));
}

async function post({ url, tokens }, readings) {
  const headers = { token: tokens.device, "content-type": "application/json" };
  const response = await fetch(`${url}/data`, { method: "POST", headers, body: JSON.stringify(readings) });
  if (!response.ok) throw new Error(`The sandbox responded with ${response.status} to a reading.`);
}

/** Two minutes of a pump, in which the connection was lost for two seconds. */
export function writeRecording(path) {
  const device = "65a1000000000000000d0001";
  const entry = (n) => {
    const atMs = NOW_MS + n * 500;
    const reading =
      n % 2 === 0
        ? { variable: "pressure", unit: "bar", value: 4 + 0.4 * Math.sin(n / 9) }
        : { variable: "temperature", unit: "°C", value: 21 + 2 * Math.cos(n / 14) };
    const record = { ...reading, device, value: Number(reading.value.toFixed(2)), time: new Date(atMs).toISOString() };
    return { type: "event", atMs, channel: `device_data.${device}`, payload: [record] };
  };
  const gap = { type: "gap", atMs: NOW_MS + 56_000, lostAtMs: NOW_MS + 54_000, resumedAtMs: NOW_MS + 56_000 };
  const head = {
    recording: "iotdeck-stream",
    version: 1,
    channels: ["device_data"],
    names: { [device]: "Pump 3" },
    startedAt: new Date(NOW_MS).toISOString(),
  };
  const entries = Array.from({ length: 120 }, (_, n) => entry(n));
  const before = entries.filter(({ atMs }) => atMs <= gap.lostAtMs);
  const after = entries.filter(({ atMs }) => atMs > gap.resumedAtMs);
  writeFileSync(path, [head, ...before, gap, ...after].map((one) => JSON.stringify(one)).join("\n"));
}
