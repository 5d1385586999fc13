import type { App } from "../app.ts";
import { notify } from "../notifications/notify.ts";
import { SEED_ACCOUNTS, SEED_PROFILES } from "./accounts.ts";
import { SEED_ANALYSIS, SEED_CREATED_AT, SEED_DEVICES } from "./names.ts";

/** Analyses besides `SEED_ANALYSIS`, the external one. */
export const SEED_ANALYSES = {
  report: "65a1000000000000000a0002",
  inactive: "65a1000000000000000a0003",
  nodeLegacy: "65a1000000000000000a0004",
  pythonLegacy: "65a1000000000000000a0005",
} as const;

export const SEED_ANALYSIS_TOKENS = {
  report: "a-5eed0003-0000-4000-8000-0000000002",
  inactive: "a-5eed0003-0000-4000-8000-0000000003",
  nodeLegacy: "a-5eed0003-0000-4000-8000-0000000004",
  pythonLegacy: "a-5eed0003-0000-4000-8000-0000000005",
} as const satisfies Record<keyof typeof SEED_ANALYSES, string>;

export const SEED_ACTIONS = {
  tooWarm: "65a1000000000000000a1001",
  dailyReport: "65a1000000000000000a1002",
  deviceCreated: "65a1000000000000000a1003",
  truckLeft: "65a1000000000000000a1004",
  usage: "65a1000000000000000a1005",
} as const;

/** A second service authorization, beside the one of the LoRaWAN network. */
export const SEED_GATEWAY_TOKEN = "at5eed00000000400080000000000000a2";

const times = { created_at: SEED_CREATED_AT, updated_at: SEED_CREATED_AT };

/** Needs nothing but Node: says how cold the freezer is, and mails it. */
const REPORT_SCRIPT = `const { TAGOIO_API, T_ANALYSIS_TOKEN, T_ANALYSIS_ENV } = process.env;

async function call(method, path, body) {
  const headers = { token: T_ANALYSIS_TOKEN, "content-type": "application/json" };
  const reply = await fetch(TAGOIO_API + path, { method, headers, body: body && JSON.stringify(body) });
  const { status, result, message } = await reply.json();
  if (!status) throw new Error(message);
  return result;
}

async function report() {
  const device = JSON.parse(T_ANALYSIS_ENV).find(({ key }) => key === "device").value;
  const [row] = await call("GET", "/device/" + device + "/data?variables=temperature&query=last_value");
  const text = "The freezer is at " + row.value + " degrees";
  console.log(text);
  await call("POST", "/analysis/services/email/send", { to: "demo@example.test", subject: "Daily report", message: text });
}

report();
`;

const PYTHON_SCRIPT = `print("The sandbox runs Node scripts only")\n`;

interface SeedScript {
  readonly name: string;
  readonly runtime: string;
  readonly active?: boolean;
  readonly fileName: string;
  readonly source: string;
}

const SCRIPTS: Readonly<Record<keyof typeof SEED_ANALYSES, SeedScript>> = {
  report: { name: "report", runtime: "node-rt2025", fileName: "report.js", source: REPORT_SCRIPT },
  inactive: { name: "retired", runtime: "node-rt2025", active: false, fileName: "retired.js", source: REPORT_SCRIPT },
  nodeLegacy: {
    name: "hello (node-legacy)",
    runtime: "node-legacy",
    fileName: "hello.js",
    source: 'console.log("Hello from the sandbox");\n',
  },
  pythonLegacy: {
    name: "hello (python-legacy)",
    runtime: "python-legacy",
    fileName: "hello.py",
    source: PYTHON_SCRIPT,
  },
};

function seedAnalyses(app: App): void {
  const profile = SEED_PROFILES.demoPlant;
  const { name, email } = { name: "Dana Demo", email: SEED_ACCOUNTS.demo.email };
  for (const key of ["report", "inactive", "nodeLegacy", "pythonLegacy"] as const) {
    const { source, fileName, ...script } = SCRIPTS[key];
    const id = SEED_ANALYSES[key];
    app.collection("analysis").insert(profile, {
      id,
      description: null,
      active: true,
      ...script,
      run_on: "tago",
      interval: null,
      variables: [{ key: "device", value: SEED_DEVICES.freezer }],
      tags: [{ key: "purpose", value: key === "report" ? "report" : "example" }],
      file_name: fileName,
      version: 1,
      versions: { 1: { file_name: fileName, created_at: SEED_CREATED_AT, created_by: `${name} (${email})` } },
      last_run: "never",
      locked_at: null,
      ...times,
    });
    app.scripts.add(id, { fileName, language: script.runtime, content: Buffer.from(source) });
    app.tokens.create({ kind: "analysis", profile, refId: id, name: "Default", token: SEED_ANALYSIS_TOKENS[key] });
  }
}

