import { rawList } from "../../kit/client/batch-client.ts";
import { isObject } from "../../kit/files/files.ts";
import type { Finder } from "../../kit/resource/resolve-id.ts";
import { resourceRoutes } from "../../kit/resource/routes.ts";
import { findTexts } from "./resources.ts";
import { type CompletionContext, isPlain, type Suggestion } from "./types.ts";

/** Resources whose tags are looked at for values. */
const MOST_ROWS = 200;

/** What the platform calls the resources of a noun, and where it lists them. */
const kinds: Readonly<Record<string, readonly [type: string, path: string]>> = {
  device: ["device", resourceRoutes.device],
  dashboard: ["dashboard", resourceRoutes.dashboard],
  analysis: ["analysis", resourceRoutes.analysis],
  action: ["action", resourceRoutes.action],
  access: ["am", resourceRoutes.access],
  "run user": ["run_user", resourceRoutes.user],
  entity: ["entity", resourceRoutes.entity],
  secret: ["secret", resourceRoutes.secret],
};

/** Values of one key among the tags of rows. */
function valuesIn(rows: readonly unknown[], key: string): string[] {
  const tags = rows.flatMap((row): unknown[] => (isObject(row) && Array.isArray(row["tags"]) ? row["tags"] : []));
  const values = tags.flatMap((tag) =>
    isObject(tag) && tag["key"] === key && typeof tag["value"] === "string" ? [tag["value"]] : [],
  );
  return [...new Set(values)].sort();
}

/**
 * Keys of tags in use, and behind `=` the values of a key.
 *
 * @param after what follows a key: nothing where only keys are taken
 */
export async function tagSuggestions(
  place: CompletionContext,
  finder: Finder | undefined,
  typed: string,
  after: "=" | "",
): Promise<readonly Suggestion[]> {
  const [type, path] = kinds[finder?.noun ?? "device"] ?? [];
  if (type === undefined || path === undefined) return [];
  const at = typed.indexOf("=");
  if (at < 0) {
    const keys = await findTexts(place, `tag keys ${type}`, async (ctx) => (await ctx.client()).tags.getTagKeys(type));
    return keys.filter(isPlain).map((key) => [`${key}${after}`, "tag"]);
  }
  const key = typed.slice(0, at);
  const read = { amount: MOST_ROWS, page: 1, fields: ["id", "tags"] };
  const values = await findTexts(place, `tag values ${type} ${key}`, async (ctx) =>
    valuesIn(await rawList(ctx, path, read), key),
  );
  return values.filter(isPlain).map((value) => [`${key}=${value}`, "tag"]);
}
