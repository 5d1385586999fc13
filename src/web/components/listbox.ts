import { type KeyboardEvent, useEffect, useId, useState } from "react";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/**
 * The keyboard of a field with a list below it: the focus stays in the field, which names the chosen option.
 *
 * @param first the option that is chosen before a key was pressed; -1 for none, where what is typed counts itself
 */
export function useListbox(count: number, isOpen: boolean, onChoose: (place: number) => void, first: 0 | -1 = 0) {
  const id = useId();
  const [wanted, setActive] = useState<number>(first);
  const active = Math.max(first, Math.min(wanted, count - 1));
  const optionId = (place: number): string => `${id}-${place}`;
  useEffect(() => {
    if (isOpen) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active, isOpen]);
  const stepped = (step: number): number => {
    if (Math.abs(step) > 1) return Math.max(0, Math.min(count - 1, active + step));
    return active < 0 && step < 0 ? count - 1 : (active + step + count) % count;
  };
  const keyed = (event: KeyboardEvent): boolean => {
    const step = STEPS[event.key];
    if (step !== undefined && count > 0) setActive(stepped(step));
    else if (event.key === "Enter" && count > 0 && active >= 0 && isOpen) onChoose(active);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    active,
    /** Chooses the first again: another list is below the field. */
    restart: () => setActive(first),
    keyed,
    /** Of the field. */
    field: {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": isOpen,
      "aria-controls": id,
      "aria-activedescendant": isOpen && count > 0 && active >= 0 ? optionId(active) : undefined,
      autoComplete: "off",
    } as const,
    listId: id,
    option: (place: number) =>
      ({ id: optionId(place), role: "option", "aria-selected": place === active, tabIndex: -1 }) as const,
  };
}

/** How well a text fits what is typed: 0 best, undefined not at all. Each word has to be in it. */
function fitOf(words: readonly string[], name: string, more: string): number | undefined {
  const [own, all] = [name.toLowerCase(), `${name} ${more}`.toLowerCase()];
  if (!words.every((word) => all.includes(word))) return undefined;
  const [first = ""] = words;
  if (!words.every((word) => own.includes(word))) return 4;
  if (own.startsWith(first)) return 0;
  if (own.includes(` ${first}`)) return 1;
  return own.includes(first) ? 2 : 3;
}

/** Those that fit, the best first, and no more than `most`. */
export function fitting<T>(
  all: readonly T[],
  typed: string,
  textOf: (one: T) => readonly [name: string, more: string],
  most: number,
): readonly T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all.slice(0, most);
  const found = all.flatMap((one) => {
    const fit = fitOf(words, ...textOf(one));
    return fit === undefined ? [] : [{ one, fit }];
  });
  return found
    .sort((a, b) => a.fit - b.fit)
    .slice(0, most)
    .map(({ one }) => one);
}
