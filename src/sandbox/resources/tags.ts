import { get } from "../../lib/api/route.ts";
import type { App } from "../app.ts";
import { tagKeys } from "../store/collection.ts";

const tagRoutes = { keys: get("/tags/keys/:type") };

/** Kinds of record whose tag keys can be asked for. */
const TYPES: readonly string[] = [
  "device",
  "dashboard",
  "analysis",
  "action",
  "am",
  "run_user",
  "entity",
  "secret",
  "sql",
  "tcore",
];

/** The distinct tag keys of one kind of record. */
export function registerTagRoutes(app: App): void {
  app.handle(tagRoutes.keys, ({ params, profile }) =>
    TYPES.includes(params.type) ? tagKeys(app.db, params.type, profile) : [],
  );
}
