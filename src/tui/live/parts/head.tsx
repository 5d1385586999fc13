import type { ReactNode } from "react";
import { cut } from "../../../text/width.ts";
import { StatusLine } from "../../components/status-line/status-line.tsx";
import { useTheme } from "../../hooks/screen-context.ts";
import { countText, stateText } from "../words.ts";
import type { PartProps } from "./part.ts";

/** What is watched, where, and how the connection is. */
export function Head({ model, options, width }: PartProps): ReactNode {
  const { colors, marks } = useTheme();
  const { counters, size } = model.buffer;
  const { channel, names, place } = options.title;
  const { connection, state } = model;
  const color = connection.state === "retry" ? colors.bad : state.isPaused ? colors.waiting : colors.good;
  const [first = "", ...others] = names;
  const name = `${cut(first, 30, marks.cut)}${others.length > 0 ? ` (+${others.length})` : ""}`;
  const kept = `buffer ${countText(size)}`;
  const dropped = countText(counters.dropped);
  const standing = {
    connection,
    isPaused: state.isPaused,
    waiting: model.waiting,
    rate: model.rate,
    nowMs: Date.now(),
  };
  return (
    <StatusLine
      width={width}
      parts={[
        { id: "channel", text: channel, leaves: 5 },
        { id: "name", text: name.trim(), bold: true, leaves: 2 },
        { id: "place", text: place, leaves: 3 },
        { id: "state", text: stateText(standing), color, bold: true },
        { id: "received", text: `received ${countText(counters.received)}`, leaves: 4 },
        counters.dropped === 0
          ? { id: "buffer", text: kept, leaves: 6 }
          : { id: "buffer", text: `${kept} (${dropped} older dropped)`, short: `${dropped} dropped`, leaves: 6 },
        {
          id: "lost",
          text: `lost ${countText(counters.lost)}`,
          leaves: 1,
          ...(counters.lost > 0 ? { color: colors.bad } : {}),
        },
        {
          id: "gaps",
          text: counters.gaps > 0 ? `gaps ${countText(counters.gaps)}` : "",
          leaves: 1,
          color: colors.waiting,
        },
      ]}
    />
  );
}
