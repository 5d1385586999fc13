import { lazy, Suspense, useMemo } from "react";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { shellWord } from "../../text/shell-word.ts";
import { Content, Select, Stale } from "../components/basics.tsx";
import { CommandLine } from "../components/empty.tsx";
import { Table } from "../components/table.tsx";
import { type Loaded, useConsole, useHeld, useLive, useLiveReload, useLoad, useSandbox } from "../hooks.ts";
import { isChange, isMissed, recordsFor } from "../live.ts";
import { useParam } from "../router.ts";
import { isOfAccount, moment, shown } from "../text.ts";

const Chart = lazy(async () => ({ default: (await import("../components/chart.tsx")).Chart }));

interface Row {
  readonly id: string;
  readonly variable: string;
  readonly value: unknown;
  readonly unit: string;
  readonly ms: number;
  readonly location: unknown;
  readonly metadata: unknown;
  readonly group: string;
}

const MAX_ROWS = 500;
const MAX_POINTS = 5_000;
const RANGES = ["1 hour", "1 day", "1 week", "1 month", "1 year"] as const;

/** A record as it came from the API or the stream, whatever is in it. */
function rowOf(record: unknown): Row {
  const own = isRecord(record) ? record : {};
  const location = isRecord(own["location"]) ? own["location"]["coordinates"] : undefined;
  return {
    id: shown(own["id"]) || shown(own),
    variable: shown(own["variable"]),
    value: own["value"],
    unit: shown(own["unit"]),
    ms: new Date(shown(own["time"])).getTime(),
    location,
    metadata: own["metadata"],
    group: shown(own["group"]),
  };
}

const keyOf = ({ id }: Row): string => id;
const msOf = ({ ms }: Row): number => ms;
const isPoint = ({ value, ms }: Row): boolean => typeof value === "number" && !Number.isNaN(ms);

/** Newest first, each record once; of two with the same time, the one that arrived last comes first. */
function merged(fresh: readonly Row[], known: readonly Row[], most: number): Row[] {
  const seen = new Set<string>();
  const all = [...fresh.toReversed(), ...known].filter(({ id }) => !seen.has(id) && seen.add(id));
  return all.sort((a, b) => b.ms - a.ms).slice(0, most);
}

function LiveChart({ device, variables }: { readonly device: string; readonly variables: readonly string[] }) {
  const { resources } = useConsole();
  const [asked, setVariable] = useParam("variable");
  const [chosenRange, setRange] = useParam("period", "1 day");
  const range = RANGES.find((each) => each === chosenRange) ?? "1 day";
  const variable = variables.includes(asked) ? asked : (variables[0] ?? "");
  const key = `${device} ${variable} ${range}`;
  const loaded = useLoad(key, async () => {
    if (variable === "") return [];
    const query = { variables: [variable], start_date: range, qty: MAX_POINTS };
    return (await resources.devices.getDeviceData(device, query)).map(rowOf).filter(isPoint);
  });
  useLive((events) => {
    const rows = recordsFor(events, device)
      .map(rowOf)
      .filter((row) => row.variable === variable && isPoint(row));
    if (rows.length > 0) loaded.change((known) => merged(rows, known, MAX_POINTS));
  });
  useLiveReload(loaded.reload, (event) => isMissed(event, device));
  const points = useMemo(() => {
    const rows = (loaded.data ?? []).toReversed();
    return { times: rows.map(({ ms }) => ms / 1_000), values: rows.map(({ value }) => Number(value)) };
  }, [loaded.data]);
  if (variable === "") return <p className="none">The device has no numbers to draw.</p>;
  return (
    <>
      <div className="row">
        <Select label="Variable" value={variable} onChange={setVariable} options={variables} />
        <Select label="From the last" value={range} onChange={setRange} options={RANGES} />
        <span>{countOf(points.values.length, "value")}, new ones are added as they arrive</span>
      </div>
      {loaded.data === undefined && loaded.error !== undefined ? (
        <Content of={loaded}>{() => null}</Content>
      ) : (
        <>
          <Stale of={loaded} />
          <Suspense fallback={<div className="chart" />}>
            <Chart label={variable} points={points} />
          </Suspense>
        </>
      )}
    </>
  );
}

