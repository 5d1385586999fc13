import type { FullApp } from "../app.ts";
import { newSchema } from "../entities/changes.ts";
import { SEED_ACCOUNTS, SEED_PROFILES } from "./accounts.ts";
import { SEED_CREATED_AT } from "./names.ts";
import { createRandom } from "../seeds/random.ts";

export const SEED_ENTITIES = {
  sites: "65a100000000000000070001",
  empty: "65a100000000000000070002",
} as const;

export const SEED_DICTIONARY = "65a100000000000000080001";

export const SEED_SECRETS = {
  weatherKey: "65a100000000000000090001",
  smtp: "65a100000000000000090002",
} as const;

export const SEED_TCORES = {
  hall: "65a1000000000000000c1001",
  office: "65a1000000000000000c1002",
} as const;

/** Authorization the network of the soil probe uses; it opens nothing but the sandbox. */
export const SEED_SERVICE_TOKEN = "at5eed00000000400080000000000000a1";

/** Rows of the entity sites. */
const SEED_SITES = 2_000;

const profile = SEED_PROFILES.demoPlant;
const times = { created_at: SEED_CREATED_AT, updated_at: SEED_CREATED_AT };
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const CITIES = ["Aarhus", "Bergen", "Curitiba", "Denver", "Eindhoven", "Florence", "Gdansk", "Hanoi"] as const;
const STATES = ["planned", "open", "closed"] as const;

function seedEntities(app: FullApp, seed: number): void {
  const entities = app.collection("entity");
  const fields = {
    name: { type: "string", required: true },
    city: { type: "string", required: true },
    state: { type: "string" },
    area: { type: "float" },
    devices: { type: "int" },
    opened: { type: "timestamp" },
    note: { type: "text" },
    contact: { type: "json" },
  } as const;
  const sites = entities.insert(profile, {
    id: SEED_ENTITIES.sites,
    name: "sites",
    ...newSchema(fields, {
      city_state_opened_idx: { fields: ["city", "state", "opened"] },
      name_idx: { fields: ["name"] },
    }),
    tags: [{ key: "kind", value: "site" }],
    payload_decoder: null,
    ...times,
  });
  entities.insert(profile, {
    id: SEED_ENTITIES.empty,
    name: "empty",
    ...newSchema({ label: { type: "string" } }, {}),
    tags: [],
    payload_decoder: null,
    ...times,
  });

  const random = createRandom(seed, "sites");
  const startMs = Date.parse(SEED_CREATED_AT);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const rows = Array.from({ length: SEED_SITES }, (_, index) => {
    const city = pick(CITIES);
    const state = pick(STATES);
    const number = String(index + 1).padStart(4, "0");
    return {
      id: `site-${number}`,
      name: `Site ${number}`,
      city,
      state,
      area: Math.round(random() * 50_000) / 10,
      devices: Math.floor(random() * 40),
      opened: state === "planned" ? null : new Date(startMs - Math.floor(random() * 2_000) * DAY_MS).toISOString(),
      note: index % 5 === 0 ? `Access through the gate of ${city}` : null,
      contact: { mail: `site${number}@example.test`, floor: Math.floor(random() * 4) },
    };
  });
  for (let at = 0; at < rows.length; at += 100) {
    app.entityRows.add(sites, rows.slice(at, at + 100), (index) => startMs + (at + index) * MINUTE_MS);
  }
}

function seedDictionary(app: FullApp): void {
  app.collection("dictionary").insert(profile, {
    id: SEED_DICTIONARY,
    name: "Test texts",
    slug: "TEST",
    fallback: "en-US",
    languages: [
      { code: "en-US", active: true },
      { code: "pt-BR", active: true },
      { code: "es", active: false },
    ],
    texts: {
      "en-US": { HELLO: "Hello", TEMPERATURE: "Temperature", DEVICES_OF: "$0 devices of $1", GOODBYE: "Goodbye" },
      "pt-BR": { HELLO: "Olá", TEMPERATURE: "Temperatura" },
      es: { HELLO: "Hola", TEMPERATURE: "Temperatura", DEVICES_OF: "$0 dispositivos de $1", GOODBYE: "Adiós" },
    },
    ...times,
  });
}

