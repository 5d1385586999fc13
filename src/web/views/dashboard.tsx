import type { DashboardInfo } from "../../index.ts";
import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import { devicesFor, gridOf } from "../../lib/widgets/draw/page.ts";
import { originalLabel } from "../../text/copy-label.ts";
import { clockMs } from "../api.ts";
import { Content, Heading, nameOf, Tags, titleFor } from "../components/basics.tsx";
import { DevicePicker } from "../components/device-picker.tsx";
import { Period, useSpan, ZoomBar } from "../components/period.tsx";
import { Widget } from "../components/widget.tsx";
import { useFullScreen } from "../full-screen.ts";
import { useConsole, useLiveReload, useLoad, useWrites } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href, setParams, useParam, useRoute, type ViewProps } from "../router.ts";
import { isWebAddress, recordsOf, shown } from "../text.ts";
import { useBlueprint } from "./blueprint.ts";
import { ROW_PX, styleOf } from "./cell.ts";
import { useViewer, ViewerNote } from "./viewer.tsx";

type Viewer = ReturnType<typeof useViewer>;

interface Choosing {
  readonly dashboard: DashboardInfo;
  readonly devices: ReturnType<typeof useBlueprint>["devices"];
  readonly chosen: Chosen;
  readonly onChoose: (placeholder: string, device: string) => void;
}

/** Ids of devices by placeholder; an empty one is none. */
type Chosen = Readonly<Record<string, string>>;

/** Before the id of a placeholder, in the address. */
const DEVICE = "device.";
const NONE = "none";

/** The devices that were chosen, as the address has them. */
function choicesIn(query: URLSearchParams): Chosen {
  const chosen = [...query].filter(([name]) => name.startsWith(DEVICE));
  return Object.fromEntries(chosen.map(([name, id]) => [name.slice(DEVICE.length), id === NONE ? "" : id]));
}

/** The devices a blueprint can show, one selector per placeholder. */
function BlueprintDevices({ dashboard, devices, chosen, onChoose }: Choosing) {
  return (
    <div className="tools">
      {recordsOf(dashboard.blueprint_devices).map((placeholder) => {
        const { id, label } = placeholder;
        const fits = devicesFor(placeholder, devices).map((device) => ({
          id: device.id,
          name: nameOf(device.name, device.id),
        }));
        return (
          <DevicePicker
            key={shown(id)}
            label={nameOf(label, "Device")}
            devices={fits}
            value={chosen[shown(id)] ?? ""}
            onChoose={(device) => onChoose(shown(id), device)}
          />
        );
      })}
    </div>
  );
}

interface TabsProps {
  readonly tabs: ReturnType<typeof gridOf>;
  readonly current: string | undefined;
  readonly onChoose: (key: string) => void;
}

/** The tabs of a dashboard, where it has several. Some are links to other pages. */
function Tabs({ tabs, current, onChoose }: TabsProps) {
  if (tabs.length <= 1) return null;
  return (
    <nav className="tabs" aria-label="Tabs">
      {tabs.map(({ key, title, link }) =>
        isWebAddress(link) ? (
          <a key={key} href={link} target="_blank" rel="noreferrer">
            {shown(title, 60) || "Link"}
          </a>
        ) : (
          <button key={key} type="button" aria-pressed={key === current} onClick={() => onChoose(key)}>
            {shown(title, 60) || "Tab"}
          </button>
        ),
      )}
    </nav>
  );
}

interface DashboardProps {
  readonly dashboard: DashboardInfo;
  readonly viewer: Viewer;
}

