/** What rules may name, for `GET /am/settings` (SERVER.md section 7). */

interface Choice {
  readonly label: string;
  readonly value: string;
  readonly description: string;
  readonly match_by: readonly string[];
}

const LABELS: Readonly<Record<string, string>> = {
  device: "Device",
  dashboard: "Dashboard",
  entity: "Entity",
  analysis: "Analysis",
  action: "Action",
  run_user: "Run user",
  file: "File",
  access_management: "Access management",
  account: "Account",
  secrets: "Secrets",
  dictionary: "Dictionary",
  network: "Network",
  connector: "Connector",
  service_authorization: "Service authorization",
  run: "Run",
  notification: "Notification",
  email: "E-mail",
  sms: "SMS",
  mqtt: "MQTT",
  attachment: "Attachment",
  sql: "SQL",
};

const CRUD = ["access", "create", "edit", "delete"] as const;
const BY_RECORD = ["any", "id", "tag", "tag_match"] as const;
const ANY = ["any"] as const;
const DATA = ["get_data", "send_data", "edit_data", "delete_data"] as const;

const ANALYSIS: Readonly<Record<string, readonly [actions: readonly string[], matchBy: readonly string[]]>> = {
  device: [[...CRUD, "token_access", ...DATA, "manage_chunks", "export_data", "import_data"], BY_RECORD],
  dashboard: [[...CRUD, "duplicate", "related_devices", "related_analysis"], BY_RECORD],
  entity: [[...CRUD, ...DATA], BY_RECORD],
  analysis: [[...CRUD, "run", "upload", "token_access"], BY_RECORD],
  action: [CRUD, BY_RECORD],
  run_user: [[...CRUD, "login_as_user", "notification"], BY_RECORD],
  file: [
    ["access", "upload", "edit", "delete"],
    ["any", "path"],
  ],
  access_management: [CRUD, BY_RECORD],
  account: [["access", "access_profile", "access_profile_statistics"], ANY],
  secrets: [CRUD, BY_RECORD],
  dictionary: [CRUD, BY_RECORD],
  network: [[...CRUD, "token_access"], BY_RECORD],
  connector: [CRUD, BY_RECORD],
  service_authorization: [CRUD, ANY],
  run: [["access", "edit"], ANY],
  notification: [CRUD, ANY],
  sql: [[...CRUD, "execute"], BY_RECORD],
};

const RUN_USER: typeof ANALYSIS = {
  device: [["access", "get_data", "send_data"], BY_RECORD],
  dashboard: [["access", "arrangement"], BY_RECORD],
  entity: [["access"], BY_RECORD],
  run_user: [["access"], BY_RECORD],
  sql: [["access", "execute"], BY_RECORD],
  file: [["access"], ["any", "path"]],
  dictionary: [["access"], BY_RECORD],
};

/** How single actions are matched, where it is not as the others of their resource. */
function matchOf(action: string, usual: readonly string[]): readonly string[] {
  if (action === "access_profile") return ["any", "id"];
  // What is not there yet has no id.
  return action === "create" ? usual.filter((by) => by !== "id") : usual;
}

function choices([actions, matchBy]: readonly [readonly string[], readonly string[]], resource: string): Choice[] {
  return actions.map((value) => {
    const words = value.replaceAll("_", " ");
    const label = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
    return {
      label,
      value,
      description: `${label}: ${LABELS[resource] ?? resource}`,
      match_by: matchOf(value, matchBy),
    };
  });
}

const settingsOf = (table: typeof ANALYSIS): Record<string, Choice[]> =>
  Object.fromEntries(Object.entries(table).map(([resource, row]) => [resource, choices(row, resource)]));

/** The resources and actions a rule can be made of. */
export const accessSettings = {
  resources: Object.fromEntries(Object.entries(LABELS).map(([name, label]) => [name, { label }])),
  settings: { analysis: settingsOf(ANALYSIS), run_user: settingsOf(RUN_USER) },
} as const;
