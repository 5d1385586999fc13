import { lazy, Suspense } from "react";
import { Heading } from "../components/basics.tsx";
import type { ViewProps } from "../router.ts";

const Editor = lazy(async () => ({ default: (await import("./editor.tsx")).Editor }));

/** The editor of a dashboard, which is loaded on use. */
export const EditorView = (props: ViewProps) => (
  <Suspense fallback={<Heading title="Dashboard" />}>
    <Editor {...props} />
  </Suspense>
);
