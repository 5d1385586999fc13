import type { NotificationInfo } from "../../../index.ts";
import type { Column } from "../command/columns.ts";

export type NotificationRow = { readonly id: string } & Partial<Omit<NotificationInfo, "id" | "created_at">> & {
    readonly created_at?: Date | string;
  };

/** The labels of the buttons, and the words that press them. */
function buttonsText({ buttons, buttons_enabled: enabled }: NotificationRow): string | undefined {
  if (buttons === undefined || buttons.length === 0) return undefined;
  const texts = buttons.map(({ id, label }) => (id === label ? id : `${id} (${label})`)).join(", ");
  return enabled === false ? `${texts}; disabled` : texts;
}

export const columns: readonly Column<NotificationRow>[] = [
  { key: "id", kind: "id" },
  { key: "created_at", header: "when", kind: "time" },
  { key: "read", kind: "flag" },
  { key: "title" },
  { key: "message" },
  { key: "buttons", kind: "json", value: buttonsText },
  { key: "type", hidden: true },
  { key: "buttons_enabled", kind: "flag", hidden: true },
  { key: "buttons_autodisable", kind: "flag", hidden: true },
  { key: "icon", kind: "json", hidden: true },
];
