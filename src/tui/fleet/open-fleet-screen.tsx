import { mountScreen } from "../mount.tsx";
import { FleetModel } from "./fleet-model.ts";
import { FleetScreen } from "./fleet-view.tsx";
import type { FleetData, FleetOptions } from "./types.ts";

/** Shows the fleet until the user leaves or the signal is aborted. The terminal is then as it was. Resolves to what was read last. */
export async function openFleetScreen(options: FleetOptions): Promise<FleetData> {
  const model = new FleetModel(options);
  const refreshing = setInterval(() => void model.refresh(false), options.refreshMs);
  let stopping: ReturnType<typeof setTimeout> | undefined;
  try {
    await mountScreen<true>((leaveWith) => {
      const leave = (): void => leaveWith(true);
      if (options.forMs !== undefined) stopping = setTimeout(leave, options.forMs);
      return <FleetScreen model={model} place={options.place} leave={leave} />;
    }, options);
  } finally {
    clearInterval(refreshing);
    clearTimeout(stopping);
    model.stop();
  }
  return model.data;
}
