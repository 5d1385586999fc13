import { lazy, Suspense, useEffect, useState } from "react";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** Opens the search for everything; so do Ctrl-K and Cmd-K, which are there without the button, too. */
export function PaletteButton({ isShown = true }: { readonly isShown?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const keyed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // Another question is open.
      if (document.querySelector("dialog[open]") === null) setOpen(true);
    };
    addEventListener("keydown", keyed);
    return () => removeEventListener("keydown", keyed);
  }, []);
  return (
    <>
      {isShown && (
        <button type="button" className="find" aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
          Search <kbd>Ctrl K</kbd>
        </button>
      )}
      <Suspense>{isOpen && <Palette onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
