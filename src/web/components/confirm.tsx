import { type FormEvent, useRef, useState } from "react";
import { Input } from "./basics.tsx";

interface ConfirmProps {
  /** On the button that opens the question. */
  readonly label: string;
  readonly question: string;
  /** A word that has to be typed. */
  readonly word?: string;
  readonly onYes: () => void;
  readonly disabled?: boolean;
  /** `main`: what is asked about does no harm. */
  readonly look?: "danger" | "main";
}

/** A button whose work cannot be undone: it asks first. */
export function Confirm({ label, question, word, onYes, disabled = false, look = "danger" }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const close = (): void => dialog.current?.close();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    close();
    onYes();
  };
  const open = (): void => {
    setTyped("");
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" className={look} disabled={disabled} onClick={open}>
        {label}
      </button>
      <dialog ref={dialog} aria-label={label}>
        <form onSubmit={submit}>
          <p>{question}</p>
          {word !== undefined && <Input label={`Type ${word} to confirm`} value={typed} onChange={setTyped} />}
          <div className="row">
            <button type="submit" className={look} disabled={word !== undefined && typed !== word}>
              {label}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
