import type { ReactNode } from "react";
import type { TableColumn } from "../../components/table/columns.ts";
import { Table } from "../../components/table/table.tsx";
import { tableWindow } from "../../components/table/table-state.ts";
import { agoText } from "../../live/words.ts";
import type { FleetModel } from "../fleet-model.ts";

const columns: readonly TableColumn[] = [
  { title: "device", least: 20, most: 40 },
  { title: "state" },
  { title: "last input", align: "right" },
  { title: "battery", align: "right", leaves: 1 },
  { title: "tags", least: 10, leaves: 2, fills: true },
];

interface DevicesProps {
  readonly model: FleetModel;
  readonly width: number;
  readonly height: number;
}

/** The table of devices: only those that can be seen. */
export function Devices({ model, width, height }: DevicesProps): ReactNode {
  const devices = model.devices();
  const { filter } = model.state;
  const at = model.selectedIndex();
  const { from, to, below } = tableWindow(devices.length, at, height - 1);
  const nowMs = Date.now();
  const hasBattery = model.data.devices.some(({ battery }) => battery !== undefined);
  const rows = devices.slice(from, to).map(({ id, name, state, inputMs, battery, tags }) => ({
    id,
    cells: [
      name,
      state,
      inputMs === undefined ? "" : agoText(nowMs - inputMs),
      ...(hasBattery ? [battery === undefined ? "" : String(battery)] : []),
      tags,
    ],
  }));
  const empty = filter === "" ? "No devices found." : `No device matches "${filter}". Press Esc to clear the filter.`;
  return (
    <Table
      columns={hasBattery ? columns : columns.filter(({ title }) => title !== "battery")}
      rows={rows}
      selected={devices[at]?.id}
      width={width}
      height={height}
      below={below}
      empty={[empty]}
    />
  );
}