function Dashboard({ dashboard, viewer }: DashboardProps) {
  const { id } = dashboard;
  const resources = viewer.data?.resources;
  const isBlueprint = dashboard.type === "blueprint";
  const { devices, first } = useBlueprint(dashboard, resources);
  const [tab, setTab] = useParam("tab");
  const { query } = useRoute();
  const { session } = useConsole();
  const nowMs = clockMs(session.clock);
  const span = useSpan(dashboard, nowMs);
  const chosen = { ...first, ...choicesIn(query) };
  const tabs = gridOf(dashboard).filter(({ isHidden }) => !isHidden);
  const withWidgets = tabs.filter(({ link }) => !isWebAddress(link));
  const current = withWidgets.find(({ key }) => key === tab) ?? withWidgets[0];
  const placed = current?.places ?? [];
  return (
    <>
      {isBlueprint && (
        <BlueprintDevices
          dashboard={dashboard}
          devices={devices}
          chosen={chosen}
          onChoose={(placeholder, device) => setParams({ [`${DEVICE}${placeholder}`]: device || NONE })}
        />
      )}
      <div className="choices">
        <Tabs tabs={tabs} current={current?.key} onChoose={setTab} />
        <Period dashboard={dashboard} nowMs={nowMs} />
      </div>
      <ZoomBar dashboard={dashboard} />
      <div className="grid">
        {placed.map((place) => (
          <div key={place.widget} className="cell" style={styleOf(place)}>
            <Widget
              dashboard={id}
              widget={place.widget}
              resources={resources}
              devices={chosen}
              span={span}
              heightPx={place.rows * ROW_PX}
            />
          </div>
        ))}
      </div>
      {placed.length === 0 && <p className="none">There are no widgets here.</p>}
    </>
  );
}

/** Leads to the original and its migrated copy side by side, where this is one of them. */
function OldAndNew({ dashboard: { id, label } }: { readonly dashboard: DashboardInfo }) {
  const { resources } = useConsole();
  const name = originalLabel(label) ?? label;
  const others = useLoad(`${id} ${name}`, () =>
    resources.dashboards.list({
      filter: { label: `${name}*` },
      amount: MAX_LIST_AMOUNT,
      fields: ["id", "label"],
      orderBy: ["created_at", "desc"],
    }),
  );
  const original = others.data?.find((other) => other.id !== id && other.label === originalLabel(label));
  const copy = others.data?.find((other) => other.id !== id && originalLabel(other.label) === label);
  if (original !== undefined)
    return <a href={href(["dashboards", original.id, "compare"], { with: id })}>Old and new</a>;
  return copy && <a href={href(["dashboards", id, "compare"], { with: copy.id })}>Old and new</a>;
}

export function DashboardView({ route }: ViewProps) {
  const id = route.parts[1] ?? "";
  const as = route.query.get("as") ?? "";
  const viewer = useViewer(as);
  const writes = useWrites();
  const loaded = useLoad(`${id} ${as} ${viewer.data === undefined}`, async () =>
    viewer.data?.resources.dashboards.info(id),
  );
  const found = viewer.data === undefined ? { ...viewer, data: undefined } : loaded;
  useLiveReload(loaded.reload, (event) => isChange(event, "dashboard") || isChange(event, "widget"));
  const [isFull, setFull] = useFullScreen(route);
  return (
    <>
      {!isFull && (
        <p>
          <a href={href(["dashboards"], as === "" ? {} : { as })}>All dashboards</a>
        </p>
      )}
      <Heading
        title={titleFor("Dashboard", found, ({ label }) => nameOf(label, id))}
        about={isFull ? undefined : found.data && shown(found.data.description)}
      >
        <div className="row">
          {!isFull && <Tags of={found.data?.tags} />}
          {found.data && as === "" && !isFull && <OldAndNew key={id} dashboard={found.data} />}
          {writes && as === "" && !isFull && <a href={href(["dashboards", id, "edit"])}>Edit</a>}
          <button type="button" className="full-screen" aria-keyshortcuts="f" onClick={() => setFull(!isFull)}>
            {isFull ? "Leave full screen" : "Full screen"}
          </button>
        </div>
        <ViewerNote viewer={viewer} as={as} leave={href(["dashboards", id])} />
      </Heading>
      <Content of={found}>
        {(dashboard) => <Dashboard key={dashboard.id} dashboard={dashboard} viewer={viewer} />}
      </Content>
    </>
  );
}
