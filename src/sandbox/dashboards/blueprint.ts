import { isRecord } from "../../lib/core/json.ts";
import { tagsOf } from "../access/demands.ts";
import type { Policy } from "../access/policy.ts";
import type { Gap } from "../core/gap.ts";
import { isId } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import type { QueryObject, QueryValue } from "../core/query.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import { widgetGaps } from "../widgets/gaps.ts";
import { carries, recordsOf, tagOf } from "../widgets/tags.ts";

interface BlueprintParts extends Collections {
  readonly policy: Policy;
}

/** Source of the data of an entry. */
export interface Source {
  readonly kind: "device" | "entity";
  readonly document: EntityDocument;
}

/** Resolves an id of a widget: itself, or the device chosen for a placeholder. */
export type SourceFinder = (origin: string) => Source | undefined;

/** A parameter in brackets, or whole as a JSON string. */
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

/** Checks access rules for a device or an entity. They do not apply to keys of dashboards. */
export function mayUse(
  app: Pick<BlueprintParts, "policy">,
  principal: Principal,
  { kind, document }: Source,
  action: string,
): boolean {
  return app.policy.allows(principal, kind, [action], { id: document.id, tags: tagsOf(document["tags"]) });
}

interface Viewing {
  readonly dashboard: EntityDocument;
  readonly query: QueryObject;
  readonly principal: Principal;
  /** Called with each assumption the response rests on. */
  readonly assume: (gap: Gap) => void;
}

/**
 * Resolves the origins of a dashboard's widgets in one request. A device can replace a placeholder if it has the
 * placeholder's tags, and the same values of the tags that connect it to other placeholders; access rules limit the
 * choice of a portal user. A reader with a public key can only choose for declared placeholders.
 */
export function sourceFinder(app: BlueprintParts, { dashboard, query, principal, assume }: Viewing): SourceFinder {
  const choices = choicesOf(query);
  const placeholders = new Map(recordsOf(dashboard["blueprint_devices"]).map((each) => [String(each["id"]), each]));

  const sourceOf = (id: string | undefined): Source | undefined => {
    if (!isId(id)) return undefined;
    for (const kind of ["device", "entity"] as const) {
      const document = app.collection(kind).get(id);
      if (document?.profile === dashboard.profile) return { kind, document };
    }
    return undefined;
  };

  const isTied = (document: EntityDocument, placeholder: Record<string, unknown>): boolean =>
    recordsOf(placeholder["filter_conditions"]).every((condition) => {
      const other = sourceOf(choices.get(String(condition["blueprint_device"])));
      const key = String(condition["tag_key"]);
      if (other === undefined) return true;
      const value = tagOf(document, key);
      return value !== undefined && value === tagOf(other.document, key);
    });

  const chosenFor = (placeholder: Record<string, unknown>, chosen: string | undefined): Source | undefined => {
    if (chosen === undefined) assume(widgetGaps.notChosen);
    const source = sourceOf(chosen);
    if (source === undefined || source.kind !== (placeholder["type"] ?? "device")) return undefined;
    const { document } = source;
    if (!carries(document, recordsOf(placeholder["conditions"])) || !isTied(document, placeholder)) {
      assume(widgetGaps.notFitting);
      return undefined;
    }
    return mayUse(app, principal, source, "access") ? source : undefined;
  };

  return (origin) => {
    const placeholder = placeholders.get(origin);
    if (placeholder !== undefined) return chosenFor(placeholder, choices.get(origin));
    const mayChoose = principal.kind === "profile" || principal.kind === "analysis";
    const asked = choices.get(origin);
    if (asked !== undefined && principal.kind === "dashboard") assume(widgetGaps.keyChoice);
    const choice = mayChoose ? asked : undefined;
    if (choice === undefined) return sourceOf(origin);
    const source = sourceOf(choice);
    return source !== undefined && mayUse(app, principal, source, "access") ? source : undefined;
  };
}
