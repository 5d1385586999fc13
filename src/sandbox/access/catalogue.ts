/** What rules may name, for `GET /am/settings` (docs/internals/platform/server.md, Access rules). */

type MatchBy = "any" | "id" | "tag" | "tag_match" | "path";

/** Actions rules can allow or deny, and what identifies the records they apply to. */
interface AccessActions {
  readonly actions: readonly string[];
  readonly matchBy: readonly MatchBy[];
}

/** What access rules can name of a resource. */
export interface AccessEntry {
  readonly label: string;
  /** In rules about analyses. */
  readonly analysis?: AccessActions;
  /** In rules about portal users. */
  readonly runUser?: AccessActions;
}

export const ORDINARY_ACTIONS = ["access", "create", "edit", "delete"] as const;

/** Actions on records, which rules name by id or tags. */
export const onRecords = (...actions: readonly string[]): AccessActions => ({
  actions,
  matchBy: ["any", "id", "tag", "tag_match"],
});

/** Actions on a resource as a whole. */
export const onAll = (...actions: readonly string[]): AccessActions => ({ actions, matchBy: ["any"] });

/** Actions on files, which rules name by path. */
export const onPaths = (...actions: readonly string[]): AccessActions => ({ actions, matchBy: ["any", "path"] });

export const DATA_ACTIONS = ["get_data", "send_data", "edit_data", "delete_data"] as const;

interface Choice {
  readonly label: string;
  readonly value: string;
  readonly description: string;
  readonly match_by: readonly MatchBy[];
}

/** How single actions are matched, where it differs from the other actions of the resource. */
function matchOf(action: string, usual: readonly MatchBy[]): readonly MatchBy[] {
  if (action === "access_profile") return ["any", "id"];
  // A new record has no id yet.
  return action === "create" ? usual.filter((by) => by !== "id") : usual;
}

function choices({ actions, matchBy }: AccessActions, resource: string): Choice[] {
  return actions.map((value) => {
    const words = value.replaceAll("_", " ");
    const label = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
    return { label, value, description: `${label}: ${resource}`, match_by: matchOf(value, matchBy) };
  });
}

type Entries = Readonly<Record<string, AccessEntry>>;

function settingsOf(entries: Entries, actor: "analysis" | "runUser"): Record<string, Choice[]> {
  const settings = Object.entries(entries).flatMap(([name, entry]) => {
    const actions = entry[actor];
    return actions === undefined ? [] : [[name, choices(actions, entry.label)] as const];
  });
  return Object.fromEntries(settings);
}

/** The resources and actions a rule can be made of. */
export function accessSettings(entries: Entries) {
  return {
    resources: Object.fromEntries(Object.entries(entries).map(([name, { label }]) => [name, { label }])),
    settings: { analysis: settingsOf(entries, "analysis"), run_user: settingsOf(entries, "runUser") },
  };
}
