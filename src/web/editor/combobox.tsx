import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { useListbox } from "../components/listbox.ts";
import { useLoad, useSettled } from "../hooks.ts";
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

/** What is typed into a combobox, what is found for it, and how one of that is chosen. */
function useCombobox({ text, of, search, onChoose, isFree = false }: ComboboxProps) {
  /** Undefined while nobody types. */
  const [typed, setTyped] = useState<string>();
  const isOpen = typed !== undefined;
  const searched = useSettled(typed ?? "", SEARCH_MS);
  const found = useLoad(`${of} ${isOpen} ${searched}`, async () => (isOpen ? search(searched) : []));
  const choices = found.data ?? [];
  const isFound = found.data !== undefined && searched === typed;
  /** Enter was pressed before what was typed had been searched. */
  const [isAwaited, setAwaited] = useState(false);
  const close = (): void => {
    setTyped(undefined);
    setAwaited(false);
    listbox.restart();
  };
  const choose = (value: string): void => {
    close();
    onChoose(value);
  };
  const chooseAt = (place: number): void => {
    const choice = choices[place];
    if (!isFound) setAwaited(true);
    else if (choice !== undefined) choose(choice.value);
  };
  const listbox = useListbox(choices.length, isOpen, chooseAt, isFree ? -1 : 0);
  const chooseFirst = useEffectEvent(() => chooseAt(0));
  useEffect(() => {
    if (isAwaited && isFound) chooseFirst();
  }, [isAwaited, isFound]);
  const isOwnKey = ({ key }: KeyboardEvent): boolean => {
    if (key === "Escape" && isOpen) close();
    else if (!isOpen && (key === "ArrowDown" || key === "ArrowUp")) setTyped("");
    else if (key === "Enter" && isOpen && isFree && listbox.active < 0) choose(typed || text);
    else if (key === "Enter" && isOpen && choices.length === 0) setAwaited(true);
    else return false;
    return true;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!isOwnKey(event) && !(isOpen && listbox.keyed(event))) return;
    // Not for the dialog around it.
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = (): void => {
    if (isFree && typed) choose(typed);
    else close();
  };
  const open = (): void => setTyped(typed ?? "");
  const type = (next: string): void => {
    setTyped(next);
    setAwaited(false);
    listbox.restart();
  };
  return { typed, isOpen, found, choices, listbox, choose, onKey, leave, open, type };
}

/** A field that searches as one types, and a list of what was found below it. */
export function Combobox(props: ComboboxProps) {
  const { label, text, disabled = false } = props;
  const id = useId();
  const { typed, isOpen, found, choices, listbox, choose, onKey, leave, open, type } = useCombobox(props);
  return (
    <div className="field combobox">
      <label htmlFor={id}>{label}</label>
      <input
        {...listbox.field}
        id={id}
        value={typed ?? text}
        placeholder={isOpen ? text : "Search"}
        disabled={disabled}
        onChange={({ target }) => type(target.value)}
        onClick={open}
        onKeyDown={onKey}
        onBlur={leave}
      />
      <div
        id={listbox.listId}
        role="listbox"
        tabIndex={-1}
        aria-label={label}
        className="options"
        hidden={!isOpen || choices.length === 0}
      >
        {choices.map(({ value, text: name, note }, place) => (
          <button
            key={value}
            type="button"
            {...listbox.option(place)}
            // The field keeps the focus, and is not left before the choice is made.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(value)}
          >
            {shown(name, 80)} {note !== undefined && <small>{shown(note, 60)}</small>}
          </button>
        ))}
      </div>
      {isOpen && choices.length === 0 && (
        <small role="status">{found.error ?? (found.data === undefined ? "Searching" : "Nothing found")}</small>
      )}
    </div>
  );
}
