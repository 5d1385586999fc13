import type { FullApp } from "../app.ts";
import { isId } from "../ids.ts";
import { tagsOf } from "../policy/demands.ts";
import { isRecord } from "../records.ts";
import { type EntityDocument, PlatformError, type Principal, type QueryObject, type QueryValue } from "../types.ts";
import { carries, recordsOf, tagOf } from "./tags.ts";

/** Finds the device an id of a widget stands for: a device's own, or that of a placeholder. */
export type DeviceFinder = (origin: string) => EntityDocument | undefined;

/** A parameter that comes in brackets, or whole as JSON text. */
export function structured(value: QueryValue | undefined, name: string): unknown {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw new PlatformError(400, `Invalid JSON in ${name}`);
  }
}

/** `blueprint_devices` of a request: placeholder to chosen device. */
function choicesOf(query: QueryObject): ReadonlyMap<string, string> {
  const value = structured(query["blueprint_devices"], "blueprint_devices");
  const pairs = recordsOf(isRecord(value) ? [value] : value);
  return new Map(pairs.map(({ origin, id }) => [String(origin), String(id)] as const));
}

/** What access rules say about a device. Keys of dashboards are not bound by them. */
export function mayUse(app: FullApp, principal: Principal, device: EntityDocument, action: string): boolean {
  return app.policy.allows(principal, "device", [action], { id: device.id, tags: tagsOf(device["tags"]) });
}

interface Viewing {
  readonly dashboard: EntityDocument;
  readonly query: QueryObject;
  readonly principal: Principal;
}

/**
 * How the origins of a dashboard's widgets are read in one request (QUERY.md section 8). A device takes the place of
 * a placeholder when it carries the placeholder's tags, and shares the tags that tie it to other placeholders; access
 * rules say which ones a portal user may choose. Who only looks on, by a public key, may choose for declared
 * placeholders and nothing else.
 */
export function deviceFinder(app: FullApp, { dashboard, query, principal }: Viewing): DeviceFinder {
  const devices = app.collection("device");
  const choices = choicesOf(query);
  const placeholders = new Map(recordsOf(dashboard["blueprint_devices"]).map((each) => [String(each["id"]), each]));

  const deviceOf = (id: string | undefined): EntityDocument | undefined => {
    const device = isId(id) ? devices.get(id) : undefined;
    return device?.profile === dashboard.profile ? device : undefined;
  };

  const isTied = (device: EntityDocument, placeholder: Record<string, unknown>): boolean =>
    recordsOf(placeholder["filter_conditions"]).every((condition) => {
      const other = deviceOf(choices.get(String(condition["blueprint_device"])));
      const key = String(condition["tag_key"]);
      if (other === undefined) return true;
      const value = tagOf(device, key);
      return value !== undefined && value === tagOf(other, key);
    });

  const chosenFor = (placeholder: Record<string, unknown>, chosen: string | undefined): EntityDocument | undefined => {
    const device = deviceOf(chosen);
    if (device === undefined || !carries(device, recordsOf(placeholder["conditions"]))) return undefined;
    return isTied(device, placeholder) && mayUse(app, principal, device, "access") ? device : undefined;
  };

  return (origin) => {
    const placeholder = placeholders.get(origin);
    if (placeholder !== undefined) return chosenFor(placeholder, choices.get(origin));
    const mayChoose = principal.kind === "profile" || principal.kind === "analysis";
    return deviceOf((mayChoose ? choices.get(origin) : undefined) ?? origin);
  };
}
