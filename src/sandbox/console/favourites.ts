import { isRecord } from "../../lib/core/json.ts";
import { PlatformError } from "../core/platform-error.ts";

/** Far more than anybody looks through. */
const MAX_FAVOURITES = 1_000;
export const MAX_FAVOURITES_BYTES = 64 * 1024;

const isId = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{24}$/.test(value);

/** The dashboards in what a page sends, or in what was stored. */
export const favouritesIn = (stored: unknown): readonly string[] => {
  const { dashboards } = isRecord(stored) ? stored : {};
  return Array.isArray(dashboards) ? [...new Set(dashboards.filter(isId))] : [];
};

/** The dashboards that a page wants to be its favourites. */
export function askedFavourites(body: unknown): readonly string[] {
  const { dashboards } = isRecord(body) ? body : {};
  if (!Array.isArray(dashboards) || dashboards.length > MAX_FAVOURITES || !dashboards.every(isId))
    throw new PlatformError(400, `Send {"dashboards": [ids of at most ${MAX_FAVOURITES} dashboards]}`);
  return favouritesIn(body);
}
