import type { App } from "../app.ts";
import { domainRecords as recordsOf } from "../portal/custom-domain.ts";
import { editPortal } from "../portal/settings.ts";
import { writeSetting } from "../store/settings.ts";
import { SEED_PROFILES } from "./accounts.ts";
import { SEED_CREATED_AT, SEED_DASHBOARDS, SEED_DEVICES } from "./names.ts";

/** Users of the portal of Demo Plant. Demo values, as the accounts. */
export const SEED_RUN_USERS = {
  operator: { id: "65a100000000000000050001", email: "operator@example.test", password: "operator-password" },
  driver: { id: "65a100000000000000050002", email: "driver@example.test", password: "driver-password" },
  manager: { id: "65a100000000000000050003", email: "manager@example.test", password: "manager-password" },
  inactive: { id: "65a100000000000000050004", email: "inactive@example.test", password: "inactive-password" },
  anonymous: { id: "65a100000000000000050005", email: `anonymous@${SEED_PROFILES.demoPlant}.invalid` },
} as const;

/** Tokens of portal users. */
export const SEED_RUN_TOKENS = {
  operator: "u-5eed0000-0000-4000-8000-0000000011",
  driver: "u-5eed0000-0000-4000-8000-0000000012",
  manager: "u-5eed0000-0000-4000-8000-0000000013",
  anonymous: "u-5eed0000-0000-4000-8000-0000000014",
} as const;

export const SEED_ACCESS_RULES = {
  operatorDashboard: "65a100000000000000060001",
  managers: "65a100000000000000060002",
  ownSite: "65a100000000000000060003",
  noSettings: "65a100000000000000060004",
  anonymousDashboard: "65a100000000000000060005",
  reports: "65a100000000000000060006",
} as const;

const profile = SEED_PROFILES.demoPlant;
const times = { created_at: SEED_CREATED_AT, updated_at: SEED_CREATED_AT };
const tag = (key: string, value: string) => ({ key, value });
const allow = (resource: readonly string[], ...action: readonly string[]) => ({ effect: "allow", action, resource });
const deny = (resource: readonly string[], ...action: readonly string[]) => ({ effect: "deny", action, resource });

const PORTAL = {
  name: "Demo Plant portal",
  sub_title: "Cold store, silos and trucks",
  email_domain: null,
  signup_method: "auto",
  signup_fields: [{ name: "site", placeholder: "Site", type: "text", required: false }],
  sidebar_buttons: [
    { type: "dashboard", text: "Overview", href: "", iconUrl: "", color: "#1a6fb3", value: SEED_DASHBOARDS.current },
    { type: "link", text: "Manual", href: "https://example.test/manual", iconUrl: "", color: "", isInNewLine: true },
  ],
  signin_buttons: [{ label: "Help", type: "link", url: "https://example.test/help" }],
} as const;

/** Rules by id, by tag and by the same tag on both sides; one that denies, and one for analyses that reports carry. */
const RULES = [
  {
    id: SEED_ACCESS_RULES.operatorDashboard,
    name: "Operator: plant overview",
    targets: [["run_user", "id", SEED_RUN_USERS.operator.id]],
    permissions: [allow(["dashboard", "id", SEED_DASHBOARDS.current], "access")],
  },
  {
    id: SEED_ACCESS_RULES.managers,
    name: "Managers: everything in the plant",
    targets: [["run_user", "tag.key", "role", "tag.value", "manager"]],
    permissions: [
      allow(["dashboard"], "access", "arrangement"),
      allow(["device"], "access"),
      allow(["file", "path", "reports"], "access"),
    ],
  },
  {
    id: SEED_ACCESS_RULES.ownSite,
    name: "Everybody: devices of the own site",
    targets: [["run_user", "tag_match", "site"]],
    permissions: [allow(["device", "tag_match", "site"], "access")],
  },
  {
    id: SEED_ACCESS_RULES.noSettings,
    name: "Nobody: the settings device",
    targets: [["run_user"]],
    permissions: [deny(["device", "id", SEED_DEVICES.settings], "access")],
  },
  {
    id: SEED_ACCESS_RULES.anonymousDashboard,
    name: "Public: silo dashboard",
    targets: [["run_user", "id", SEED_RUN_USERS.anonymous.id]],
    permissions: [allow(["dashboard", "id", SEED_DASHBOARDS.blueprint], "access")],
  },
  {
    id: SEED_ACCESS_RULES.reports,
    name: "Reports: read devices, write report files",
    targets: [["analysis", "tag.key", "access", "tag.value", "restricted"]],
    permissions: [
      allow(["device"], "access", "get_data"),
      allow(["file", "path", "reports"], "access", "upload"),
      deny(["device", "tag.key", "device_type", "tag.value", "settings"], "access", "get_data"),
    ],
  },
] as const;

