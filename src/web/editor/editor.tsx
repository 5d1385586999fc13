import { useEffect, useState } from "react";
import type { StoredDashboard } from "../../index.ts";
import { Content, Heading, nameOf, titleFor } from "../components/basics.tsx";
import { useConsole, useLoad, useWrites } from "../hooks.ts";
import { href, type ViewProps } from "../router.ts";
import { idsOf } from "./changes.ts";
import { Desk } from "./desk.tsx";
import { draftOf, keepDraft } from "./draft.ts";
import { type History, startOf } from "./history.ts";
import { boardOf, readWidgets } from "./save.ts";

/** The editor of a dashboard. */
export function Editor({ route }: ViewProps) {
  const id = route.parts[1] ?? "";
  const { resources } = useConsole();
  const writes = useWrites();
  const loaded = useLoad(id, () => resources.dashboards.info(id));
  useEffect(() => {
    // The heading that had the focus is gone with what stood here until this was loaded.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <link rel="stylesheet" href="/assets/editor.css" precedence="default" />
      <p>
        <a href={href(["dashboards", id])}>Back to the dashboard</a>
      </p>
      <Heading title={titleFor("Dashboard", loaded, ({ label }) => `Edit ${nameOf(label, id)}`)} />
      {writes ? (
        <Content of={loaded}>{(dashboard) => <Loaded key={dashboard.id} dashboard={dashboard} />}</Content>
      ) : (
        <p>This console only reads. Start it with --write to edit dashboards.</p>
      )}
    </>
  );
}

interface EditorProps {
  readonly dashboard: StoredDashboard;
}

/** What is stored, or what was edited in this tab of the browser and not saved yet. */
function Loaded({ dashboard }: EditorProps) {
  const { resources } = useConsole();
  const { id } = dashboard;
  const loaded = useLoad(id, async () => {
    const draft = draftOf(id);
    if (draft !== undefined) return { start: draft, isDraft: true };
    const empty = boardOf(dashboard, {});
    const widgets = await readWidgets({ id, widgets: resources.dashboards.widgets }, idsOf(empty));
    return { start: startOf(boardOf(dashboard, widgets)), isDraft: false };
  });
  return <Content of={loaded}>{(found) => <Kept dashboard={dashboard} {...found} />}</Content>;
}

/** Keeps what is edited as a draft. */
function Kept({ dashboard, start, isDraft }: EditorProps & { readonly start: History; readonly isDraft: boolean }) {
  const [history, setHistory] = useState(start);
  const { id } = dashboard;
  useEffect(() => keepDraft(id, history), [id, history]);
  return <Desk dashboard={dashboard} history={history} setHistory={setHistory} isDraft={isDraft} />;
}
