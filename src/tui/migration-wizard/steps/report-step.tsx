import type { ReactNode } from "react";
import { wrapped } from "../../components/lines/fit.ts";
import { Lines } from "../../components/lines/lines.tsx";
import type { WizardState } from "../model.ts";
import type { StepProps } from "./place.ts";

/** Lines of step 6 at a width. */
export function reportLines({ report }: Pick<WizardState, "report">, width: number): readonly string[] {
  if (report === undefined) return [];
  const { summary, counts, dashboards, notes, snapshots, command, problem } = report;
  const parts = [
    summary,
    ...(problem === undefined ? [] : [problem]),
    counts.map(([word, count]) => `${count} ${word}`).join(", "),
    "",
    ...dashboards.flatMap(({ label, outcome, link, error }) => [
      `${label}: ${outcome}${error === undefined ? "" : `. ${error}`}`,
      `  ${link}`,
    ]),
    "",
    ...(snapshots.length === 0 ? [] : ["Snapshots:", ...snapshots.map((each) => `  ${each}`), ""]),
    "Repeat this without prompts:",
    `  ${command}`,
    "",
    ...(notes.length === 0 ? ["Nothing is lost."] : ["Lost or not written:", ...notes.map((note) => `* ${note}`)]),
  ];
  return parts.flatMap((part) => wrapped(part, width));
}

/** Step 6: what was done, where it is, and how to do it again. */
export function ReportStep({ state, width, height }: StepProps): ReactNode {
  const lines = reportLines(state, width).slice(state.reportTop);
  return (
    <Lines
      lines={lines.map((text, i) => ({ text, bold: i === 0 && state.reportTop === 0 }))}
      width={width}
      height={height}
    />
  );
}
