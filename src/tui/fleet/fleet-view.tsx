import { Box, Text } from "ink";
import { type ReactNode, useSyncExternalStore } from "react";
import { cut } from "../../text/width.ts";
import { KeyHelp } from "../components/key-hints/key-help.tsx";
import { clipped, wrapped } from "../components/lines/fit.ts";
import { Lines } from "../components/lines/lines.tsx";
import { useTheme, useWindowSize } from "../hooks/screen-context.ts";
import { useKeys } from "../hooks/use-keys.ts";
import type { LiveCommand } from "../live/live-keys.ts";
import type { LiveSession } from "../live/live-session.ts";
import { LiveView } from "../live/live-view.tsx";
import { fleetCommand, helpLines } from "./fleet-keys.ts";
import type { FleetModel } from "./fleet-model.ts";
import { newsLines, shortNews } from "./news.ts";
import { Devices } from "./parts/devices.tsx";
import { Foot } from "./parts/foot.tsx";
import { Head, Plan } from "./parts/head.tsx";

/** From this width on the news stand beside the devices, from this height on below them. */
const BESIDE_FROM = 140;
const BELOW_FROM = 18;

interface FleetProps {
  readonly model: FleetModel;
  readonly place: string;
  leave(): void;
}

/** The fleet, or the live view of the device that is open. */
export function FleetScreen(props: FleetProps): ReactNode {
  const { model, leave } = props;
  useSyncExternalStore(model.subscribe, model.version);
  const { session } = model;
  if (session === undefined) return <FleetView {...props} />;
  const onCommand = (command: LiveCommand): void => {
    if (command.type === "quit") leave();
    else if (command.type === "back" && isAtRest(session)) {
      model.close();
      void model.refresh(false);
    } else session.perform(command);
  };
  return <LiveView model={session.model} options={session.options} onCommand={onCommand} />;
}

/** Nothing is left that Esc would close inside of the live view. */
function isAtRest({ model }: LiveSession): boolean {
  const { prompt, overlay, pane, filter, notice } = model.state;
  return prompt === undefined && overlay === "none" && pane === "table" && filter === "" && notice === "";
}

function FleetView({ model, place, leave }: FleetProps): ReactNode {
  const { columns: width, rows } = useWindowSize();
  const { marks, colors } = useTheme();
  const { state, data } = model;
  const hasPlan = data.plan.length > 0;
  const room = rows - (hasPlan ? 4 : 3);
  const isList = !state.hasHelp && state.pane === "devices";
  const reasons = isList ? reasonLines(model.reasons(), width, room - LEAST_LIST_LINES, marks.cut) : [];
  const height = room - reasons.length;
  useKeys((key) => {
    const command = fleetCommand(key, model.state, Math.max(1, height - 2));
    if (command === undefined) return;
    if (command.type === "quit") leave();
    else if (command.type === "refresh") void model.refresh(true);
    else if (command.type === "open") void model.open();
    else model.dispatch(command);
  });
  return (
    <>
      <Head model={model} place={place} width={width} />
      {hasPlan ? <Plan data={data} width={width} /> : null}
      <Box height={height} flexDirection="column" overflow="hidden">
        {state.hasHelp ? (
          <KeyHelp lines={helpLines} width={width} height={height} />
        ) : state.pane === "news" ? (
          <Lines
            lines={clipped(newsLines(data, Date.now()).slice(state.newsFrom), height, marks)}
            width={width}
            height={height}
          />
        ) : (
          <Panes model={model} width={width} height={height} line={marks.line} />
        )}
      </Box>
      {reasons.length > 0 ? (
        <Lines lines={reasons.map((text) => ({ text, color: colors.waiting }))} width={width} height={reasons.length} />
      ) : null}
      <Foot state={state} width={width} />
    </>
  );
}

/** Lines that the list keeps, and that the reasons of one device take at most. */
const LEAST_LIST_LINES = 5;
const MOST_REASON_LINES = 4;

/** Why the selected device sends nothing, in no more lines than there are. */
function reasonLines(reasons: readonly string[], width: number, room: number, mark: string): string[] {
  const lines = reasons.flatMap((reason) => wrapped(reason, width));
  const most = Math.max(1, Math.min(room, MOST_REASON_LINES));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cut(`${lines[most - 1] ?? ""} ${mark}`, width, mark)];
}

interface PanesProps {
  readonly model: FleetModel;
  readonly width: number;
  readonly height: number;
  readonly line: string;
}

/** The devices, and the news beside or below them where there is room. */
function Panes({ model, width, height, line }: PanesProps): ReactNode {
  const nowMs = Date.now();
  const { data } = model;
  if (width >= BESIDE_FROM) {
    const beside = Math.floor(width * 0.35);
    return (
      <Box width={width} height={height}>
        <Box flexDirection="column" width={width - beside - 2} marginRight={2} flexShrink={0}>
          <Devices model={model} width={width - beside - 2} height={height} />
        </Box>
        <Lines lines={shortNews(data, nowMs, height)} width={beside} height={height} />
      </Box>
    );
  }
  const below = height + 4 < BELOW_FROM ? 0 : Math.min(Math.floor(height / 3), newsLines(data, nowMs).length);
  return (
    <>
      <Box flexDirection="column" height={height - below - (below > 0 ? 1 : 0)} overflow="hidden" flexShrink={0}>
        <Devices model={model} width={width} height={height - below - (below > 0 ? 1 : 0)} />
      </Box>
      {below > 0 ? <Text dimColor>{line.repeat(width)}</Text> : null}
      {below > 0 ? <Lines lines={shortNews(data, nowMs, below)} width={width} height={below} /> : null}
    </>
  );
}
