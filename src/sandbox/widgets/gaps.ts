import type { Gap } from "../core/gap.ts";

/** Assumptions about widgets. */
export const widgetGaps = {
  notChosen: { subject: "Widget data, blueprint device not chosen", choice: "empty result" },
  notFitting: {
    subject: "Widget data, chosen device without the tags of the placeholder",
    choice:
      "empty result; the same when a tag_match does not hold; one tied to a placeholder that is not chosen is not checked",
  },
  keyChoice: {
    subject: "blueprint_devices of a public key",
    choice: "only for placeholders the dashboard declares",
  },
  numbers: {
    subject: "Widget data of count, avg, sum",
    choice: "one row: variable, value, time, device, origin",
  },
  calculations: {
    subject: "Calculations of widgets",
    choice:
      "steps begin with the UTC interval, without weekly; only avg and sum are held to a month; the cache is not needed for them",
  },
  pages: {
    subject: "page and amount of widget data",
    choice: "tables: amount rows a page, qty of the entry is the most over all pages; others: only from page 2",
  },
  entities: {
    subject: "Entities in widgets",
    choice: "data: variables are the fields, with index, filter and order_by; resource: the entity is its origin",
  },
  portalUsers: {
    subject: "resource entries of type run_user",
    choice: "rows {user, and one property per column}",
  },
  formButton: {
    subject: "Form button that names an analysis",
    choice: "runs that one, instead of the widget's",
  },
} as const satisfies Readonly<Record<string, Gap>>;
