import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useOutside } from "../hooks.ts";

export interface MenuItem {
  readonly text: string;
  readonly onChoose: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The open menu: its first entry has the focus. */
function MenuItems({ label, items, onClose }: MenuProps & { readonly onClose: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  const entries = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  useEffect(() => list.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus(), []);
  const keyed = (event: KeyboardEvent): void => {
    const all = entries();
    const at = all.findIndex((each) => each.matches(":focus"));
    const step = STEPS[event.key];
    if (step !== undefined) all[(at + step + all.length) % all.length]?.focus();
    else if (event.key === "Home") all[0]?.focus();
    else if (event.key === "End") all.at(-1)?.focus();
    else if (event.key === "Escape") onClose();
    else if (event.key === "Tab") {
      onClose();
      return;
    } else return;
    event.preventDefault();
  };
  return (
    <div ref={list} role="menu" tabIndex={-1} aria-label={label} className="menu-items" onKeyDown={keyed}>
      {items.map(({ text, onChoose }) => (
        <button
          key={text}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose();
            onChoose();
          }}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** A button that opens a menu: arrow keys move in it, Escape closes it. */
export function Menu({ label, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const place = useOutside(isOpen, () => setOpen(false));
  return (
    <div ref={place} className="menu-place">
      <button
        ref={button}
        type="button"
        className="more"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      {isOpen && <MenuItems label={label} items={items} onClose={close} />}
    </div>
  );
}
