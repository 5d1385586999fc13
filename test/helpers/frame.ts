import { Box, render } from "ink";
import { createElement, type ReactNode } from "react";
import { type KeyHandler, ScreenContext } from "../../src/tui/hooks/screen-context.ts";
import { InkOutput } from "../../src/tui/terminal/ink-output.ts";
import type { WindowSize } from "../../src/tui/terminal/screen.ts";
import { createTheme } from "../../src/tui/theme.ts";

export interface Shown {
  /** The last frame, line by line. */
  lines(): readonly string[];
  frame(): string;
  press(...names: readonly string[]): void;
  close(): void;
}

/** Renders a view with Ink's debug option: every frame as text, without a terminal. */
export function show(view: ReactNode, size: WindowSize = { columns: 80, rows: 24 }): Shown {
  let last = "";
  const handlers = new Set<KeyHandler>();
  const output = new InkOutput(size, (text) => {
    last = text;
  });
  const access = {
    size,
    theme: createTheme({ color: false, ascii: false }),
    listen(handler: KeyHandler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    lend: <T>(use: () => Promise<T>): Promise<T> => use(),
  };
  const box = { width: size.columns, height: size.rows - 1, overflow: "hidden", flexDirection: "column" } as const;
  const root = createElement(ScreenContext.Provider, { value: access }, createElement(Box, box, view));
  const stdout = output as unknown as NodeJS.WriteStream;
  const instance = render(root, { debug: true, stdout, exitOnCtrlC: false, patchConsole: false });
  return {
    lines: () => last.split("\n").map((line) => line.trimEnd()),
    frame: () => last,
    press(...names) {
      for (const name of names) {
        const key = { name, text: [...name].length === 1 ? name : name === "space" ? " " : "" };
        for (const handler of [...handlers]) handler(key);
      }
    },
    close: () => instance.unmount(),
  };
}
