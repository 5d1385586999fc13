import { readFileSync } from "node:fs";

/** Ids, tokens and logins of the demo account, looked up by name in the files it is made of. */

interface SeedRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

function recordsIn(file: string): SeedRecord[] {
  const url = new URL(`../../src/sandbox/seeds/${file}.json`, import.meta.url);
  const content = JSON.parse(readFileSync(url, "utf8")) as SeedRecord | SeedRecord[];
  return Array.isArray(content) ? content : [content];
}

/** The record of a name, label, email or key. */
function record(file: string, name: string): SeedRecord {
  const found = recordsIn(file).find((each) => ["name", "label", "email", "key"].some((field) => each[field] === name));
  if (found === undefined) throw new Error(`${file}.json has no record "${name}"`);
  return found;
}

type Names = Readonly<Record<string, string>>;
type Looked<Of extends Names, Value> = { readonly [Key in keyof Of]: Value };

function lookUp<const Of extends Names, Value>(file: string, names: Of, read: (found: SeedRecord) => Value) {
  const entries = Object.entries(names).map(([key, name]) => [key, read(record(file, name))]);
  return Object.fromEntries(entries) as Looked<Of, Value>;
}

const idOf = ({ id }: SeedRecord): string => id;
const tokenOf = ({ token }: SeedRecord): string =>
  typeof token === "string" ? token : String((token as { readonly token: string }).token);
const loginOf = ({ id, email, password }: SeedRecord) => ({ id, email: String(email), password: String(password) });

const PEOPLE = { demo: "demo@example.test", shared: "shared@example.test", otp: "otp@example.test" } as const;
const { otp } = lookUp("empty/accounts", PEOPLE, (found) => found["otp"] as { readonly authenticator: string });
const accounts = lookUp("empty/accounts", PEOPLE, loginOf);
export const SEED_ACCOUNTS = { ...accounts, otp: { ...accounts.otp, authenticator: otp.authenticator } };

const PROFILES = { demoPlant: "Demo Plant", empty: "Empty", otp: "Second Factor" } as const;
export const SEED_PROFILES = lookUp("empty/profiles", PROFILES, idOf);

const CATALOGUE = { httpsNetwork: "HTTPS", loraNetwork: "LoRaWAN Demo", privateNetwork: "Plant gateway" } as const;
const CONNECTORS = {
  httpsConnector: "Custom HTTPS",
  loraConnector: "Soil Probe S2",
  privateConnector: "Plant meter",
} as const;
export const SEED_CATALOGUE = {
  ...lookUp("empty/networks", CATALOGUE, idOf),
  ...lookUp("empty/connectors", CONNECTORS, idOf),
};

const DEVICES = {
  freezer: "Freezer 1",
  weather: "Weather station",
  waterMeter: "Water meter",
  truck: "Truck 7",
  siloNorth: "Silo north",
  siloEast: "Silo east",
  siloWest: "Silo west",
  settings: "Plant settings",
  inactive: "Retired gateway",
  vibration: "Vibration logger",
  mainMeter: "Main meter",
  soil: "Soil probe",
} as const;
export type SeedDeviceName = keyof typeof DEVICES;
export const SEED_DEVICES = lookUp("demo/devices", DEVICES, idOf);
export const SEED_DEVICE_TOKENS = lookUp("demo/devices", DEVICES, tokenOf);

export const SEED_ANALYSIS = record("empty/analyses", "alert").id;
const ANALYSES = {
  report: "report",
  inactive: "retired",
  nodeLegacy: "hello (node-legacy)",
  pythonLegacy: "hello (python-legacy)",
} as const;
export const SEED_ANALYSES = lookUp("demo/analyses", ANALYSES, idOf);
export const SEED_ANALYSIS_TOKENS = lookUp("demo/analyses", ANALYSES, tokenOf);

export const SEED_DASHBOARDS = {
  legacy: record("demo/dashboards/1-legacy", "Plant, old widgets").id,
  current: record("demo/dashboards/2-current", "Plant overview").id,
  blueprint: record("demo/dashboards/3-blueprint", "Silo, any of them").id,
};
export const SEED_TEMPLATE = record("demo/templates", "Any silo").id;

const ACTIONS = {
  tooWarm: "Freezer too warm",
  dailyReport: "Report every morning",
  deviceCreated: "New device",
  truckLeft: "Truck left the plant",
  usage: "Data records nearly used up",
} as const;
export const SEED_ACTIONS = lookUp("demo/actions", ACTIONS, idOf);

const USERS = {
  operator: "operator@example.test",
  driver: "driver@example.test",
  manager: "manager@example.test",
  inactive: "inactive@example.test",
} as const;
const ANONYMOUS = { anonymous: "Anonymous" } as const;
export const SEED_RUN_USERS = {
  ...lookUp("demo/portal-users", USERS, loginOf),
  ...lookUp("demo/portal-users", ANONYMOUS, ({ id, email }) => ({ id, email: String(email) })),
};
const { inactive: _, ...withToken } = USERS;
export const SEED_RUN_TOKENS = lookUp("demo/portal-users", { ...withToken, ...ANONYMOUS }, tokenOf);

export const SEED_ENTITIES = lookUp("demo/entities", { sites: "sites", empty: "empty" }, idOf);
export const SEED_DICTIONARY = record("demo/dictionaries", "Test texts").id;
export const SEED_SECRETS = lookUp("demo/secrets", { weatherKey: "WEATHER_API_KEY", smtp: "PLANT_SMTP" }, idOf);
export const SEED_TCORES = lookUp("demo/cores", { hall: "Hall gateway", office: "Office gateway" }, idOf);
export const SEED_SERVICE_TOKEN = tokenOf(record("demo/service-authorizations", "LoRaWAN Demo"));
export const SEED_GATEWAY_TOKEN = tokenOf(record("demo/service-authorizations", "Old gateway"));

/** Token of a profile by its name. */
function profileToken(profile: string, name: string): string {
  const tokens = record("empty/profiles", profile)["tokens"] as readonly { name: string; token: string }[];
  return tokens.find((each) => each.name === name)?.token ?? "";
}

export const SEED_TOKENS = {
  full: profileToken("Demo Plant", "Demo full"),
  read: profileToken("Demo Plant", "Demo read"),
  write: profileToken("Demo Plant", "Demo write"),
  expired: profileToken("Demo Plant", "Demo expired"),
  /** One hour left from the moment of seeding. */
  oneHour: profileToken("Demo Plant", "Demo one hour"),
  empty: profileToken("Empty", "Empty full"),
  analysis: tokenOf(record("empty/analyses", "alert")),
  network: tokenOf(record("empty/networks", "Plant gateway")),
  loraNetwork: tokenOf(record("empty/networks", "LoRaWAN Demo")),
};

interface LegacyWidget {
  readonly label: string;
  readonly type: string;
  readonly display: Readonly<Record<string, unknown>>;
  readonly data?: readonly { readonly origin: string; readonly variables: readonly string[] }[];
}

/** Widgets of the legacy dashboard. */
export const LEGACY_WIDGETS = (
  record("demo/dashboards/1-legacy", "Plant, old widgets")["tabs"] as readonly { widgets: readonly LegacyWidget[] }[]
).flatMap(({ widgets }) => widgets);
