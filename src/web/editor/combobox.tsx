import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useLoad } from "../hooks.ts";
import { shown } from "../text.ts";

export interface Choice {
  readonly value: string;
  readonly text: string;
  /** Said behind it. */
  readonly note?: string;
}

interface ComboboxProps {
  readonly label: string;
  /** What is chosen, as it is shown. */
  readonly text: string;
  /** Of whose choices: they are loaded again for another one. */
  readonly of: string;
  readonly search: (text: string) => Promise<readonly Choice[]>;
  readonly onChoose: (value: string) => void;
  /** What is typed may be chosen, whether it was found or not. */
  readonly isFree?: boolean;
  readonly disabled?: boolean;
}

const SEARCH_MS = 250;

/** What is searched: what was typed, a short while after the last key. */
function useTyped(typed: string): string {
  const [text, setText] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return text;
}

/** What is typed, what was found, and which of it is marked. */
function useSearch({ of, search, onChoose, isFree }: Pick<ComboboxProps, "of" | "search" | "onChoose" | "isFree">) {
  /** Undefined while nobody types. */
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(-1);
  const isOpen = typed !== undefined;
  const searched = useTyped(typed ?? "");
  const found = useLoad(`${of} ${isOpen} ${searched}`, async () => (isOpen ? search(searched) : []));
  const choices = found.data ?? [];
  const close = (): void => {
    setTyped(undefined);
    setActive(-1);
  };
  const choose = (value: string): void => {
    close();
    onChoose(value);
  };
  const type = (text: string): void => {
    setTyped(text);
    setActive(-1);
  };
  const move = (by: number): void => {
    if (!isOpen) type("");
    else if (choices.length > 0) setActive((active + by + choices.length) % choices.length);
  };
  const enter = (): void => {
    const choice = choices[active] ?? (isFree ? undefined : choices[0]);
    if (choice !== undefined) choose(choice.value);
    else if (isFree && typed) choose(typed);
  };
  const leave = (): void => {
    if (isFree && typed) choose(typed);
    else close();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && isOpen) enter();
    else if (event.key === "Escape" && isOpen) close();
    else return;
    // Not for the dialog around it.
    event.preventDefault();
    event.stopPropagation();
  };
  return { typed, isOpen, active, choices, found, type, choose, leave, onKey };
}

/** A field that searches as one types, and a list of what was found below it. */
export function Combobox({ label, text, disabled = false, ...rest }: ComboboxProps) {
  const id = useId();
  const { typed, isOpen, active, choices, found, type, choose, leave, onKey } = useSearch(rest);
  return (
    <div className="field combobox">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        autoComplete="off"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        value={typed ?? text}
        placeholder={isOpen ? text : "Search"}
        disabled={disabled}
        onChange={({ target }) => type(target.value)}
        onClick={() => type(typed ?? "")}
        onKeyDown={onKey}
        onBlur={leave}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen || choices.length === 0}>
        {choices.map(({ value, text: name, note }, place) => (
          <div
            key={value}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            // The field keeps the focus, and is not left before the choice is made.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(value)}
            onKeyDown={({ key }) => key === "Enter" && choose(value)}
          >
            {shown(name, 80)} {note !== undefined && <small>{shown(note, 60)}</small>}
          </div>
        ))}
      </div>
      {isOpen && choices.length === 0 && (
        <small role="status">{found.error ?? (found.data === undefined ? "Searching" : "Nothing found")}</small>
      )}
    </div>
  );
}
