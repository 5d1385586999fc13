/** Fixed ids of the seed, so that documents, tests and examples can name them. */

export const SEED_CATALOGUE = {
  httpsNetwork: "65a1000000000000000e0001",
  loraNetwork: "65a1000000000000000e0002",
  privateNetwork: "65a1000000000000000e0003",
  httpsConnector: "65a1000000000000000c0001",
  loraConnector: "65a1000000000000000c0002",
  privateConnector: "65a1000000000000000c0003",
} as const;

export const SEED_DEVICES = {
  freezer: "65a1000000000000000d0001",
  weather: "65a1000000000000000d0002",
  waterMeter: "65a1000000000000000d0003",
  truck: "65a1000000000000000d0004",
  siloNorth: "65a1000000000000000d0005",
  siloEast: "65a1000000000000000d0006",
  siloWest: "65a1000000000000000d0007",
  settings: "65a1000000000000000d0008",
  inactive: "65a1000000000000000d0009",
  vibration: "65a1000000000000000d000a",
  mainMeter: "65a1000000000000000d000b",
  soil: "65a1000000000000000d000c",
} as const;

export type SeedDeviceName = keyof typeof SEED_DEVICES;

/** The Default token of each device. */
export const SEED_DEVICE_TOKENS: Readonly<Record<SeedDeviceName, string>> = {
  freezer: "5eed0001-0000-4000-8000-000000000001",
  weather: "5eed0001-0000-4000-8000-000000000002",
  waterMeter: "5eed0001-0000-4000-8000-000000000003",
  truck: "5eed0001-0000-4000-8000-000000000004",
  siloNorth: "5eed0001-0000-4000-8000-000000000005",
  siloEast: "5eed0001-0000-4000-8000-000000000006",
  siloWest: "5eed0001-0000-4000-8000-000000000007",
  settings: "5eed0001-0000-4000-8000-000000000008",
  inactive: "5eed0001-0000-4000-8000-000000000009",
  vibration: "5eed0001-0000-4000-8000-00000000000a",
  mainMeter: "5eed0001-0000-4000-8000-00000000000b",
  soil: "5eed0001-0000-4000-8000-00000000000c",
};

export const SEED_ANALYSIS = "65a1000000000000000a0001";

export const SEED_DASHBOARDS = {
  legacy: "65a1000000000000000b0001",
  current: "65a1000000000000000b0002",
  blueprint: "65a1000000000000000b0003",
} as const;

/** Template of the blueprint dashboard. */
export const SEED_TEMPLATE = "65a1000000000000000b1001";

/** Everything of the seed but its history was made at this moment, the one its ids carry. */
export const SEED_CREATED_AT = "2024-01-12T09:01:52.000Z";
