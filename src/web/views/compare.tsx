import type { DashboardInfo } from "../../index.ts";
import { gridOf } from "../../lib/widgets/draw/page.ts";
import { Content, Heading, nameOf } from "../components/basics.tsx";
import { Widget } from "../components/widget.tsx";
import { useConsole, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href, type ViewProps } from "../router.ts";
import { useBlueprint } from "./blueprint.ts";
import { ROW_PX } from "./cell.ts";

interface Pair {
  /** Which tab and which cell of it. */
  readonly key: string;
  readonly old: string | undefined;
  readonly fresh: string | undefined;
  readonly rows: number;
}

interface Placed {
  readonly widget: string;
  readonly rows: number;
}

/** The widgets of a dashboard by their cells, each once. */
function cellsOf(dashboard: DashboardInfo): Map<string, Placed> {
  const seen = new Set<string>();
  const cells = new Map<string, Placed>();
  for (const [tab, { places }] of gridOf(dashboard).entries())
    for (const { widget, left, top, rows } of places) {
      if (!seen.has(widget)) cells.set(`${tab} ${top} ${left}`, { widget, rows });
      seen.add(widget);
    }
  return cells;
}

/** Widgets of the same cell beside each other, then those whose cell is empty in the other dashboard. */
function pairsOf(old: DashboardInfo, fresh: DashboardInfo): Pair[] {
  const [before, after] = [cellsOf(old), cellsOf(fresh)];
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [one, other] = [before.get(key), after.get(key)];
    return { key, old: one?.widget, fresh: other?.widget, rows: Math.max(one?.rows ?? 1, other?.rows ?? 1) };
  });
}

interface SideProps {
  readonly dashboard: DashboardInfo;
  readonly widget: string | undefined;
  readonly rows: number;
  /** Of a blueprint: the device of each placeholder. */
  readonly devices: Readonly<Record<string, string>>;
}

function Side({ dashboard: { id }, widget, rows, devices }: SideProps) {
  const { resources } = useConsole();
  if (widget === undefined) return <p className="none">There is no widget in this cell.</p>;
  const shared = { resources, devices, span: undefined };
  return <Widget dashboard={id} widget={widget} heightPx={rows * ROW_PX} {...shared} />;
}

interface CompareProps {
  readonly old: DashboardInfo;
  readonly fresh: DashboardInfo;
}

function Compare({ old, fresh }: CompareProps) {
  const { resources } = useConsole();
  const [ofOld, ofFresh] = [useBlueprint(old, resources), useBlueprint(fresh, resources)];
  const heads = [
    ["Old", old],
    ["New", fresh],
  ] as const;
  return (
    <div className="compared">
      {heads.map(([word, { id, label }]) => (
        <h2 key={word}>
          {word}: <a href={href(["dashboards", id])}>{nameOf(label, id)}</a>
        </h2>
      ))}
      {pairsOf(old, fresh).map(({ key, old: before, fresh: after, rows }) => (
        <div key={key} className="pair">
          <Side dashboard={old} widget={before} rows={rows} devices={ofOld.first} />
          <Side dashboard={fresh} widget={after} rows={rows} devices={ofFresh.first} />
        </div>
      ))}
    </div>
  );
}

/** A dashboard and its migrated copy, widget by widget, each with its own data as it arrives. */
export function CompareView({ route }: ViewProps) {
  const { resources } = useConsole();
  const id = route.parts[1] ?? "";
  const copy = route.query.get("with") ?? "";
  const loaded = useLoad(`${id} ${copy}`, async () => {
    const [old, fresh] = await Promise.all([resources.dashboards.info(id), resources.dashboards.info(copy)]);
    return { old, fresh };
  });
  useLiveReload(loaded.reload, (event) => isChange(event, "dashboard") || isChange(event, "widget"));
  return (
    <>
      <p>
        <a href={href(["dashboards"])}>All dashboards</a>
      </p>
      <Heading title="Old and new" about="Each widget beside its migrated one, both with the data there is now." />
      <Content of={loaded}>{(both) => <Compare {...both} />}</Content>
    </>
  );
}
