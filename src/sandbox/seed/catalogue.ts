import type { App } from "../app.ts";
import { PUBLIC_PROFILE } from "../store/collection.ts";
import { SEED_PROFILES } from "./accounts.ts";
import { SEED_ANALYSIS, SEED_CATALOGUE, SEED_CREATED_AT } from "./names.ts";

const times = { created_at: SEED_CREATED_AT, updated_at: SEED_CREATED_AT };

const NETWORKS = [
  {
    id: SEED_CATALOGUE.httpsNetwork,
    name: "HTTPS",
    description: "Devices that post their data themselves",
    public: true,
    device_parameters: [],
  },
  {
    id: SEED_CATALOGUE.loraNetwork,
    name: "LoRaWAN Demo",
    description: "A network server with serial numbers and downlinks",
    public: true,
    middleware_endpoint: "127.0.0.1/middleware",
    serial_number: {
      mask: "FFFFFFFFFFFFFFFF",
      label: "Device EUI",
      case: "upper",
      help: "Sixteen hexadecimal characters",
      required: true,
    },
    device_parameters: [
      { name: "downlink", label: "Last downlink", type: "text", default: "", group: "hide" },
      { name: "port", label: "Port", type: "number", default: 1, group: "advanced" },
      { name: "class", label: "Class", type: "dropdown", default: "A", group: "main", options: ["A", "B", "C"] },
    ],
    require_devices_access: true,
  },
] as const;

const PRIVATE_NETWORK = {
  id: SEED_CATALOGUE.privateNetwork,
  name: "Plant gateway",
  description: "The gateway in the switch room",
  public: false,
  device_parameters: [{ name: "slave", label: "Modbus address", type: "number", default: 1, group: "main" }],
} as const;

const CONNECTORS = [
  {
    id: SEED_CATALOGUE.httpsConnector,
    name: "Custom HTTPS",
    description: "Any device that can send JSON over HTTP",
    public: true,
    networks: [SEED_CATALOGUE.httpsNetwork],
    install_text: "Post a list of readings to /data with the token of the device.",
  },
  {
    id: SEED_CATALOGUE.loraConnector,
    name: "Soil Probe S2",
    description: "Moisture and temperature over LoRaWAN",
    public: true,
    networks: [SEED_CATALOGUE.loraNetwork],
    device_parameters: [{ name: "depth", label: "Depth in cm", type: "number", default: 20, group: "main" }],
    install_text: "Enter the EUI that is printed under the lid.",
  },
] as const;

const PRIVATE_CONNECTOR = {
  id: SEED_CATALOGUE.privateConnector,
  name: "Plant meter",
  description: "Meters behind the plant gateway",
  public: false,
  networks: [SEED_CATALOGUE.privateNetwork],
} as const;

/** Connectors and networks: two public of each, and one of each that belongs to Demo Plant. */
export function seedCatalogue(app: Pick<App, "collection">): void {
  const networks = app.collection("network");
  const connectors = app.collection("connector");
  for (const network of NETWORKS) networks.insert(PUBLIC_PROFILE, { ...network, ...times });
  networks.insert(SEED_PROFILES.demoPlant, { ...PRIVATE_NETWORK, ...times });
  for (const connector of CONNECTORS) connectors.insert(PUBLIC_PROFILE, { ...connector, ...times });
  connectors.insert(SEED_PROFILES.demoPlant, { ...PRIVATE_CONNECTOR, ...times });
}

/** The analysis whose token programs under `sandbox exec` get. */
export function seedAnalysis(app: Pick<App, "collection">): void {
  app.collection("analysis").insert(SEED_PROFILES.demoPlant, {
    id: SEED_ANALYSIS,
    name: "alert",
    description: "Runs outside, for example on your own machine",
    active: true,
    run_on: "external",
    runtime: "other",
    interval: null,
    variables: [{ key: "threshold", value: "8" }],
    tags: [{ key: "purpose", value: "alert" }],
    last_run: "never",
    ...times,
  });
}
