/** One noun of the grammar. */
export interface Noun {
  readonly name: string;
  /** Plurals and short forms. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly section: "Connection and tool" | "Devices and data" | "Dashboards and widgets";
  readonly load: () => Promise<{ readonly commands: readonly import("./kit/define.ts").Command[] }>;
}

/** Every noun, and how to get its commands. Imports nothing by itself: help and completion read it at every start. */
export const nouns: readonly Noun[] = [
  {
    name: "auth",
    aliases: [],
    section: "Connection and tool",
    summary: "Log in and out, show the credential in use",
    load: () => import("./auth.ts"),
  },
  {
    name: "env",
    aliases: ["envs"],
    section: "Connection and tool",
    summary: "Environments: which platform, which address",
    load: () => import("./env.ts"),
  },
  {
    name: "config",
    aliases: ["configs"],
    section: "Connection and tool",
    summary: "User settings",
    load: () => import("./config.ts"),
  },
  {
    name: "doctor",
    aliases: [],
    section: "Connection and tool",
    summary: "Check this machine, its settings and the connection",
    load: () => import("./doctor.ts"),
  },
  {
    name: "status",
    aliases: [],
    section: "Connection and tool",
    summary: "Show whether the platform answers, and its version",
    load: () => import("./status.ts"),
  },
  {
    name: "api",
    aliases: [],
    section: "Connection and tool",
    summary: "Send any request with the credential in use",
    load: () => import("./api.ts"),
  },
  {
    name: "completion",
    aliases: [],
    section: "Connection and tool",
    summary: "Print a completion script for a shell",
    load: () => import("./completion.ts"),
  },
  {
    name: "device",
    aliases: ["devices"],
    section: "Devices and data",
    summary: "Devices, their data, parameters and tokens",
    load: () => import("./device.ts"),
  },
  {
    name: "stream",
    aliases: ["streams"],
    section: "Devices and data",
    summary: "Follow event channels of the platform",
    load: () => import("./stream.ts"),
  },
  {
    name: "dashboard",
    aliases: ["dashboards"],
    section: "Dashboards and widgets",
    summary: "Dashboards",
    load: () => import("./dashboard.ts"),
  },
  {
    name: "widget",
    aliases: ["widgets"],
    section: "Dashboards and widgets",
    summary: "Convert legacy widgets to the new structure",
    load: () => import("./widget.ts"),
  },
  {
    name: "sandbox",
    aliases: [],
    section: "Connection and tool",
    summary: "A local platform to try things on",
    load: () => import("./sandbox.ts"),
  },
];

/** The commands most people need, shown by `iot` alone. */
export const popular: readonly (readonly [line: string, summary: string])[] = [
  ["auth login", "Log in to the platform and keep a token"],
  ["env use <name>", "Choose the environment for the next commands"],
  ["device list", "List the devices of the profile"],
  ["device get <id>", "Show one device"],
  ["device data list <id>", "Show what a device has sent"],
  ["device data send <id>", "Send data in the name of a device"],
  ["device watch <id>", "Follow the data of a device as it arrives"],
  ["dashboard list", "List the dashboards"],
  ["widget convert <file>", "Convert legacy widget files to the new structure"],
  ["sandbox start", "Start a local platform to try things on"],
];

export function findNoun(word: string): Noun | undefined {
  return nouns.find((noun) => noun.name === word || noun.aliases.includes(word));
}
