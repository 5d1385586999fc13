import type { Gap } from "../core/gap.ts";

/** Choices about dashboards, widgets and templates where no source shows the platform's behaviour. */
export const widgetGaps: readonly Gap[] = [
  { subject: "Widget data, blueprint device not chosen", choice: "empty result" },
  {
    subject: "Widget data, chosen device without the tags of the placeholder",
    choice:
      "empty result; the same when a tag_match does not hold; one tied to a placeholder not chosen is not looked at",
  },
  {
    subject: "Public key and embed token",
    choice: "open the data of all widgets of their dashboard, and nothing else",
  },
  { subject: "blueprint_devices of a public key", choice: "only for placeholders the dashboard declares" },
  { subject: "public_token_expire", choice: "the expire_time of the newest public key" },
  {
    subject: "page and amount of widget data",
    choice: "tables: amount rows a page, qty of the entry is the most over all pages; others: only from page 2",
  },
  { subject: "Widget data of count, avg, sum", choice: "one row: variable, value, time, device, origin" },
  { subject: "cache.expiration of a widget", choice: "the same answer for that long, with cacheTime; null without it" },
  { subject: "Form button that names an analysis", choice: "runs that one, instead of the widget's" },
  {
    subject: "Button in the head of a widget",
    choice: "_widget_exec is run; the ids of dashboard and widget in either order",
  },
  { subject: "Scope of a widget's deletion", choice: "the rows as they were" },
  { subject: "Bypassed widget data", choice: "answers as if stored; the rows sent are the scope" },
  {
    subject: "Writing through a widget",
    choice:
      "profile tokens to any device; others to devices the widget reads, writes or lists, or that access rules allow",
  },
  {
    subject: "Entities in widgets",
    choice: "data: variables are the fields, with index, filter and order_by; resource: the entity is its origin",
  },
  {
    subject: "Source of a custom widget",
    choice:
      "translated by esbuild where it is installed, imports stay as they are; display.artifact_url is stored as sent afterwards; display.url is the address of the source",
  },
  {
    subject: "Widgets edited to what the platform cannot draw",
    choice: "stored: another type, the query all_data, tabs with the same key",
  },
  {
    subject: "Calculations of widgets",
    choice:
      "steps begin with the UTC interval, without weekly; only avg and sum are held to a month; the cache is not needed for them",
  },
  {
    subject: "Limits of dashboards",
    choice:
      "10 tabs; the 20 blueprints, 5 period presets, kept versions, monthly output and the size of a template's mock data are not enforced; public keys need neither portal nor anonymous user; GET /template takes host= and ignores it",
  },
  { subject: "resource entries of type run_user", choice: "rows {user, and one member per column}" },
  { subject: "last_access of a dashboard", choice: "stays null" },
  { subject: "Copy of a dashboard without new_label", choice: 'the label and "copy"' },
  { subject: "GET /dashboard/{id}/analysis", choice: "also those of buttons in forms and in the head of widgets" },
  { subject: "POST /template", choice: "answers the id as text; whoever knows it may read and install the template" },
  {
    subject: "POST /template/{id}",
    choice:
      "devices and analyses take the places of the template's by position; other analyses are copied; replace is one pass, texts under 8 characters only where they are the whole text",
  },
];
