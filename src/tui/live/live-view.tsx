import { Box } from "ink";
import { type ReactNode, useSyncExternalStore } from "react";
import { KeyHelp } from "../components/key-hints/key-help.tsx";
import { useWindowSize } from "../hooks/screen-context.ts";
import { useKeys } from "../hooks/use-keys.ts";
import { helpLines, type LiveCommand, liveCommand } from "./live-keys.ts";
import type { LiveModel } from "./live-model.ts";
import { Chart } from "./parts/chart.tsx";
import { Detail } from "./parts/detail.tsx";
import { Foot } from "./parts/foot.tsx";
import { Head } from "./parts/head.tsx";
import { Rows } from "./parts/rows.tsx";
import type { LiveOptions } from "./types.ts";

/** Below this the chart would leave no room for the table. */
const CHART_FROM_ROWS = 14;
/** A frame around three lines. */
const CHART_ROWS = 5;

export interface LiveViewProps {
  readonly model: LiveModel;
  readonly options: LiveOptions;
  onCommand(command: LiveCommand): void;
}

/** Status, table, chart and keys of the live view. */
export function LiveView({ model, options, onCommand }: LiveViewProps): ReactNode {
  useSyncExternalStore(model.subscribe, model.version);
  const { columns: width, rows: windowRows } = useWindowSize();
  const { state } = model;
  const height = windowRows - 1;
  const isTall = state.pane === "chart";
  const hasChart = (state.hasChart && windowRows >= CHART_FROM_ROWS) || isTall;
  const chartHeight = !hasChart ? 0 : isTall ? height - 4 : Math.min(12, Math.max(CHART_ROWS, Math.floor(height / 3)));
  const tableHeight = Math.max(1, height - 2 - chartHeight);

  useKeys((key) => {
    const page = { rows: Math.max(1, tableHeight - 2), fileName: options.fileName };
    const command = liveCommand(key, model.state, page);
    if (command !== undefined) onCommand(command);
  });

  const body = { model, options, width };
  return (
    <>
      <Head {...body} />
      <Box flexDirection="column" height={height - 2} overflow="hidden">
        {state.overlay === "help" ? <KeyHelp lines={helpLines} width={width} height={height - 2} /> : null}
        {state.overlay === "detail" ? <Detail {...body} height={height - 2} /> : null}
        {state.overlay === "none" ? (
          <>
            <Box flexDirection="column" height={tableHeight} overflow="hidden" flexShrink={0}>
              <Rows {...body} height={tableHeight} />
            </Box>
            {hasChart ? <Chart {...body} height={chartHeight} /> : null}
          </>
        ) : null}
      </Box>
      <Foot model={model} isNested={options.isNested === true} width={width} />
    </>
  );
}
