import { cleanLine } from "../../text/clean.ts";
import type { LiveCommand } from "./live-keys.ts";
import { LiveModel } from "./live-model.ts";
import { whileQuiet } from "./quiet.ts";
import type { LiveOptions } from "./types.ts";

/** A stream that is being shown. */
export interface LiveSession {
  readonly model: LiveModel;
  readonly options: LiveOptions;
  /** Does what a key means; leaving is for the caller. */
  perform(command: Exclude<LiveCommand, { readonly type: "quit" }>): void;
  /** Takes what the stream brings until it ends or the session is closed. Rejects with what ended the stream. */
  follow(): Promise<void>;
  close(): void;
}

export function openLiveSession(options: LiveOptions): LiveSession {
  const model = new LiveModel(options.now);
  let isClosed = false;

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

  return {
    model,
    options,
    perform(command) {
      if (command.type === "save") void save();
      else model.dispatch(command);
    },
    async follow() {
      const stopAsking = whileQuiet({
        waiting: options.waiting,
        received: () => model.buffer.counters.received,
        tell: (known) => model.quietBecause(known),
      });
      try {
        for await (const item of options.items) {
          if (isClosed) return;
          model.take(item);
        }
      } finally {
        stopAsking();
      }
      model.stop();
    },
    close() {
      isClosed = true;
      options.close();
    },
  };
}
