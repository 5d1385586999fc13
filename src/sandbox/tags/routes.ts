import { tagRoutes } from "../../lib/resources/tags.ts";
import { type Demand, whole } from "../access/demands.ts";
import type { Resource } from "../resource.ts";
import { tagKeys } from "../store/collection.ts";

/** Kinds with a route for their tag keys, where rules use another name. */
const RULE_NAMES: Readonly<Record<string, string>> = { am: "access_management" };

/** Kinds that no source mentions. */
const ASSUMED_KINDS: readonly string[] = ["entity", "secret", "sql", "tcore"];

const gaps = {
  kinds: {
    subject: "GET /tags/keys",
    choice: "also for entity, secret, sql and tcore; empty list for an unknown type",
  },
} as const;

const rule: Demand = {
  ...whole("", "access"),
  resourceFor: ({ params: { type = "" } }) => RULE_NAMES[type] ?? type,
};

/** The distinct tag keys of one kind of record. */
export const tags: Resource = {
  tables: { tagRoutes },
  gaps,
  serve: (app) => {
    app.on(tagRoutes.getTagKeys, { rule }, ({ assume, params, profile }) => {
      const isKnown = app.kinds.record(params.type)?.tagged === true;
      if (!isKnown || ASSUMED_KINDS.includes(params.type)) assume(gaps.kinds);
      return isKnown ? tagKeys(app.db, params.type, profile) : [];
    });
  },
};
