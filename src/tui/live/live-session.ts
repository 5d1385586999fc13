import { cleanLine } from "../../text/clean.ts";
import type { LiveCommand } from "./live-keys.ts";
import { LiveModel } from "./live-model.ts";
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

/** How often a quiet stream is asked for its reasons. */
const QUIET_MS = 60_000;

export function openLiveSession(options: LiveOptions, quietMs = QUIET_MS): LiveSession {
  const model = new LiveModel(options.now);
  let isClosed = false;
  let received = 0;

  // Without reasons the view says less.
  function askWhyQuiet(): void {
    const { received: now } = model.buffer.counters;
    const isQuiet = now === received;
    received = now;
    if (!isQuiet) return;
    void options.waiting.reasons?.().then(
      (reasons) => {
        if (model.buffer.counters.received === now) model.quietBecause(reasons.map((reason) => cleanLine(reason, 300)));
      },
      () => undefined,
    );
  }

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
      // It is only told while nothing arrives: without it the view says less.
      void options.waiting.lastInput?.().then(
        (ms) => model.heardBefore(ms),
        () => undefined,
      );
      askWhyQuiet();
      const asking = setInterval(askWhyQuiet, quietMs);
      try {
        for await (const item of options.items) {
          if (isClosed) return;
          model.take(item);
        }
      } finally {
        clearInterval(asking);
      }
      model.stop();
    },
    close() {
      isClosed = true;
      options.close();
    },
  };
}
