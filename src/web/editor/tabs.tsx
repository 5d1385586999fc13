import { useState } from "react";
import { Input } from "../components/basics.tsx";
import { shown } from "../text.ts";
import type { Act } from "./act.ts";
import { type Board, canAddTab, cellsOf, withoutTab, withTab, withTabChanged, withTabMoved } from "./model.ts";

interface TabsProps {
  readonly board: Board;
  readonly tab: string;
  readonly onChoose: (tab: string) => void;
  readonly act: Act;
}

/** Unique on the dashboard, as the platform makes them. */
const newKey = ({ tabs }: Board): string => {
  let key = Date.now();
  while (tabs.some((tab) => tab.key === String(key))) key += 1;
  return String(key);
};

/** The tabs of a dashboard, and what can be done with the one that is shown. */
export function Tabs({ board, tab, onChoose, act }: TabsProps) {
  const { tabs } = board;
  const add = (): void => {
    const key = newKey(board);
    const title = `Tab ${tabs.length + 1}`;
    onChoose(key);
    act((from) => withTab(from, key, title), `Added ${title}`);
  };
  return (
    <nav className="tabs" aria-label="Tabs">
      {tabs.map(({ key, value, link, hidden }) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === tab}
          disabled={Boolean(link)}
          title={link ? "A link" : undefined}
          onClick={() => onChoose(key)}
        >
          {shown(value, 60) || "Tab"}
          {hidden === true && " (hidden)"}
        </button>
      ))}
      <button type="button" disabled={!canAddTab(board)} onClick={add}>
        Add tab
      </button>
      {tab !== "" && <TabSettings key={tab} board={board} tab={tab} onChoose={onChoose} act={act} />}
    </nav>
  );
}

function TabSettings({ board, tab: key, onChoose, act }: TabsProps) {
  const { tabs } = board;
  const place = tabs.findIndex((tab) => tab.key === key);
  const { value: title = "", hidden } = tabs[place] ?? {};
  const [name, setName] = useState<string>();
  const rename = (): void => {
    if (name !== undefined) act((from) => withTabChanged(from, key, { value: name }), `Renamed the tab to ${name}`);
    setName(undefined);
  };
  const move = (by: -1 | 1): void =>
    act((from) => withTabMoved(from, key, by), `Moved ${title} to the ${by < 0 ? "left" : "right"}`);
  const remove = (): void => {
    const next = tabs[place + 1] ?? tabs[place - 1];
    onChoose(next?.key ?? "");
    act((from) => withoutTab(from, key), `Deleted ${title}${tabs.length > 1 ? " with its widgets" : ""}`);
  };
  const amount = cellsOf(board, key).length;
  return (
    <details>
      <summary>Tab settings</summary>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <Input label="Title of the tab" value={name ?? title} onChange={setName} />
        <button type="submit" disabled={name === undefined || name === title}>
          Rename
        </button>
        <button type="button" disabled={place <= 0} onClick={() => move(-1)}>
          Move left
        </button>
        <button type="button" disabled={place >= tabs.length - 1} onClick={() => move(1)}>
          Move right
        </button>
        <button
          type="button"
          aria-pressed={hidden === true}
          onClick={() =>
            act(
              (from) => withTabChanged(from, key, { hidden: hidden !== true }),
              `${hidden === true ? "Showed" : "Hid"} ${title}`,
            )
          }
        >
          Hidden
        </button>
        <button type="button" className="danger" onClick={remove}>
          {amount > 0 && tabs.length > 1 ? "Delete tab with its widgets" : "Delete tab"}
        </button>
      </form>
    </details>
  );
}