const OPTIONS = {
  decimal_separator: ".",
  thousand_separator: ",",
  date_format: "MM/DD/YYYY",
  time_format: "24",
} as const;

function seedUsers({ runUsers, tokens }: App): void {
  const { operator, driver, manager, inactive, anonymous } = SEED_RUN_USERS;
  const common = { timezone: "UTC", language: "en-us", phone: null, newsletter: false, options: OPTIONS, ...times };
  runUsers.create(profile, {
    ...common,
    ...operator,
    name: "Oda Operator",
    active: true,
    company: "Demo Plant Ltd",
    tags: [tag("role", "operator"), tag("site", "plant")],
  });
  runUsers.create(profile, {
    ...common,
    ...driver,
    name: "Dirk Driver",
    active: true,
    phone: "+10000000002",
    tags: [tag("role", "driver"), tag("site", "road")],
  });
  runUsers.create(profile, {
    ...common,
    ...manager,
    name: "Mara Manager",
    active: true,
    tags: [tag("role", "manager")],
  });
  runUsers.create(profile, { ...common, ...inactive, name: "Ina Inactive", active: false, tags: [] });
  runUsers.create(profile, { ...common, ...anonymous, name: "Anonymous", active: true, tags: [] });
  for (const name of ["operator", "driver", "manager", "anonymous"] as const) {
    const label = name === "anonymous" ? "Anonymous" : "Demo login";
    const token = SEED_RUN_TOKENS[name];
    tokens.create({ kind: "run_user", profile, refId: SEED_RUN_USERS[name].id, name: label, token });
  }
}

const HOUR_MS = 3_600_000;

function seedNotifications({ clock, collection, runUsers }: App): void {
  const notifications = collection("run_notification");
  const at = (hoursAgo: number): string => new Date(clock.now() - hoursAgo * HOUR_MS).toISOString();
  const base = { buttons: [], buttons_enabled: true, buttons_autodisable: false, read: false };
  notifications.insert(profile, {
    ...base,
    run_user: SEED_RUN_USERS.operator.id,
    title: "Freezer 1 is warm",
    message: "The temperature has been above 8 degrees for ten minutes.",
    buttons: [{ id: "seen", label: "I look after it", color: "#1a6fb3", triggers: [] }],
    buttons_autodisable: true,
    created_at: at(5),
  });
  notifications.insert(profile, {
    ...base,
    run_user: SEED_RUN_USERS.operator.id,
    title: "Welcome",
    message: "This is the portal of the plant.",
    read: true,
    created_at: at(200),
  });
  notifications.insert(profile, {
    ...base,
    run_user: SEED_RUN_USERS.driver.id,
    title: "Truck 7 left the yard",
    message: "It is on its way to the coast.",
    created_at: at(2),
  });
  runUsers.setItem(SEED_RUN_USERS.operator.id, "theme", "dark");
}

/** A domain of the portal's own, whose records nobody has entered yet. */
const DOMAIN = { domain: "example.test", subdomain: "portal", email: "portal@example.test", active: false } as const;

/** The portal of Demo Plant: its users, what rules let them see, their notifications. */
export function seedPortal(app: App): void {
  const times = { created_at: SEED_CREATED_AT, updated_at: SEED_CREATED_AT };
  editPortal(app.db, profile, { ...PORTAL, ...times, anonymous_token: SEED_RUN_TOKENS.anonymous });
  const records = recordsOf(`${DOMAIN.subdomain}.${DOMAIN.domain}`, "5eed");
  writeSetting(app.db, "profile", profile, "custom_domain", { ...DOMAIN, ...records, created_at: SEED_CREATED_AT });
  seedUsers(app);
  const rules = app.collection("am");
  for (const rule of RULES) rules.insert(profile, { active: true, tags: [tag("seed", "demo")], ...rule, ...times });
  seedNotifications(app);
}
