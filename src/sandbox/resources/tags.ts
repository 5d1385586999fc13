import { get } from "../../lib/api/route.ts";
import type { App } from "../app.ts";
import { tagKeys } from "../store/collection.ts";

const tagRoutes = { keys: get("/tags/keys/:type") };

/** The distinct tag keys of one kind of record. */
export function registerTagRoutes(app: App): void {
  app.handle(tagRoutes.keys, ({ params, profile }) =>
    app.kinds.record(params.type)?.tagged === true ? tagKeys(app.db, params.type, profile) : [],
  );
}
