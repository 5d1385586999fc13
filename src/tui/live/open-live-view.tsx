import { cleanLine } from "../../text/clean.ts";
import { mountScreen } from "../mount.tsx";
import type { LiveCommand } from "./live-keys.ts";
import { LiveModel } from "./live-model.ts";
import { LiveView } from "./live-view.tsx";
import type { LiveOptions, LiveSummary } from "./types.ts";

/**
 * Shows a stream until the user leaves, the stream ends or the signal is aborted. The terminal is then as it was.
 *
 * @throws whatever ended the stream
 */
export async function openLiveView(options: LiveOptions): Promise<LiveSummary> {
  const model = new LiveModel(options.now);
  let failure: unknown;
  let hasFailed = false;
  let isLeft = false;

  async function save(): Promise<void> {
    const { prompt } = model.state;
    if (prompt === undefined) return;
    const rows = model.records(prompt.isAll);
    model.dispatch({ type: "submit" });
    try {
      model.dispatch({ type: "notice", text: cleanLine(await options.save(prompt.field.text.trim(), rows), 300) });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      model.dispatch({ type: "notice", text: cleanLine(`Not saved: ${text}`, 300) });
    }
  }

  async function follow(leave: () => void): Promise<void> {
    try {
      for await (const item of options.items) {
        if (isLeft) return;
        model.take(item);
      }
      model.stop();
      if (!options.staysOpen) leave();
    } catch (error) {
      failure = error;
      hasFailed = true;
      leave();
    }
  }

  try {
    await mountScreen<true>((leaveWith) => {
      const leave = (): void => leaveWith(true);
      const onCommand = (command: LiveCommand): void => {
        if (command.type === "quit") leave();
        else if (command.type === "save") void save();
        else model.dispatch(command);
      };
      void follow(leave);
      // It is only told while nothing arrives: without it the view says less.
      void options.waiting.lastInput?.().then(
        (ms) => model.heardBefore(ms),
        () => undefined,
      );
      return <LiveView model={model} options={options} onCommand={onCommand} />;
    }, options);
  } finally {
    isLeft = true;
    options.close();
  }
  // Whoever stops the program gets the summary of what came until then.
  if (hasFailed && !options.signal.aborted) throw failure;
  const { received, lost, gaps } = model.buffer.counters;
  return { received, lost, gaps };
}
