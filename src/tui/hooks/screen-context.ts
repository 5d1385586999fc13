import { createContext, useContext } from "react";
import type { Key, Paste } from "../terminal/keys.ts";
import type { WindowSize } from "../terminal/screen.ts";
import { createTheme, type Theme } from "../theme.ts";

export type KeyHandler = (key: Key | Paste) => void;

/** What a view may know of its screen and ask of it. */
export interface ScreenAccess {
  readonly size: WindowSize;
  readonly theme: Theme;
  /** Listens to keys; returns a function that stops. */
  listen(handler: KeyHandler): () => void;
  /** Releases the terminal for another program, such as an editor, and takes it again. */
  lend<T>(use: () => Promise<T>): Promise<T>;
}

export const ScreenContext = createContext<ScreenAccess>({
  size: { columns: 80, rows: 24 },
  theme: createTheme({ color: false, ascii: false }),
  listen: () => () => undefined,
  lend: (use) => use(),
});

/** Columns and rows to draw on; a change of the window draws it again. The last row stays empty. */
export const useWindowSize = (): WindowSize => useContext(ScreenContext).size;

export const useTheme = (): Theme => useContext(ScreenContext).theme;

/** Lends the terminal to a program that needs it. */
export const useLend = (): ScreenAccess["lend"] => useContext(ScreenContext).lend;
