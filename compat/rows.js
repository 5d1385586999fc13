// Runs the areas with one peer: each row a real call and a checked result.
import { createWorld, textOf } from "./kit.js";

const AREAS = {
  devices: "Devices, parameters, tokens",
  data: "Device data",
  stream: "Event stream and analyses over it",
  automation: "Analyses and actions",
  dashboards: "Dashboards, widgets, templates",
  files: "Files",
  entities: "Entities",
  dictionaries: "Dictionaries",
  portal: "Run portal",
  access: "Access rules",
  messages: "Notifications, secrets, services",
  integration: "Connectors, networks, cores",
  account: "Account, profiles, service tokens",
  billing: "Billing",
};

/** Far above what any row needs, so that only one that hangs meets it. */
const ROW_LIMIT_MS = 60_000;

export const areaNames = Object.keys(AREAS);

async function within(work) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${ROW_LIMIT_MS / 1000} s`)), ROW_LIMIT_MS);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs rows and tells `report` of each: `{area, call, ok, reason?, ms}`. A row that fails lets the next ones run. */
export function rowsOf(area, report) {
  return async (call, work) => {
    const startMs = performance.now();
    const done = (result) => report({ area, call, ms: Math.round(performance.now() - startMs), ...result });
    try {
      await within(work);
      done({ ok: true });
    } catch (reason) {
      done({ ok: false, reason: textOf(reason).split("\n").slice(0, 12).join("\n") });
    }
  };
}

async function runArea(name, sdk, target, report) {
  const { run } = await import(`./areas/${name}.js`);
  try {
    await run(rowsOf(AREAS[name], report), createWorld(sdk, target));
  } catch (reason) {
    report({ area: AREAS[name], call: "(set-up of the area)", ms: 0, ok: false, reason: textOf(reason) });
  }
}

/** `target`: url, tokens and profile of a sandbox, and the first number of the peer's version. */
export async function runAreas(names, sdk, target, report) {
  for (const name of names) await runArea(name, sdk, target, report);
}
