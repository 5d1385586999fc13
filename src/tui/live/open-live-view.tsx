import { mountScreen } from "../mount.tsx";
import { openLiveSession } from "./live-session.ts";
import { LiveView } from "./live-view.tsx";
import type { LiveOptions, LiveSummary } from "./types.ts";

/**
 * Shows a stream until the user leaves, the stream ends or the signal is aborted. The terminal is then as it was.
 *
 * @throws whatever ended the stream
 */
export async function openLiveView(options: LiveOptions): Promise<LiveSummary> {
  const session = openLiveSession(options);
  let failure: { readonly cause: unknown } | undefined;

  async function follow(leave: () => void): Promise<void> {
    try {
      await session.follow();
      if (!options.staysOpen) leave();
    } catch (cause) {
      failure = { cause };
      leave();
    }
  }

  try {
    await mountScreen<true>((leaveWith) => {
      const leave = (): void => leaveWith(true);
      void follow(leave);
      return (
        <LiveView
          model={session.model}
          options={options}
          onCommand={(command) => (command.type === "quit" ? leave() : session.perform(command))}
        />
      );
    }, options);
  } finally {
    session.close();
  }
  // Whoever stops the program gets the summary of what came until then.
  if (failure !== undefined && !options.signal.aborted) throw failure.cause;
  const { received, lost, gaps } = session.model.buffer.counters;
  return { received, lost, gaps };
}