function seedSecrets(app: FullApp): void {
  const secrets = app.collection("secret");
  const smtp = JSON.stringify({ host: "mail.example.test", port: 587, username: "plant", password: "not-a-real-one" });
  for (const [id, key, value] of [
    [SEED_SECRETS.weatherKey, "WEATHER_API_KEY", "not-a-real-key"],
    [SEED_SECRETS.smtp, "PLANT_SMTP", smtp],
  ] as const) {
    secrets.insert(profile, { id, key, value, value_length: value.length, tags: [], ...times });
  }
}

function seedTcores(app: FullApp): void {
  const cores = app.collection("tcore");
  const common = {
    active: true,
    tcore_version: "0.7.2",
    system_start_time: SEED_CREATED_AT,
    tcore_start_time: SEED_CREATED_AT,
    last_connection: SEED_CREATED_AT,
    os: { name: "Linux", arch: "x64", version: "6.1", platform: "linux" },
    ...times,
  };
  const usage = (title: string, total: number, used: number) => ({
    title,
    type: title.toLowerCase(),
    description: `${used} of ${total}`,
    detail: "",
    total,
    used,
  });
  const standalone = (id: string, name: string) => ({ id, name, last_input: SEED_CREATED_AT, ...times });
  cores.insert(profile, {
    id: SEED_TCORES.hall,
    name: "Hall gateway",
    connected: true,
    token: "5eed0002-0000-4000-8000-000000000001",
    tags: [{ key: "site", value: "plant" }],
    machine_id: "demo-machine-1",
    internet_ip: "203.0.113.7",
    local_ips: "192.0.2.7",
    computer_usage: [usage("Memory", 4096, 1210), usage("Disk", 32_000, 8_400)],
    summary: { device: 2, action: 1, analysis: 1 },
    devices: [standalone("65a1000000000000000a2001", "Press 1"), standalone("65a1000000000000000a2002", "Press 2")],
    ...common,
  });
  cores.insert(profile, {
    id: SEED_TCORES.office,
    name: "Office gateway",
    connected: false,
    token: "5eed0002-0000-4000-8000-000000000002",
    tags: [],
    machine_id: "demo-machine-2",
    internet_ip: "203.0.113.8",
    local_ips: "192.0.2.8",
    computer_usage: [],
    summary: { device: 0, action: 0, analysis: 0 },
    devices: [],
    ...common,
  });
}

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="30" fill="#1a6fb3"/></svg>\n';

/** Public and private ones, a folder named like a file, names that need encoding. */
const FILES: readonly (readonly [path: string, text: string, isPublic: boolean])[] = [
  ["logos/plant.svg", LOGO, true],
  ["logos/plant-dark.svg", LOGO.replace("#1a6fb3", "#0b2f4d"), true],
  ["logos-old/plant.svg", LOGO, false],
  ["reports/2024/january.csv", "day,energy\n1,120\n2,131\n", false],
  ["reports/annual", "The report of the year is in the folder of the same name.\n", false],
  ["reports/annual/2023.txt", "Energy in 2023: 48,200 kWh\n", false],
  ["reports/open.txt", "Anybody may read this.\n", true],
  ["reports/Übersicht März 100%.txt", "Ein Name mit Umlauten.\n", false],
];

function seedFiles(app: FullApp): void {
  for (const [path, text, isPublic] of FILES)
    app.files.put(profile, path, { content: Buffer.from(text), public: isPublic });
}

/** Entities, a dictionary, secrets, core instances, files and the authorization of the network. */
export function seedResources(app: FullApp, seed: number): void {
  seedEntities(app, seed);
  seedDictionary(app);
  seedSecrets(app);
  seedTcores(app);
  seedFiles(app);
  app.tokens.create({
    kind: "service",
    profile,
    refId: profile,
    name: "LoRaWAN Demo",
    token: SEED_SERVICE_TOKEN,
    verificationCode: "5EED",
    createdBy: SEED_ACCOUNTS.demo.id,
  });
}
