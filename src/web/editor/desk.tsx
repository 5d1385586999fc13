import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { StoredDashboard } from "../../index.ts";
import { countOf } from "../../text/count.ts";
import { resourcesOf } from "../api.ts";
import { State } from "../components/basics.tsx";
import { useConsole } from "../hooks.ts";
import { useParam } from "../router.ts";
import { shown } from "../text.ts";
import type { Act } from "./act.ts";
import { amountOf, changesOf } from "./changes.ts";
import { Gallery } from "./gallery.tsx";
import { Grid } from "./grid.tsx";
import { changed, type History, redone, startOf, undone } from "./history.ts";
import { Leaving } from "./leaving.tsx";
import { added, type Board, cellFor, compacted, type Definition, edited, lostIn, onTab, removed } from "./model.ts";
import { newOf, positionText, titleOf } from "./names.ts";
import type { Target } from "./save.ts";
import { SaveBar, useSaving } from "./saving.tsx";
import { Settings } from "./settings.tsx";
import { Tabs } from "./tabs.tsx";

interface DeskProps {
  readonly dashboard: StoredDashboard;
  readonly history: History;
  readonly setHistory: Dispatch<SetStateAction<History>>;
  /** What is there was edited before the page was loaded. */
  readonly isDraft: boolean;
}

/** Whether keys belong to what is being typed, or to a dialog. */
const isTyping = (): boolean =>
  document.querySelector("dialog[open]") !== null ||
  (document.activeElement?.matches("input, textarea, select") ?? false);

interface Keys {
  readonly undo: () => void;
  readonly redo: () => void;
  readonly save: () => void;
}

function useKeys({ undo, redo, save }: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping()) return;
    const work = { z: event.shiftKey ? redo : undo, y: redo, s: save }[key];
    if (work === undefined) return;
    event.preventDefault();
    work();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

/** Moves the focus to a widget once it is there. */
function useFocus(board: Board): (id: string) => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    const id = wanted.current;
    const tile = id === undefined ? null : document.querySelector<HTMLElement>(`[data-widget="${CSS.escape(id)}"]`);
    if (board.places.length === 0 || tile === null) return;
    wanted.current = undefined;
    tile.focus();
  }, [board]);
  return (id) => {
    wanted.current = id;
  };
}

type Dialog = "gallery" | { readonly settings: string } | undefined;

/** What is edited, and everything that can be done with it. */
function useDesk({ dashboard, history, setHistory, isDraft }: DeskProps) {
  const { session, resources } = useConsole();
  const target = useMemo<Target>(
    () => ({ id: dashboard.id, dashboards: resources.dashboards, fresh: resourcesOf(session, true).dashboards }),
    [dashboard.id, resources, session],
  );
  const [said, say] = useState(isDraft ? "Your unsaved changes are here again" : "");
  const [open, setOpen] = useState<Dialog>();
  const board = history.present;
  const [asked, setTab] = useParam("tab");
  const tab = (board.tabs.find(({ key }) => key === asked) ?? board.tabs.find(({ link }) => !link))?.key ?? "";
  const focus = useFocus(board);
  const saving = useSaving({ target, history, setHistory, say });
  const act: Act = (make, words) => {
    const next = saving.isBusy ? board : make(board);
    if (next === board) return;
    const text = typeof words === "string" ? words : words(next);
    setHistory(changed(history, next, text));
    say(text);
  };
  const go = (to: ReturnType<typeof undone>, what: string): void => {
    if (to === undefined || saving.isBusy) return;
    setHistory(to[0]);
    say(`${what}: ${to[1]}`);
  };
  const [back, forth] = [undone(history), redone(history)];
  const undo = (): void => go(back, "Undone");
  const redo = (): void => go(forth, "Done again");
  useKeys({ undo, redo, save: saving.start });
  const add = (type: string): void => {
    const { id, definition } = newOf(type);
    focus(id);
    act(
      (from) => added(from, tab, id, definition),
      (to) => `Added ${definition.label}, ${positionText(cellFor(to, tab, id))}. Enter opens its settings`,
    );
  };
  const remove = (id: string, next: string | undefined): void => {
    if (next !== undefined) focus(next);
    act((from) => removed(from, new Set([id])), `Deleted ${titleOf(board, id)}`);
    if (next === undefined) document.querySelector<HTMLElement>(".add-widget")?.focus();
  };
  const discard = (): void => {
    setHistory(startOf(history.base));
    say("The changes are discarded");
  };
  const amount = amountOf(changesOf(history.base, board));
  const steps = { undo, redo, undoes: back?.[1], redoes: forth?.[1] };
  return { board, tab, setTab, said, say, open, setOpen, saving, act, steps, add, remove, discard, amount };
}

