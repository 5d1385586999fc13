import { get } from "../../lib/api/route.ts";
import { isRecord } from "../../lib/core/json.ts";
import { accessRoutes } from "../../lib/resources/access.ts";
import { accessCreate, accessEdit } from "../../schema/access.ts";
import { perPlan } from "../core/plans.ts";
import { messagesByField } from "../http/body-errors.ts";
import type { HandlerContext } from "../http/handler.ts";
import { type Resource, resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import { accessSettings, ORDINARY_ACTIONS, onRecords } from "./catalogue.ts";
import { whole } from "./demands.ts";

const accessSettingsRoute = get("/am/settings");

/** Longest tuple shown. Longer ones are stored whole, so that they still match nothing. */
const TUPLE_LENGTH = 5;

const isLong = (tuple: unknown): boolean => Array.isArray(tuple) && tuple.length > TUPLE_LENGTH;

const cut = (tuple: unknown): unknown => (Array.isArray(tuple) ? tuple.slice(0, TUPLE_LENGTH) : tuple);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A rule as `GET /am/:id` shows it: permissions that allow come first. */
function presentRule(rule: EntityDocument, { assume }: Pick<HandlerContext, "assume">): Record<string, unknown> {
  const stored = listOf(rule["permissions"]).filter(isRecord);
  const tuples = [...listOf(rule["targets"]), ...stored.map(({ resource }) => resource)];
  if (tuples.some(isLong)) assume(gaps.longTuples);
  const permissions = stored.map((permission) => ({ ...permission, resource: cut(permission["resource"]) as unknown }));
  const byEffect = (effect: string): readonly unknown[] =>
    permissions.filter((permission) => "effect" in permission && permission.effect === effect);
  return {
    ...rule,
    permissions: [...byEffect("allow"), ...byEffect("deny")],
    targets: listOf(rule["targets"]).map(cut),
  };
}

const gaps = {
  analyses: {
    subject: "Analysis tokens and access rules",
    choice:
      "free until an active rule names the analysis, then only what rules allow; the option access turns rules on for all analyses (enforced) or off for everybody (open)",
    general: true,
  },
  portalUsers: {
    subject: "Portal users and access rules",
    choice: "nothing but what rules allow, and their own portal routes",
    general: true,
  },
  conflicts: {
    subject: "Several rules that disagree",
    choice:
      "any denial wins, in lists as on the platform; for one operation the platform takes the policies in no fixed order, here the ones that deny come last",
    general: true,
  },
  actions: {
    subject: "Actions of rules no source names",
    choice:
      "the platform knows 37 and rejects others, here any string is accepted; access, create, edit, delete everywhere; analysis: run, upload, token_access; entity: the four of data; run_user: login_as_user, notification; sql: execute",
    general: true,
  },
  routes: {
    subject: "Which action a route needs",
    choice:
      "parameters of a device: access and edit; widgets: edit of the dashboard; widget data: access to the dashboard; routes of the owner's account: no rule opens them",
    general: true,
  },
  files: {
    subject: "Rules and files",
    choice:
      "a folder is deleted, moved, copied or published only when all of its files are allowed, there and where they go; copies need access to the source and upload at the target; lists leave out what is not allowed",
    general: true,
  },
  templates: {
    subject: "Rules and templates",
    choice: "to create one: dashboard create, and access to its dashboard or analysis",
    general: true,
  },
  newRecords: {
    subject: "Rules and new records",
    choice: "a permission by tag is compared with the tags of the body",
    general: true,
  },
  longTuples: { subject: "Tuples of rules longer than five", choice: "shown cut to five, kept whole, never match" },
} as const;

/** Access rules. The policy applies them. */
export const accessRules = resource({
  tables: { accessRoutes },
  kind: "am",
  thing: "Access Management",
  keys: { name: "text", active: "boolean" },
  defaults: { ...accessRoutes.list.list, fields: ["id", "name", "active", "profile", "created_at"] },
  sortable: ["name", "active", "created_at", "updated_at"],
  failingFields: ["permissions", "targets"],
  most: perPlan(5, 30, 100),
  audit: ["am", "Access rule"],
  trigger: ["am"],
  tagged: true,
  backup: { file: "access_management" },
  amounts: ["am"],
  routes: accessRoutes,
  rule: "access_management",
  initial: { active: true },
  create: { body: messagesByField(accessCreate), answer: ({ id }) => ({ am_id: id }) },
  edit: { body: messagesByField(accessEdit), answer: "Access Management Successfully Updated" },
  removed: "Access Management Successfully Deleted",
  listed: ({ permissions: _, targets: _targets, ...rule }) => rule,
  shown: presentRule,
  access: { label: "Access management", analysis: onRecords(...ORDINARY_ACTIONS) },
  gaps,
});

/** What rules can be made of, as the resources declare it. */
export function accessCatalogue(resources: readonly Resource[]): Resource {
  const settings = accessSettings(Object.fromEntries(resources.flatMap(({ access = {} }) => Object.entries(access))));
  return {
    serve: (app) => app.on(accessSettingsRoute, { rule: whole("access_management", "access") }, () => settings),
  };
}
