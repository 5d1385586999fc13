import { useCallback, useEffect, useState } from "react";
import type { DashboardInfo } from "../../index.ts";
import { clockMs } from "../api.ts";
import { Content, Heading, nameOf, Select, Tags } from "../components/basics.tsx";
import { firstSpan, Period, type Span } from "../components/period.tsx";
import { Widget } from "../components/widget.tsx";
import { useConsole, useLiveReload, useLoad } from "../hooks.ts";
import { href, type ViewProps } from "../router.ts";
import { recordsOf, shown } from "../text.ts";
import { useViewer, ViewerNote } from "./viewer.tsx";

const MAX_CHOICES = 200;
/** Columns of the platform's grid. */
const COLUMNS = 12;
/** Height of one of its rows with the gap below. */
const ROW_PX = 84;

const inside = (value: unknown, low: number, high: number): number =>
  Math.min(high, Math.max(low, Number.isFinite(Number(value)) ? Math.floor(Number(value)) : low));

/** Where the platform puts a widget. A hostile arrangement stays inside the grid. */
function placeOf({ x, y, width, height }: Readonly<Record<string, unknown>>) {
  const left = inside(x, 0, COLUMNS - 1);
  return {
    gridColumn: `${left + 1} / span ${inside(width, 1, COLUMNS - left)}`,
    gridRow: `${inside(y, 0, 999) + 1} / span ${inside(height, 1, 50)}`,
  };
}

interface Choosing {
  readonly dashboard: DashboardInfo;
  readonly chosen: Readonly<Record<string, string>>;
  readonly onChoose: (placeholder: string, device: string) => void;
  /** What is chosen where nothing is. */
  readonly onDefault: (placeholder: string, device: string) => void;
  readonly viewer: NonNullable<ReturnType<typeof useViewer>["data"]>;
}

/** Devices with all tags that a placeholder asks for. */
function fitting<Device extends { readonly tags: unknown }>(
  devices: readonly Device[],
  { conditions }: Readonly<Record<string, unknown>>,
): Device[] {
  return devices.filter(({ tags }) =>
    recordsOf(conditions).every(({ key, value }) =>
      recordsOf(tags).some((tag) => tag["key"] === key && tag["value"] === value),
    ),
  );
}

/** The devices a blueprint can show, one selector per placeholder. */
function BlueprintDevices({ dashboard, chosen, onChoose, onDefault, viewer }: Choosing) {
  const loaded = useLoad(dashboard.id, () =>
    viewer.resources.devices.list({ amount: 1_000, fields: ["id", "name", "tags"] }),
  );
  // As on the platform: there is something to see before anything is chosen.
  useEffect(() => {
    for (const placeholder of recordsOf(dashboard.blueprint_devices)) {
      const [first] = fitting(loaded.data ?? [], placeholder);
      if (first !== undefined) onDefault(shown(placeholder["id"]), first.id);
    }
  }, [dashboard, loaded.data, onDefault]);
  return (
    <div className="tools">
      {recordsOf(dashboard.blueprint_devices).map((placeholder) => {
        const { id, label } = placeholder;
        const fits = fitting(loaded.data ?? [], placeholder);
        const options = fits
          .slice(0, MAX_CHOICES)
          .map((device) => [device.id, nameOf(device.name, device.id)] as const);
        return (
          <Select
            key={shown(id)}
            label={nameOf(label, "Device")}
            value={chosen[shown(id)] ?? ""}
            onChange={(device) => onChoose(shown(id), device)}
            options={[["", "None chosen"], ...options]}
          />
        );
      })}
    </div>
  );
}

export function DashboardView({ route }: ViewProps) {
  const id = route.parts[1] ?? "";
  const as = route.query.get("as") ?? "";
  const viewer = useViewer(as);
  const loaded = useLoad(`${id} ${as} ${viewer.data === undefined}`, async () =>
    viewer.data?.resources.dashboards.info(id),
  );
  useLiveReload(loaded.reload, (event) => event.type === "changed" && /dashboard|widget/.test(event.kind ?? ""));
  const [tab, setTab] = useState("");
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const setDefault = useCallback(
    (placeholder: string, device: string) => setChosen((known) => ({ [placeholder]: device, ...known })),
    [],
  );
  const { session } = useConsole();
  const nowMs = clockMs(session.clock);
  const [span, setSpan] = useState<{ readonly id: string; readonly of: Span | undefined }>();
  const query = as === "" ? {} : { as };
  return (
    <>
      <p>
        <a href={href(["dashboards"], query)}>All dashboards</a>
      </p>
      <Content of={loaded}>
        {(dashboard) => {
          if (dashboard === undefined || viewer.data === undefined) return <Heading title="Dashboard" />;
          const tabs = recordsOf(dashboard.tabs).filter(({ hidden }) => hidden !== true);
          const current = tabs.find(({ key }) => key === tab) ?? tabs[0];
          const placed = recordsOf(dashboard.arrangement).filter(
            (place) => current === undefined || place["tab"] === current["key"] || place["tab"] === undefined,
          );
          return (
            <>
              <Heading title={nameOf(dashboard.label, id)} about={shown(dashboard.description)}>
                <p>
                  <Tags of={dashboard.tags} />
                </p>
                <ViewerNote viewer={viewer} as={as} leave={href(["dashboards", id])} />
              </Heading>
              {dashboard.type === "blueprint" && (
                <BlueprintDevices
                  dashboard={dashboard}
                  viewer={viewer.data}
                  chosen={chosen}
                  onDefault={setDefault}
                  onChoose={(placeholder, device) => setChosen({ ...chosen, [placeholder]: device })}
                />
              )}
              <Period dashboard={dashboard} nowMs={nowMs} onChoose={(of) => setSpan({ id, of })} />
              {tabs.length > 1 && (
                <nav className="tabs" aria-label="Tabs">
                  {tabs.map(({ key, value }) => (
                    <button
                      key={shown(key)}
                      type="button"
                      aria-pressed={key === current?.["key"]}
                      onClick={() => setTab(shown(key))}
                    >
                      {shown(value, 60) || "Tab"}
                    </button>
                  ))}
                </nav>
              )}
              <div className="grid">
                {placed.map((place) => (
                  <div key={shown(place["widget_id"])} className="cell" style={placeOf(place)}>
                    <Widget
                      dashboard={id}
                      widget={shown(place["widget_id"])}
                      resources={viewer.data?.resources}
                      devices={chosen}
                      span={span?.id === id ? span.of : firstSpan(dashboard, nowMs)}
                      heightPx={inside(place["height"], 1, 50) * ROW_PX}
                    />
                  </div>
                ))}
              </div>
              {placed.length === 0 && <p className="none">There are no widgets here.</p>}
            </>
          );
        }}
      </Content>
    </>
  );
}
