import type { ReactNode } from "react";
import { StatusLine } from "../../components/status-line/status-line.tsx";
import { useTheme } from "../../hooks/screen-context.ts";
import { agoText, countText } from "../../live/words.ts";
import type { FleetModel } from "../fleet-model.ts";
import type { FleetData } from "../types.ts";

interface HeadProps {
  readonly model: FleetModel;
  readonly place: string;
  readonly width: number;
}

/** Where, how many devices are in each state, and how old that is. */
export function Head({ model, place, width }: HeadProps): ReactNode {
  const { colors } = useTheme();
  const { devices, atMs } = model.data;
  const color = { offline: colors.bad, silent: colors.waiting, "low battery": colors.waiting, ok: colors.good };
  return (
    <StatusLine
      width={width}
      parts={[
        { id: "fleet", text: "fleet", leaves: 4 },
        { id: "place", text: place, bold: true, leaves: 2 },
        ...[...countStates(devices)].map(([state, count], i) => ({
          id: state,
          text: `${countText(count)} ${state}`,
          leaves: i < 2 ? 0 : 1,
          ...(state in color ? { color: color[state as keyof typeof color] } : {}),
        })),
        { id: "total", text: `${countText(devices.length)} devices`, leaves: 5 },
        { id: "age", text: model.isReading ? "reading" : agoText(Date.now() - atMs), leaves: 3 },
      ]}
    />
  );
}

/** They come worst first, and so do their counts. */
function countStates(devices: FleetData["devices"]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { state } of devices) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}

const NEARLY_USED = 80;
const USED = 100;

/** How much of the plan is used: input and output first, then what is used most. */
export function Plan({ data, width }: { readonly data: FleetData; readonly width: number }): ReactNode {
  const { colors } = useTheme();
  return (
    <StatusLine
      width={width}
      parts={[
        { id: "plan", text: "plan used" },
        ...data.plan.map(({ service, percent }, i) => ({
          id: service,
          text: `${service} ${percent} %`,
          leaves: i + 1,
          ...(percent >= NEARLY_USED ? { color: percent >= USED ? colors.bad : colors.waiting } : {}),
        })),
      ]}
    />
  );
}
