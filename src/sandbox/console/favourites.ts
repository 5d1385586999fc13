import { isRecord } from "../../lib/core/json.ts";
import { PlatformError } from "../core/platform-error.ts";

/** Far more than anybody looks through. */
const MAX_FAVOURITES = 1_000;
export const MAX_FAVOURITES_BYTES = 1_024;

const isId = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{24}$/.test(value);

/** The dashboards in what was stored. */
export const favouritesIn = (stored: unknown): readonly string[] => {
  const { dashboards } = isRecord(stored) ? stored : {};
  return Array.isArray(dashboards) ? [...new Set(dashboards.filter(isId))] : [];
};

/** The favourites with the change that a page asks for. One at a time, so that no page undoes what another has marked. */
export function changedFavourites(known: readonly string[], body: unknown): readonly string[] {
  const { dashboard, marked } = isRecord(body) ? body : {};
  if (!isId(dashboard) || typeof marked !== "boolean")
    throw new PlatformError(400, 'Send {"dashboard": id of a dashboard, "marked": true or false}');
  const others = known.filter((id) => id !== dashboard);
  if (!marked) return others;
  if (others.length >= MAX_FAVOURITES) throw new PlatformError(400, `There are ${MAX_FAVOURITES} favourites already`);
  return [...others, dashboard];
}
