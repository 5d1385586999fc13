import { Box, Text } from "ink";
import { type ReactNode, useEffect, useLayoutEffect } from "react";
import { widthOf } from "../../text/width.ts";
import type { KeyHint } from "../components/key-hints/fit-hints.ts";
import { KeyHelp } from "../components/key-hints/key-help.tsx";
import { KeyHints } from "../components/key-hints/key-hints.tsx";
import { inCells, type Line, wrapped } from "../components/lines/fit.ts";
import { Lines } from "../components/lines/lines.tsx";
import { matching, windowOf } from "../components/search-list/state.ts";
import { Select } from "../components/select/select.tsx";
import { TextField } from "../components/text-field/text-field.tsx";
import { useTheme, useWindowSize } from "../hooks/screen-context.ts";
import { useKeys } from "../hooks/use-keys.ts";
import { belowText } from "./below.ts";
import type { MigrationEngine, WizardReport } from "./engine.ts";
import { choicesFor, dashboardItems } from "./items.ts";
import { type KeyPlace, keyAction, keyHints } from "./keys.ts";
import { type Question, steps, type WizardState } from "./model.ts";
import { ApplyStep } from "./steps/apply-step.tsx";
import { ChooseStep } from "./steps/choose-step.tsx";
import { ReportStep, reportLines } from "./steps/report-step.tsx";
import { detailOf, detailWidth, ReviewStep } from "./steps/review-step.tsx";
import { SCAN_HEAD, ScanStep, scanLineCount } from "./steps/scan-step.tsx";
import { TargetStep } from "./steps/target-step.tsx";
import { useWizard } from "./use-wizard.ts";

/** How Ctrl-C finds the wizard. */
export interface WizardControl {
  interrupt(): boolean;
}

interface WizardProps {
  readonly engine: MigrationEngine;
  /** Dashboards that are marked from the start. */
  readonly chosen: readonly string[];
  readonly control: WizardControl;
  leave(report: WizardReport | undefined): void;
}

/** Header, rule, notice and keys. */
const FRAME_ROWS = 4;

/** Widgets that are all counted for the list; of more, only those of the dashboards on the screen. */
const COUNT_ALL_UP_TO = 1_000;

/** The migration of dashboards in six steps. */
export function MigrationWizard({ engine, chosen, control, leave }: WizardProps): ReactNode {
  const { columns, rows } = useWindowSize();
  const theme = useTheme();
  const { state, now, dispatch, count } = useWizard(engine, chosen, leave);
  const height = Math.max(1, rows - 1 - FRAME_ROWS);

  useLayoutEffect(() => {
    control.interrupt = () => {
      // A second Ctrl-C ends the program at once.
      const { step, isStopping, report } = now();
      if (step !== "apply" || isStopping || report !== undefined) return false;
      dispatch({ type: "interrupt" });
      return true;
    };
  });
  useKeys((key) => {
    const action = keyAction(now(), key, placeOf(now(), engine, columns, height, theme.ascii));
    if (action !== undefined) dispatch(action);
  });
  useEffect(() => {
    if (state.step !== "choose") return;
    const shown = matching(dashboardItems(state), state.choose.query);
    const { from, to } = windowOf(shown.length, state.choose.cursor, height - 1);
    const isSmall = state.entries.reduce((sum, { widgets }) => sum + widgets, 0) <= COUNT_ALL_UP_TO;
    count((isSmall ? state.entries : shown.slice(from, to)).map(({ id }) => id));
  }, [state, height, count]);

  const place = steps.indexOf(state.step) + 1;
  const title = titleOf(engine.where, `step ${place} of ${steps.length}`, columns, theme.marks.cut);
  const below = belowText(state, placeOf(state, engine, columns, height, theme.ascii), height);
  const notice: Line = { text: state.notice ?? state.busy ?? below, color: theme.colors.accent };
  return (
    <Box flexDirection="column" width={columns}>
      <Lines lines={[{ text: title, bold: true }]} width={columns} height={1} />
      <Lines lines={[{ text: theme.marks.line.repeat(columns), dim: true }]} width={columns} height={1} />
      <Body state={state} engine={engine} width={columns} height={height} />
      <Lines lines={[notice]} width={columns} height={1} />
      <Hints state={state} width={columns} />
    </Box>
  );
}

