import { quote } from "../kit/command/values.ts";
import { notFoundError } from "../kit/failures/command-error.ts";

interface Tab {
  readonly key: string;
  readonly value: string;
}

/** The key of the tab with this title or key. */
export function tabKey(tabs: readonly Tab[], title: string, label: string): string {
  const found = tabs.find(({ key, value: text }) => key === title || text === title);
  if (found !== undefined) return found.key;
  throw notFoundError(`Tab ${quote(title)} not found in dashboard "${label}".`, {
    code: "dashboard.no_tab",
    why: `Its tabs are ${tabs.map(({ value: text }) => text).join(", ") || "none"}.`,
    next: "Use one of them.",
  });
}
