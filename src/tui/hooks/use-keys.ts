import { useContext, useEffect, useLayoutEffect, useRef } from "react";
import { type KeyHandler, ScreenContext } from "./screen-context.ts";

/** Hears every key while `isActive`. Pasted text comes as one key named `paste`. */
export function useKeys(handler: KeyHandler, { isActive = true }: { readonly isActive?: boolean } = {}): void {
  const { listen } = useContext(ScreenContext);
  // The newest handler is called, and listening starts and stops only with `isActive`.
  const latest = useRef(handler);
  useLayoutEffect(() => {
    latest.current = handler;
  });
  useEffect(() => (isActive ? listen((key) => latest.current(key)) : undefined), [isActive, listen]);
}
