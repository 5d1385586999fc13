import { lazy, Suspense } from "react";
import { MAX_DASHBOARD_TABS } from "../../lib/core/limits.ts";
import { Heading } from "../components/basics.tsx";
import type { ViewProps } from "../router.ts";

const Editor = lazy(async () => ({ default: (await import("./editor.tsx")).Editor }));

/** The editor of a dashboard, which is loaded on use. */
export const EditorView = (props: ViewProps) => (
  <Suspense fallback={<Heading title="Dashboard" />}>
    {/* Limits are in this part of the console: two parts that hold them would hold them as a third one. */}
    <Editor {...props} maxTabs={MAX_DASHBOARD_TABS} />
  </Suspense>
);
