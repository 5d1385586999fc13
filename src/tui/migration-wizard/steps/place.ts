import type { MigrationEngine } from "../engine.ts";
import type { WizardState } from "../model.ts";

/** What every step is drawn from, and into. */
export interface StepProps {
  readonly state: WizardState;
  readonly width: number;
  readonly height: number;
}

export interface ReviewProps extends StepProps {
  readonly engine: Pick<MigrationEngine, "diff" | "draw">;
}

/** Below this width one pane is shown at a time. */
export const TWO_PANES_FROM = 80;
