import { useEffect, useMemo, useRef, useState } from "react";
import { type Console, useConsole, useLoad, useSettled } from "../hooks.ts";
import { href } from "../router.ts";
import { isOfAccount } from "../text.ts";
import { groups, titleOf } from "../views/index.ts";
import { nameOf, tagTexts } from "./basics.tsx";
import { fitting, useListbox } from "./listbox.ts";
import { chooseTheme } from "./theme-switch.tsx";

interface Entry {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  /** What is searched besides the name. */
  readonly more: string;
  readonly run: () => void;
}

/** Devices that are read to be searched here; of an account with more, the platform searches. */
const MAX_DEVICES = 1_000;
const MAX_SHOWN = 50;
const SEARCH_MS = 300;
const FIELDS = ["id", "name", "tags"] as const;

const leadTo =
  (...parts: readonly string[]) =>
  (): void => {
    location.hash = href(parts);
  };

interface Found {
  readonly id: string;
  readonly tags?: unknown;
}

const entryOf = (kind: string, view: string, { id, tags }: Found, name: unknown): Entry => ({
  key: `${view} ${id}`,
  kind,
  name: nameOf(name, id),
  more: [id, ...tagTexts(tags)].join(" "),
  run: leadTo(view, id),
});

async function devicesLike({ resources }: Console, text: string, amount: number, signal: AbortSignal) {
  const filter = text === "" ? {} : { filter: { name: `*${text}*` } };
  const query = { amount, fields: [...FIELDS], orderBy: ["name", "asc"] as ["name", "asc"], ...filter };
  return (await resources.devices.list(query, { signal })).map((each) => entryOf("Device", "devices", each, each.name));
}

/** Everything of the account that has a view. */
async function readAll(used: Console, signal: AbortSignal) {
  const { resources } = used;
  const amount = MAX_DEVICES;
  const [devices, dashboards, analyses] = await Promise.all([
    devicesLike(used, "", amount, signal),
    resources.dashboards.list({ amount, fields: ["id", "label", "tags"] }, { signal }),
    isOfAccount ? [] : resources.analysis.list({ amount, fields: ["id", "name", "tags"] }, { signal }),
  ]);
  return {
    isCut: devices.length >= MAX_DEVICES,
    entries: [
      ...dashboards.map((each) => entryOf("Dashboard", "dashboards", each, each.label)),
      ...devices,
      ...analyses.map((each) => entryOf("Analysis", "analyses", each, each.name)),
    ],
  };
}

function actionsOf({ live }: Console): Entry[] {
  const isStopped = live.state().kind === "stopped";
  const action = (name: string, more: string, run: () => void): Entry => ({
    key: name,
    kind: "Action",
    name,
    more,
    run,
  });
  return [
    ...(isOfAccount
      ? []
      : [
          action("New device", "create add", () => {
            location.hash = href(["devices"], { new: "1" });
          }),
        ]),
    action(isStopped ? "Start live data" : "Stop live data", "pause", () => (isStopped ? live.start() : live.stop())),
    ...(["light", "dark", "system"] as const).map((theme) =>
      action(`Colors: ${theme}`, "theme mode", () => chooseTheme(theme)),
    ),
    action("Copy a link to this page", "address url", () => void navigator.clipboard.writeText(location.href)),
  ];
}

const views = (): Entry[] =>
  groups.flatMap((group) =>
    group.views.map((name) => ({ key: name, kind: "View", name: titleOf(name), more: "go to", run: leadTo(name) })),
  );

/** Finds views, devices, dashboards, analyses and actions by what is typed, and opens the one that is chosen. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const used = useConsole();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  // Not deferred: Enter chooses from what was typed last.
  const search = typed.trim();
  const settled = useSettled(search, SEARCH_MS);
  const all = useLoad("all", (signal) => readAll(used, signal));
  const asked = all.data?.isCut === true ? settled : "";
  const more = useLoad(
    `devices ${asked}`,
    async (signal) => (asked === "" ? [] : devicesLike(used, asked, MAX_SHOWN, signal)),
    "devices",
  );
  const entries = useMemo(() => {
    const known = [...views(), ...(all.data?.entries ?? []), ...actionsOf(used)];
    const keys = new Set(known.map(({ key }) => key));
    return [...known, ...(more.data ?? []).filter(({ key }) => !keys.has(key))];
  }, [all.data, more.data, used]);
  const found = useMemo(
    () => fitting(entries, search, ({ name, kind, more: words }) => [name, `${kind} ${words}`], MAX_SHOWN),
    [entries, search],
  );
  const choose = (place: number): void => {
    // Closed first, so that the view that opens gets the focus.
    dialog.current?.close();
    found[place]?.run();
  };
  const listbox = useListbox(found.length, true, choose);
  useEffect(() => dialog.current?.showModal(), []);
  const words = all.error ?? (all.data === undefined ? "Loading" : found.length === 0 ? "Nothing found" : "");
  return (
    <dialog ref={dialog} className="palette" aria-label="Search everything" onClose={onClose}>
      <input
        {...listbox.field}
        aria-label="Search devices, dashboards, views and actions"
        placeholder="Search devices, dashboards, views and actions"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          listbox.restart();
        }}
        onKeyDown={listbox.keyed}
      />
      <div id={listbox.listId} role="listbox" tabIndex={-1} aria-label="Found" className="options">
        {found.map(({ key, kind, name }, place) => (
          <button key={key} type="button" {...listbox.option(place)} onClick={() => choose(place)}>
            <span>{name}</span>
            <small>{kind}</small>
          </button>
        ))}
      </div>
      <p className="none" role="status">
        {words}
      </p>
    </dialog>
  );
}
