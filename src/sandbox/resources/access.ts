import { get } from "../../lib/api/route.ts";
import { isRecord } from "../../lib/core/json.ts";
import { accessRoutes } from "../../lib/resources/access.ts";
import { accessCreate, accessEdit } from "../../schema/access.ts";
import { accessSettings, ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { whole } from "../access/demands.ts";
import { perPlan } from "../core/plans.ts";
import { messagesByField } from "../http/body-errors.ts";
import { rates } from "../http/rates.ts";
import type { EntityDocument } from "../store/document.ts";
import { type Resource, resource } from "./kit.ts";

const accessSettingsRoute = get("/am/settings");

/** Longest tuple that is shown. Longer ones are kept whole, so that they go on matching nothing. */
const TUPLE_LENGTH = 5;

const cut = (tuple: unknown): unknown => (Array.isArray(tuple) ? tuple.slice(0, TUPLE_LENGTH) : tuple);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A rule as `GET /am/:id` shows it: permissions that allow first. */
function presentRule(rule: EntityDocument): Record<string, unknown> {
  const permissions = listOf(rule["permissions"])
    .filter(isRecord)
    .map((permission) => ({ ...permission, resource: cut(permission["resource"]) as unknown }));
  const byEffect = (effect: string): readonly unknown[] =>
    permissions.filter((permission) => "effect" in permission && permission.effect === effect);
  return {
    ...rule,
    permissions: [...byEffect("allow"), ...byEffect("deny")],
    targets: listOf(rule["targets"]).map(cut),
  };
}

const gaps = {
  longTuples: { subject: "Tuples of rules longer than five", choice: "shown cut to five, kept whole, never match" },
} as const;

/** Access rules. The policy applies them. */
export const accessRules = resource({
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
  rates: { writes: rates.profileWrites },
  initial: { active: true },
  create: { body: messagesByField(accessCreate), answer: ({ id }) => ({ am_id: id }) },
  edit: { body: messagesByField(accessEdit), answer: "Access Management Successfully Updated" },
  removed: "Access Management Successfully Deleted",
  listed: ({ permissions: _, targets: _targets, ...rule }) => rule,
  shown: presentRule,
  access: { label: "Access management", analysis: onRecords(...ORDINARY_ACTIONS) },
  gaps,
});

/** What the rules can be made of: what the resources say. */
export function accessCatalogue(resources: readonly Resource[]): Resource {
  const settings = accessSettings(Object.fromEntries(resources.flatMap(({ access = {} }) => Object.entries(access))));
  return {
    serve: (app) => app.on(accessSettingsRoute, { rule: whole("access_management", "access") }, () => settings),
  };
}
