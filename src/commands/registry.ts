/** One noun of the grammar. */
export interface Noun {
  readonly name: string;
  /** Plurals and short forms. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly section:
    | "Connection and tool"
    | "Devices and data"
    | "Dashboards and widgets"
    | "Code, rules and content"
    | "Account, portal and integrations";
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
    summary: "Widgets of dashboards, and the conversion of legacy ones",
    load: () => import("./widget.ts"),
  },
  {
    name: "sandbox",
    aliases: [],
    section: "Connection and tool",
    summary: "A local platform to try things on",
    load: () => import("./sandbox.ts"),
  },
  {
    name: "init",
    aliases: [],
    section: "Connection and tool",
    summary: "Write a project file, or take over the settings of another program",
    load: () => import("./init.ts"),
  },
  {
    name: "alias",
    aliases: ["aliases"],
    section: "Connection and tool",
    summary: "Own short forms of commands",
    load: () => import("./alias.ts"),
  },
  {
    name: "mcp",
    aliases: [],
    section: "Connection and tool",
    summary: "Serve the commands to an assistant over standard input and output",
    load: () => import("./mcp.ts"),
  },
  {
    name: "self",
    aliases: [],
    section: "Devices and data",
    summary: "The device whose token is in use, and its data",
    load: () => import("./self.ts"),
  },
  {
    name: "lorawan",
    aliases: [],
    section: "Devices and data",
    summary: "QR codes of LoRaWAN devices",
    load: () => import("./lorawan.ts"),
  },
  {
    name: "analysis",
    aliases: ["analyses"],
    section: "Code, rules and content",
    summary: "Analyses: scripts that the platform or this machine runs",
    load: () => import("./analysis.ts"),
  },
  {
    name: "action",
    aliases: ["actions"],
    section: "Code, rules and content",
    summary: "Actions: what happens on a schedule or a condition",
    load: () => import("./action.ts"),
  },
  {
    name: "access",
    aliases: ["accesses", "am"],
    section: "Code, rules and content",
    summary: "Access policies",
    load: () => import("./access.ts"),
  },
  {
    name: "dictionary",
    aliases: ["dictionaries"],
    section: "Code, rules and content",
    summary: "Dictionaries and their languages",
    load: () => import("./dictionary.ts"),
  },
  {
    name: "entity",
    aliases: ["entities"],
    section: "Code, rules and content",
    summary: "Entities, their schema and data",
    load: () => import("./entity.ts"),
  },
  {
    name: "secret",
    aliases: ["secrets"],
    section: "Code, rules and content",
    summary: "Secrets of analyses",
    load: () => import("./secret.ts"),
  },
  {
    name: "file",
    aliases: ["files"],
    section: "Code, rules and content",
    summary: "Files of the profile",
    load: () => import("./file.ts"),
  },
  {
    name: "pdf",
    aliases: ["pdfs"],
    section: "Code, rules and content",
    summary: "PDF documents of pages and HTML",
    load: () => import("./pdf.ts"),
  },
  {
    name: "generate",
    aliases: [],
    section: "Code, rules and content",
    summary: "Types from what the platform holds",
    load: () => import("./generate.ts"),
  },
  {
    name: "account",
    aliases: ["accounts"],
    section: "Account, portal and integrations",
    summary: "The account itself",
    load: () => import("./account.ts"),
  },
  {
    name: "billing",
    aliases: ["billings"],
    section: "Account, portal and integrations",
    summary: "Plan, subscription, prices and payments",
    load: () => import("./billing.ts"),
  },
  {
    name: "profile",
    aliases: ["profiles"],
    section: "Account, portal and integrations",
    summary: "Profiles of the account, their team and limits",
    load: () => import("./profile.ts"),
  },
  {
    name: "backup",
    aliases: ["backups"],
    section: "Account, portal and integrations",
    summary: "Backups of a profile",
    load: () => import("./backup.ts"),
  },
  {
    name: "run",
    aliases: ["runs"],
    section: "Account, portal and integrations",
    summary: "The portal of the profile: settings, users, domains",
    load: () => import("./run.ts"),
  },
  {
    name: "portal",
    aliases: ["portals"],
    section: "Account, portal and integrations",
    summary: "A portal as its end user sees it",
    load: () => import("./portal.ts"),
  },
  {
    name: "connector",
    aliases: ["connectors"],
    section: "Account, portal and integrations",
    summary: "Connectors: kinds of devices",
    load: () => import("./connector.ts"),
  },
  {
    name: "network",
    aliases: ["networks"],
    section: "Account, portal and integrations",
    summary: "Networks and their tokens",
    load: () => import("./network.ts"),
  },
  {
    name: "notification",
    aliases: ["notifications"],
    section: "Account, portal and integrations",
    summary: "Notifications of the account",
    load: () => import("./notification.ts"),
  },
  {
    name: "service-auth",
    aliases: ["service-auths"],
    section: "Account, portal and integrations",
    summary: "Authorizations of external services",
    load: () => import("./service-auth.ts"),
  },
  {
    name: "core",
    aliases: ["cores"],
    section: "Account, portal and integrations",
    summary: "Core instances",
    load: () => import("./core.ts"),
  },
  {
    name: "tag",
    aliases: ["tags"],
    section: "Account, portal and integrations",
    summary: "Tag keys in use",
    load: () => import("./tag.ts"),
  },
  {
    name: "template",
    aliases: ["templates"],
    section: "Account, portal and integrations",
    summary: "Templates of dashboards and analyses",
    load: () => import("./template.ts"),
  },
  {
    name: "service",
    aliases: ["services"],
    section: "Account, portal and integrations",
    summary: "Services: e-mail, messages, queues",
    load: () => import("./service.ts"),
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
