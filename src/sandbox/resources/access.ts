import { isRecord } from "../../lib/core/json.ts";
import { accessRoutes } from "../../lib/resources/access.ts";
import { accessCreate, accessEdit } from "../../schema/access.ts";
import { accessSettings } from "../access/catalogue.ts";
import { accessSettingsRoute } from "../access/resource-demands.ts";
import type { App } from "../app.ts";
import { messagesByField } from "../http/body-errors.ts";
import type { EntityDocument } from "../store/document.ts";
import { crud, refuseProtected } from "./crud.ts";

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

/** Access rules, and what they can be made of. The rules themselves are applied by the policy. */
export function registerAccessRoutes(app: App): void {
  const rules = crud(app, { create: accessRoutes.create }, "am", {
    create: messagesByField(accessCreate),
    defaults: { active: true },
    created: ({ id }) => ({ am_id: id }),
  });

  app.handle(accessRoutes.list, ({ profile, query }) =>
    rules.list(profile, query, {
      present: ({ permissions: _, targets: _targets, ...rule }) => rule,
    }),
  );
  app.handle(accessRoutes.info, ({ params, profile }) => presentRule(rules.need(params.accessID, profile)));
  app.handle(accessSettingsRoute, () => accessSettings);

  app.handle(accessRoutes.edit, { body: messagesByField(accessEdit) }, ({ body, params, principal, profile }) => {
    const document = rules.update(rules.need(params.accessID, profile).id, body);
    app.signals.emit("resourceChanged", { profile, kind: "am", event: "edit", document, principal });
    return "Access Management Successfully Updated";
  });
  app.handle(accessRoutes.delete, ({ params, principal, profile }) => {
    const document = rules.need(params.accessID, profile);
    refuseProtected(document);
    rules.remove(document.id);
    app.signals.emit("resourceChanged", { profile, kind: "am", event: "delete", document, principal });
    return "Access Management Successfully Deleted";
  });
}
