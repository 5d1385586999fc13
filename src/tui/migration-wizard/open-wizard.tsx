import { mountScreen, type ScreenOptions } from "../mount.tsx";
import type { MigrationEngine, WizardReport } from "./engine.ts";
import { MigrationWizard, type WizardControl } from "./wizard.tsx";

export interface WizardOptions extends Pick<ScreenOptions, "color" | "ascii" | "signal"> {
  readonly engine: MigrationEngine;
  /** Dashboards that are marked from the start. */
  readonly chosen: readonly string[];
}

/** Leads through a migration. Resolves to its report, or to undefined when nothing was applied. */
export async function openMigrationWizard({
  engine,
  chosen,
  ...look
}: WizardOptions): Promise<WizardReport | undefined> {
  const control: WizardControl = { interrupt: () => false };
  return mountScreen<WizardReport | undefined>(
    (leave) => <MigrationWizard engine={engine} chosen={chosen} control={control} leave={leave} />,
    { ...look, onInterrupt: () => control.interrupt() },
  );
}
