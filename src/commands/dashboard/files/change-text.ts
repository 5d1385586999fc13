import { cleanLine } from "../../../text/clean.ts";
import { painter } from "../../kit/output/style.ts";
import type { Change } from "./changes.ts";

/** How changes are drawn. */
export interface ChangeLook {
  readonly color: boolean;
  /** Longest line; unbounded without it. */
  readonly width?: number;
}

const looks = { added: "green", removed: "red", changed: "yellow", bold: "bold" } as const;
const signs = { added: "+", removed: "-", changed: "~" } as const;

/** Changes as lines for people, under the dashboard and the widget they belong to. */
export async function changeText(changes: readonly Change[], { color, width }: ChangeLook): Promise<string> {
  const paint = await painter(color);
  const line = (text: string, look?: keyof typeof looks): string => {
    const clean = cleanLine(text, width === undefined ? 10_000 : Math.max(20, width));
    return `${look === undefined ? clean : paint(clean, looks[look])}\n`;
  };
  let text = "";
  let heading = "";
  let owner = "";
  for (const change of changes) {
    if (change.dashboard !== heading) {
      text += `${heading === "" ? "" : "\n"}${line(`${change.label} (${change.dashboard})`, "bold")}`;
      heading = change.dashboard;
      owner = "";
    }
    const title = titleOf(change);
    if (title !== owner) text += line(`${signs[change.change]} ${title}`, change.change);
    owner = title;
    if (change.path === undefined) continue;
    const moved = change.what === "dashboard" && change.widget_label ? ` ("${change.widget_label}")` : "";
    text += line(`    ${change.path}${moved}`);
    if (change.old !== undefined) text += line(`      - ${shown(change.old)}`, "removed");
    if (change.new !== undefined) text += line(`      + ${shown(change.new)}`, "added");
  }
  return text;
}

function titleOf({ what, widget_label: label, type, widget }: Change): string {
  return what === "dashboard" ? "dashboard" : `widget "${label ?? ""}" ${type ?? ""} (${widget ?? ""})`;
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
