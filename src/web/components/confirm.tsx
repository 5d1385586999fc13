import { type FormEvent, useEffect, useRef, useState } from "react";
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
export function Confirm({ disabled = false, ...question }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={question.look ?? "danger"} disabled={disabled} onClick={() => setOpen(true)}>
        {question.label}
      </button>
      {isOpen && <Question {...question} onClose={() => setOpen(false)} />}
    </>
  );
}

type QuestionProps = Omit<ConfirmProps, "disabled"> & { readonly onClose: () => void };

/** The question itself, open as long as it is there. */
export function Question({ label, question, word, onYes, onClose, look = "danger" }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  // Closed before it leaves, so that the focus goes back to the button.
  const close = (): void => dialog.current?.close();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    close();
    onYes();
  };
  return (
    <dialog ref={dialog} aria-label={label} onClose={onClose}>
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
  );
}
