import { useMemo } from "react";
import type { Resources, WidgetDataResult } from "../../index.ts";
import { realtimeMessage, widgetProtocol } from "../pages/widget-protocol.ts";
import { shown } from "../text.ts";
import { nameOf } from "./basics.tsx";
import { PageFrame } from "./page-frame.tsx";

/** The profile and path of an address of one of this sandbox's own pages. */
function ownPage(address: unknown): { readonly profile: string; readonly path: string } | undefined {
  const text = shown(address);
  const url = URL.canParse(text, location.href) ? new URL(text, location.href) : undefined;
  const [, profile, path] = /^\/file\/([^/]+)\/(.+\.html?)$/i.exec(url?.pathname ?? "") ?? [];
  if (url?.origin !== location.origin || profile === undefined || path === undefined) return undefined;
  try {
    return { profile: decodeURIComponent(profile), path: decodeURIComponent(path) };
  } catch {
    return undefined;
  }
}

/** The page of a custom widget, where it is a file of this sandbox: the one that was built, or the address itself. */
export const pageOf = ({ widget: { type, display } }: WidgetDataResult): ReturnType<typeof ownPage> =>
  type === "iframe" ? (ownPage(display["artifact_url"]) ?? ownPage(display["url"])) : undefined;

interface WidgetPageProps {
  readonly page: NonNullable<ReturnType<typeof pageOf>>;
  readonly result: WidgetDataResult;
  readonly resources: Resources;
  readonly reload: () => void;
}

/** A custom widget, with its data and what it sends. */
export function WidgetPage({ page, result, resources, reload }: WidgetPageProps) {
  const { widgets } = resources.dashboards;
  const { id, dashboard, label } = result.widget;
  const protocol = widgetProtocol(
    {
      read: async () => result,
      send: (rows) => widgets.sendData(dashboard, id, rows),
      edit: (rows) => widgets.editData(dashboard, id, rows),
      editResource: (rows) => widgets.editResource(dashboard, id, rows),
      remove: (ids) => widgets.deleteData(dashboard, id, ids),
    },
    reload,
  );
  const news = useMemo(() => realtimeMessage(result), [result]);
  // Another viewer's records reach the same page.
  return <PageFrame {...page} viewer="" title={nameOf(label, "Widget")} protocol={protocol} news={news} />;
}
