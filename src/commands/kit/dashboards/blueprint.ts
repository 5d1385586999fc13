import type { BlueprintDevice } from "../../../index.ts";
import type { OptionSpec } from "../command/define.ts";
import type { Input } from "../command/options.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import { deviceFinder } from "../finders/device.ts";
import { resolveId } from "../resource/resolve-id.ts";

export const chooseOption = {
  name: "choose",
  kind: "pair",
  value: "placeholder=device",
  summary: "device for a blueprint placeholder",
  repeat: true,
} as const satisfies OptionSpec;

/** A device instead of a placeholder, as the platform wants it. */
export interface ChosenDevice {
  readonly origin: string;
  readonly id: string;
}

/** The devices that `--choose` names. */
export function chosenDevices(
  ctx: CommandContext,
  choices: Input<[], [typeof chooseOption]>["options"]["choose"],
  placeholders: readonly BlueprintDevice[],
): Promise<ChosenDevice[]> {
  return Promise.all(
    choices.map(async ({ key, value }) => {
      const origin = placeholders.find(({ id, name, label }) => [id, name, label].includes(key));
      if (origin !== undefined) return { origin: origin.id, id: (await resolveId(ctx, deviceFinder, value)).id };
      throw usageError(`Unknown placeholder ${quote(key)} in --choose.`, {
        why: `Its placeholders: ${placeholders.map(({ name }) => name).join(", ") || "none"}.`,
      });
    }),
  );
}
