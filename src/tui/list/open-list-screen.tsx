import { mountScreen } from "../mount.tsx";
import { ListModel } from "./list-model.ts";
import { ListView } from "./list-view.tsx";
import type { ListOptions } from "./types.ts";

/** Shows a list, read again each time, until the user leaves or the signal is aborted. The terminal is then as it was. */
export async function openListScreen(options: ListOptions): Promise<void> {
  const model = new ListModel(options);
  // A reading that takes longer is not joined by another one.
  const refreshing = setInterval(() => void model.refresh(), options.refreshMs);
  try {
    await mountScreen<true>(
      (leaveWith) => <ListView model={model} options={options} leave={() => leaveWith(true)} />,
      options,
    );
  } finally {
    clearInterval(refreshing);
  }
}