export function Desk(props: DeskProps) {
  const desk = useDesk(props);
  const { board, tab, act, setOpen } = desk;
  const { dashboard, history } = props;
  return (
    <>
      <Leaving isChanged={desk.amount > 0} />
      <Tools desk={desk} />
      <Lost board={board} tab={tab} act={act} />
      <Tabs board={board} tab={tab} onChoose={desk.setTab} act={act} />
      <p className="about" id="edit-keys">
        Drag a widget by its title, or its corner to resize it. Keys: arrows move the focused widget, Shift with arrows
        resizes it, Enter opens its settings, Delete removes it. Ctrl-Z undoes, Ctrl-Shift-Z redoes, Ctrl-S saves.
      </p>
      <Grid
        dashboard={dashboard}
        history={history}
        tab={tab}
        act={act}
        onOpen={(id) => setOpen({ settings: id })}
        onRemove={desk.remove}
        onNothing={desk.say}
      />
      <Opened desk={desk} dashboard={dashboard} history={history} />
    </>
  );
}

interface DeskParts {
  readonly desk: ReturnType<typeof useDesk>;
}

function Tools({ desk: { tab, said, setOpen, saving, act, steps, discard, amount } }: DeskParts) {
  const { undo, redo, undoes, redoes } = steps;
  const { isBusy } = saving;
  return (
    <div className="row editor-tools">
      <button type="button" className="add-widget" disabled={isBusy} onClick={() => setOpen("gallery")}>
        Add widget
      </button>
      <button type="button" disabled={undoes === undefined || isBusy} title={undoes} onClick={undo}>
        Undo
      </button>
      <button type="button" disabled={redoes === undefined || isBusy} title={redoes} onClick={redo}>
        Redo
      </button>
      <button
        type="button"
        disabled={isBusy}
        onClick={() => act((from) => compacted(from, tab), "Closed the gaps between widgets")}
      >
        Close gaps
      </button>
      <SaveBar saving={saving} amount={amount} onDiscard={discard} />
      <span className="said" role="status">
        {said}
      </span>
    </div>
  );
}

/** The dialog that is open. */
function Opened({
  desk: { open, setOpen, act, add },
  dashboard,
  history,
}: DeskParts & Pick<DeskProps, "dashboard" | "history">) {
  const close = (): void => setOpen(undefined);
  if (open === undefined) return null;
  if (open === "gallery") return <Gallery onChoose={add} onClose={close} />;
  const { settings: id } = open;
  const apply = (definition: Definition, to: string | undefined): void =>
    act(
      (from) => {
        const next = edited(from, id, definition);
        return to === undefined ? next : onTab(next, id, to);
      },
      `Changed ${shown(definition.label, 60) || "a widget"}`,
    );
  return <Settings key={id} dashboard={dashboard} history={history} id={id} onClose={close} onApply={apply} />;
}

/** Widgets whose tab is gone: nobody can see them until they are on another one. */
function Lost({ board, tab, act }: { readonly board: Board; readonly tab: string; readonly act: Act }) {
  const lost = lostIn(board);
  if (lost.length === 0) return null;
  return (
    <p className="row">
      <State tone="warn">{countOf(lost.length, "widget")} on no tab</State>
      <button
        type="button"
        onClick={() => act((from) => lost.reduce((next, id) => onTab(next, id, tab), from), "Put widgets on this tab")}
      >
        Put here
      </button>
    </p>
  );
}
