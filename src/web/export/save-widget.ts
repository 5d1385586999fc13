import type { WidgetDataResult } from "../../index.ts";
import type { DrawOptions } from "../../lib/widgets/draw/page.ts";
import { slugOf } from "../../text/slug.ts";
import { nameOf } from "../components/basics.tsx";
import { save } from "../save.ts";
import { csvOf } from "./csv.ts";
import { pictureOf, pngOf } from "./picture.ts";

export type ExportKind = "svg" | "png" | "csv";

async function blobOf(kind: ExportKind, result: WidgetDataResult, options: DrawOptions): Promise<Blob> {
  if (kind === "csv") return new Blob([csvOf(result)], { type: "text/csv;charset=utf-8" });
  const picture = await pictureOf(result, options);
  return kind === "png" ? pngOf(picture) : new Blob([picture.text], { type: "image/svg+xml" });
}

/** Saves a widget as a file; returns the name of the file. */
export async function saveWidget(kind: ExportKind, result: WidgetDataResult, options: DrawOptions): Promise<string> {
  const name = `${slugOf(nameOf(result.widget, ""), "widget")}.${kind}`;
  save(await blobOf(kind, result, options), name);
  return name;
}