/** The truck goes round inside of this. */
const PLANT = { center: [9.18, 45.46], radius: 10 };

function seedActions(app: App): void {
  const temperature = { device: SEED_DEVICES.freezer, variable: "temperature", value_type: "number" };
  const position = { device: SEED_DEVICES.truck, variable: "location", value: PLANT };
  const actions = [
    {
      id: SEED_ACTIONS.tooWarm,
      name: "Freezer too warm",
      type: "condition",
      trigger: [
        { ...temperature, is: ">", value: "8" },
        { ...temperature, is: "<", value: "5", unlock: true },
      ],
      action: { type: "script", script: [SEED_ANALYSIS] },
      tags: [{ key: "purpose", value: "alert" }],
    },
    {
      id: SEED_ACTIONS.dailyReport,
      name: "Report every morning",
      type: "schedule",
      trigger: [{ cron: "0 6 * * *", timezone: "Europe/Rome" }],
      action: { type: "script", script: [SEED_ANALYSES.report] },
      tags: [{ key: "purpose", value: "report" }],
    },
    {
      id: SEED_ACTIONS.deviceCreated,
      name: "New device",
      type: "resource",
      trigger: [{ resource: "device", when: "create", tag_key: "", tag_value: "" }],
      action: { type: "notification", subject: "New device", message: "A device was created" },
      tags: [],
    },
    {
      id: SEED_ACTIONS.truckLeft,
      name: "Truck left the plant",
      type: "condition_geofence",
      trigger: [
        { ...position, is: "OUT" },
        { ...position, is: "IN", unlock: true },
      ],
      action: {
        type: "email",
        to: SEED_ACCOUNTS.demo.email,
        subject: "$DEVICE.NAME$ left",
        message: "Seen at $LOCATION$, $TIME$",
      },
      tags: [],
    },
    {
      id: SEED_ACTIONS.usage,
      name: "Data records nearly used up",
      type: "usage_alert",
      trigger: [{ service_or_resource: "data_records", condition: ">", condition_value: 90 }],
      action: { type: "notification", subject: "Usage", message: "More than 90 % of the data records are used" },
      tags: [],
    },
  ] as const;
  for (const action of actions) {
    app.collection("action").insert(SEED_PROFILES.demoPlant, {
      description: null,
      active: true,
      lock: false,
      trigger_when_unlock: false,
      last_triggered: "never",
      ...action,
      ...times,
    });
  }
}

function seedNotifications(app: App): void {
  const profile = SEED_PROFILES.demoPlant;
  const messages = [
    { title: "Welcome", message: "This is the sandbox: nothing leaves your machine", read: true, type: "system" },
    { title: "Freezer 1", message: "The door was open for ten minutes" },
    {
      title: "Water meter",
      message: "Read the meter now?",
      buttons: [
        { id: "now", label: "Now", color: "#1b7f4f", triggers: [{ analysis_id: SEED_ANALYSES.report, scope: [] }] },
        { id: "later", label: "Later" },
      ],
      buttons_autodisable: true,
    },
  ] as const;
  messages.forEach((message, index) => {
    const id = `65a1000000000000000a20${String(index + 1).padStart(2, "0")}`;
    notify(app, profile, { id, ...message, ...times });
  });
}

/** Analyses with scripts, actions, notifications and service authorizations of Demo Plant (SANDBOX.md section 3). */
export function seedAutomation(app: App): void {
  seedAnalyses(app);
  seedActions(app);
  seedNotifications(app);
  const profile = SEED_PROFILES.demoPlant;
  app.tokens.create({
    kind: "service",
    profile,
    refId: profile,
    name: "Old gateway",
    permission: "full",
    token: SEED_GATEWAY_TOKEN,
    createdBy: SEED_ACCOUNTS.demo.id,
  });
}
