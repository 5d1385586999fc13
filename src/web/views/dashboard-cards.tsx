import { type RefObject, useEffect, useRef, useState } from "react";
import type { Resources } from "../../index.ts";
import { gridOf } from "../../lib/widgets/draw/page.ts";
import { originalLabel } from "../../text/copy-label.ts";
import { countOf } from "../../text/count.ts";
import { inspect } from "../api.ts";
import { nameOf, Outcome, State, tagTexts } from "../components/basics.tsx";
import { Drawing } from "../components/drawing.tsx";
import { inOrder, Pages } from "../components/table.tsx";
import { useConsole, useDoing, useLoad } from "../hooks.ts";
import { href, setParams, useParam } from "../router.ts";
import { isOfAccount, isWebAddress } from "../text.ts";
import { ROW_PX, styleOf } from "./cell.ts";

/** The fields of a dashboard that its card needs. */
export const CARD_FIELDS = ["id", "label", "type", "visible", "tags", "tabs", "arrangement"] as const;

export type CardRow = Pick<
  Awaited<ReturnType<Resources["dashboards"]["list"]>>[number],
  "id" | "label" | "type" | "visible" | "tags"
>;

/** Widgets of a picture: those at the top. Each is one request. */
const MOST_DRAWN = 8;
/** Rows of the grid that a picture has room for. */
const ROWS_SHOWN = 8;
const PAGE_SIZE = 24;

/** Whether an element has come into sight. */
function useSeen(target: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (target.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [target]);
  return isSeen;
}

/** The widgets that a picture shows, of the first tab that has some. */
function placesOf(dashboard: CardRow) {
  const tabs = gridOf(dashboard).filter(({ isHidden, link }) => !isHidden && !isWebAddress(link));
  const places = tabs.find((tab) => tab.places.length > 0)?.places ?? [];
  return places.filter(({ top }) => top < ROWS_SHOWN).sort((a, b) => a.top - b.top || a.left - b.left);
}

interface ThumbnailProps {
  readonly dashboard: CardRow;
  readonly resources: Resources;
}

/**
 * A small picture of a dashboard, with its data as it was when the card came into sight. Those of an account, whose limits
 * count every request, and blueprints, which show a device that is chosen, have the frames of their widgets only.
 */
function Thumbnail({ dashboard, resources }: ThumbnailProps) {
  const holder = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(holder);
  const places = placesOf(dashboard);
  const isRead = isSeen && !isOfAccount && dashboard.type !== "blueprint";
  const ids = isRead ? places.slice(0, MOST_DRAWN).map(({ widget }) => widget) : [];
  const drawn = useLoad(`${dashboard.id} ${ids.join(" ")}`, (signal) =>
    Promise.all(
      ids.map((id) =>
        resources.dashboards.widgets.getData(dashboard.id, id, undefined, { signal }).catch(() => undefined),
      ),
    ),
  );
  const results = new Map(drawn.data?.flatMap((result) => (result === undefined ? [] : [[result.widget.id, result]])));
  return (
    <div ref={holder} className="thumbnail" aria-hidden="true" inert>
      <div className="grid">
        {places.map((place) => {
          const result = results.get(place.widget);
          const heightPx = place.rows * ROW_PX;
          return (
            <div key={place.widget} className="cell widget" style={styleOf(place)}>
              {result !== undefined && (
                <>
                  <strong>{nameOf(result.widget, "")}</strong>
                  <Drawing result={result} heightPx={heightPx - 40} isStill />
                </>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Marks a dashboard, which then comes first, or takes the mark away. */
function Favourite({ id, name }: { readonly id: string; readonly name: string }) {
  const { session, refresh } = useConsole();
  const doing = useDoing(refresh);
  const isMarked = session.favourites.includes(id);
  const toggle = (): void => doing.act(() => inspect("PUT", "favourites", { dashboard: id, marked: !isMarked }), "");
  return (
    <>
      <button
        type="button"
        className="star"
        aria-pressed={isMarked}
        aria-label={`Favourite: ${name}`}
        title={isMarked ? "Take it from the favourites" : "Add it to the favourites, which come first"}
        disabled={doing.isBusy}
        onClick={toggle}
      >
        {isMarked ? "★" : "☆"}
      </button>
      {doing.error !== undefined && <Outcome doing={doing} />}
    </>
  );
}

interface CardsProps {
  readonly rows: readonly CardRow[];
  /** All dashboards, among which the original of a copy is looked for. */
  readonly all: readonly CardRow[];
  readonly caption: string;
  readonly resources: Resources;
  /** The portal user they are seen as; empty: the profile. */
  readonly as: string;
}

function Card({ dashboard, all, resources, as }: Omit<CardsProps, "rows" | "caption"> & ThumbnailProps) {
  const { id, label, type, visible, tags } = dashboard;
  const name = nameOf(label, id);
  const original = all.find((each) => each.id !== id && each.label === originalLabel(label));
  const widgets = new Set(gridOf(dashboard).flatMap(({ places }) => places.map(({ widget }) => widget))).size;
  return (
    <li className="card">
      <Thumbnail dashboard={dashboard} resources={resources} />
      <div className="named">
        <a className="whole" href={href(["dashboards", id], as === "" ? {} : { as })}>
          {name}
        </a>
        {as === "" && <Favourite id={id} name={name} />}
      </div>
      <p className="row">
        <small>
          {type === "blueprint" ? "Blueprint, " : ""}
          {countOf(widgets, "widget")}
        </small>
        {visible === false && <State tone="warn">Not listed for viewers</State>}
        {tagTexts(tags).map((text) => (
          <span key={text} className="tag">
            {text}
          </span>
        ))}
        {original !== undefined && as === "" && (
          <a href={href(["dashboards", original.id, "compare"], { with: id })}>Old and new</a>
        )}
      </p>
    </li>
  );
}

/** Dashboards as cards, the favourites first. */
export function DashboardCards({ rows, all, caption, resources, as }: CardsProps) {
  const { session } = useConsole();
  const [asked] = useParam("page");
  const ordered = inOrder(rows, "name", () => (row: CardRow) => nameOf(row.label, row.id));
  const isMarked = ({ id }: CardRow): boolean => as === "" && session.favourites.includes(id);
  const sorted = [...ordered.filter(isMarked), ...ordered.filter((row) => !isMarked(row))];
  const pages = Math.ceil(sorted.length / PAGE_SIZE);
  const page = Math.min(Math.max(0, (Number.parseInt(asked, 10) || 1) - 1), pages - 1);
  return (
    <section aria-label={caption}>
      <p className="caption">{caption}</p>
      <ul className="cards">
        {sorted.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map((dashboard) => (
          <Card key={dashboard.id} dashboard={dashboard} all={all} resources={resources} as={as} />
        ))}
      </ul>
      <Pages
        of={caption}
        page={page}
        pages={pages}
        rows={sorted.length}
        onPage={(next) => setParams({ page: next === 0 ? "" : String(next + 1) })}
      />
    </section>
  );
}