/** The newest of each variable. */
function newestOf(rows: readonly Row[]): Row[] {
  const byVariable = new Map<string, Row>();
  for (const row of rows) {
    const known = byVariable.get(row.variable);
    if (known === undefined || row.ms > known.ms) byVariable.set(row.variable, row);
  }
  return [...byVariable.values()].sort((a, b) => a.variable.localeCompare(b.variable));
}

/** How the device sends its first value. */
function FirstData() {
  const { variables } = useSandbox();
  const body = shellWord(JSON.stringify([{ variable: "temperature", value: 21.5, unit: "°C" }]));
  const url = variables["IOT_API_URL"] ?? location.origin;
  return (
    <div className="empty">
      <p>The device has no data. Send it a value with the form above, or with a request and the token of the device:</p>
      <CommandLine
        line={`curl -X POST ${url}/data -H "token: $DEVICE_TOKEN" -H 'content-type: application/json' --data ${body}`}
      />
    </div>
  );
}

/** The newest records. They stay where they are while somebody reads past the first page. */
function Records({ loaded }: { readonly loaded: Loaded<Row[]> }) {
  const [page, setPage] = useParam("page");
  const held = useHeld(loaded.data ?? [], page !== "" && loaded.data !== undefined, keyOf, msOf);
  return (
    <section>
      <h2>Records</h2>
      {held.fresh > 0 && (
        <button type="button" onClick={() => setPage("")}>
          {countOf(held.fresh, "new record")}
        </button>
      )}
      <Content of={loaded}>
        {() => (
          <Table
            caption={`The newest ${countOf(held.rows.length, "record")}`}
            rows={held.rows}
            rowKey={keyOf}
            empty={isOfAccount ? "The device has no data." : <FirstData />}
            pageSize={25}
            columns={[
              { title: "Variable", cell: ({ variable }) => variable },
              { title: "Time", kind: "time", cell: ({ ms }) => moment(new Date(ms)) },
              { title: "Value", kind: "number", cell: ({ value }) => shown(value, 200) },
              { title: "Unit", cell: ({ unit }) => unit },
              { title: "Location", cell: ({ location }) => shown(location) },
              { title: "Group", kind: "id", cell: ({ group }) => group },
              { title: "Metadata", kind: "code", cell: ({ metadata }) => shown(metadata, 200) },
            ]}
          />
        )}
      </Content>
    </section>
  );
}

/** Last values, a chart and the newest records of a device, live. */
export function DeviceData({ device }: { readonly device: string }) {
  const { resources } = useConsole();
  const last = useLoad(`last ${device}`, async () =>
    newestOf((await resources.devices.getDeviceData(device, { query: "last_item" })).map(rowOf)),
  );
  const loaded = useLoad(device, async () => (await resources.devices.getDeviceData(device, { qty: 100 })).map(rowOf));
  useLive((events) => {
    const rows = recordsFor(events, device).map(rowOf);
    if (rows.length === 0) return;
    loaded.change((known) => merged(rows, known, MAX_ROWS));
    last.change((known) => newestOf([...rows.toReversed(), ...known]));
  });
  const reload = (): void => {
    loaded.reload();
    last.reload();
  };
  useLiveReload(reload, (event) => isMissed(event, device) || isChange(event, "device", device));
  const newest = last.data ?? [];
  const numbers = newest.filter(isPoint).map(({ variable }) => variable);
  return (
    <>
      <section>
        <h2>Last values</h2>
        <Content of={last}>
          {() => (
            <ul className="values">
              {newest.slice(0, 60).map(({ variable, value, unit, ms, location }) => (
                <li key={variable}>
                  <span>{variable}</span>
                  <strong>
                    {shown(value ?? location, 40)} {unit}
                  </strong>
                  <small>{moment(new Date(ms))}</small>
                </li>
              ))}
              {newest.length === 0 && <li>The device has no data.</li>}
            </ul>
          )}
        </Content>
      </section>
      <section>
        <h2>Chart</h2>
        <LiveChart device={device} variables={numbers} />
      </section>
      <Records loaded={loaded} />
    </>
  );
}
