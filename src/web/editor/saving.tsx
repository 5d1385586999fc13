import { type Dispatch, type SetStateAction, useState } from "react";
import { countOf } from "../../text/count.ts";
import { State } from "../components/basics.tsx";
import { Confirm, Question } from "../components/confirm.tsx";
import { problem, shown } from "../text.ts";
import type { Merged } from "./changes.ts";
import { type History, isChanged } from "./history.ts";
import { compared, PartlySaved, save, type Target } from "./save.ts";

interface SavingProps {
  readonly target: Target;
  readonly history: History;
  readonly setHistory: Dispatch<SetStateAction<History>>;
  readonly say: (words: string) => void;
}

interface Saving {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  /** What somebody else saved since, while the question about it is open. */
  readonly conflict: Merged | undefined;
  readonly start: () => void;
  /** Saves in spite of it, together with it. */
  readonly goOn: () => void;
  readonly stop: () => void;
}

/** Why saving ended, what was saved until then, and what to do. */
function failureText(error: unknown): string {
  if (!(error instanceof PartlySaved)) return `Nothing was saved. ${problem(error)}`;
  const { done, failed, cause } = error;
  const saved = done.length === 0 ? "Nothing was saved" : `Saved: ${done.join(", ")}`;
  return shown(`${saved}. Could not ${failed}: ${problem(cause)}. What is not saved is still here; save again.`);
}

export function useSaving({ target, history, setHistory, say }: SavingProps): Saving {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [conflict, setConflict] = useState<Merged>();
  const run = (work: () => Promise<string>): void => {
    setBusy(true);
    setError(undefined);
    work()
      .then(say, (failure: unknown) => setError(failureText(failure)))
      .finally(() => setBusy(false));
  };
  const write = async (from: History): Promise<string> => {
    const done = await save(target, from, setHistory);
    return `Saved: ${done.join(", ")}`;
  };
  const start = (): void => {
    if (isBusy || !isChanged(history)) return;
    run(async () => {
      const found = await compared(target, history);
      if (found.texts.length === 0) return write(history);
      setConflict(found);
      return "Somebody else has changed this dashboard";
    });
  };
  const goOn = (): void => {
    if (conflict === undefined) return;
    // What was read of both stays one step: undoing it leads back to ours alone.
    const { base, present } = conflict;
    const past = [...history.past, { board: history.present, words: "Joined with the changes of somebody else" }];
    const joined = { base, present, past, future: [] };
    setHistory(joined);
    run(() => write(joined));
  };
  return { isBusy, error, conflict, start, goOn, stop: () => setConflict(undefined) };
}

interface SaveBarProps {
  readonly saving: Saving;
  /** How many things are not saved. */
  readonly amount: number;
  readonly onDiscard: () => void;
}

export function SaveBar({ saving, amount, onDiscard }: SaveBarProps) {
  const { isBusy, error, conflict } = saving;
  return (
    <>
      <button type="button" className="main" disabled={isBusy || amount === 0} onClick={saving.start}>
        Save
      </button>
      <Confirm
        label="Discard"
        question={`Discard ${countOf(amount, "unsaved change")}? This cannot be undone.`}
        disabled={isBusy || amount === 0}
        onYes={onDiscard}
      />
      {isBusy ? (
        <State tone="plain">Saving</State>
      ) : amount === 0 ? (
        <State tone="good">Everything is saved</State>
      ) : (
        <State tone="warn">{countOf(amount, "unsaved change")}</State>
      )}
      {error !== undefined && (
        <p className="save-error" role="alert">
          <State tone="bad">{error}</State>
        </p>
      )}
      {conflict !== undefined && (
        <Question
          label="Save mine as well"
          look="main"
          question={`Somebody else has changed this dashboard since you opened it: ${shown(conflict.texts.join(" "))} Saving joins both; where both changed the same thing, yours stays.`}
          onYes={saving.goOn}
          onClose={saving.stop}
        />
      )}
    </>
  );
}