/** In a narrow window the name of the environment is cut, never the step. */
function titleOf(where: string, step: string, columns: number, mark: string): string {
  const before = columns < 70 ? "Migrate" : "Migrate dashboards";
  const room = Math.max(8, columns - before.length - step.length - 6);
  return `${before} - ${inCells(where, Math.min(room, widthOf(where)), mark)} - ${step}`;
}

function placeOf(
  state: WizardState,
  engine: MigrationEngine,
  columns: number,
  height: number,
  isAscii: boolean,
): KeyPlace {
  if (state.step === "scan") return { rows: height - SCAN_HEAD, lines: scanLineCount(state) };
  if (state.step === "report") return { rows: height, lines: reportLines(state, columns).length };
  if (state.step === "review" && state.pane === "detail") {
    return { rows: height - 1, lines: detailOf(state, engine, detailWidth(columns), isAscii).lines.length };
  }
  return { rows: height - 1, lines: 0 };
}

interface BodyProps {
  readonly state: WizardState;
  readonly engine: MigrationEngine;
  readonly width: number;
  readonly height: number;
}

function Body(props: BodyProps): ReactNode {
  const { state, width, height } = props;
  if (state.isHelp) return <KeyHelp lines={helpLines(state)} width={width} height={height} />;
  if (state.question !== undefined) return <Asked question={state.question} width={width} height={height} />;
  switch (state.step) {
    case "choose":
      return <ChooseStep {...props} />;
    case "scan":
      return <ScanStep {...props} />;
    case "review":
      return <ReviewStep {...props} />;
    case "target":
      return <TargetStep {...props} />;
    case "apply":
      return <ApplyStep {...props} />;
    case "report":
      return <ReportStep {...props} />;
  }
}

interface AskedProps {
  readonly question: Question;
  readonly width: number;
  readonly height: number;
}

function Asked({ question, width, height }: AskedProps): ReactNode {
  const text: Line[] = wrapped(question.text, width).map((line) => ({ text: line, bold: true }));
  const isField = "field" in question;
  const problems = question.kind === "refused" ? question.problems.flatMap((each) => wrapped(`* ${each}`, width)) : [];
  const choices = choicesFor(question);
  const above = [...text, ...problems.map((line) => ({ text: line })), { text: "" }].slice(
    0,
    height - choices.length - 1,
  );
  return (
    <Box flexDirection="column" height={height}>
      <Lines lines={above} width={width} height={above.length} />
      {isField ? (
        <Box width={width} height={1}>
          <Text>{"> "}</Text>
          <TextField field={question.field} width={width - 2} />
        </Box>
      ) : (
        <Select choices={choices} cursor={question.cursor} width={width} />
      )}
    </Box>
  );
}

const generalKeys: readonly (readonly [string, string])[] = [
  ["arrows, j k", "move"],
  ["PgUp PgDn Home End", "move by page, to the start or end"],
  ["Tab", "switch pane"],
  ["Enter", "open, continue"],
  ["Esc", "go back"],
  ["space", "mark"],
  ["/", "find"],
  ["Ctrl-L", "redraw"],
  ["Ctrl-C", "quit; in step 5 after the current request"],
];

function helpLines(state: WizardState): readonly KeyHint[] {
  const own = keyHints({ ...state, isHelp: false });
  return [...own, ...generalKeys.filter(([key]) => !own.some(([other]) => other === key))];
}

function Hints({ state, width }: { readonly state: WizardState; readonly width: number }): ReactNode {
  const hints = state.isHelp ? ([["Esc", "go back"]] as const) : keyHints(state);
  return <KeyHints hints={hints} width={width} />;
}
