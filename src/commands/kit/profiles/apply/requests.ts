import type { PlannedRequest } from "../../context.ts";
import type { WriteStep } from "../../dashboards/steps.ts";
import { isObject } from "../../files/files.ts";
import { replaceIds } from "../../folders/replace-ids.ts";
import { withKey } from "../key.ts";
import type { ApplyPlan } from "./plan.ts";

/** The requests of a plan. Ids that the platform has yet to assign are written as `{kind name}`. */
export function requestsOf({ items, ids }: ApplyPlan): PlannedRequest[] {
  return items.flatMap(({ row, kind, entry, key, steps }): PlannedRequest[] => {
    if (row.action !== "create" || entry === undefined) return steps.map(shownStep);
    const document = kind.isTagged === true ? withKey(entry.document, key) : entry.document;
    const { id: _, script, ...body } = replaceIds(document, ids);
    return [{ method: "POST", path: kind.route, body: script === undefined ? body : { ...body, script: "…" } }];
  });
}

/** A script is sent as base64, which nobody reads. */
function shownStep({ method, path, body }: WriteStep): PlannedRequest {
  const step = { method, path };
  if (!path.endsWith("/upload") || !isObject(body)) return body === undefined ? step : { ...step, body };
  return { ...step, body: { ...body, file: "…" } };
}
