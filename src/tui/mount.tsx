import { Box, render } from "ink";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { prepareWidths } from "../text/width.ts";
import { type KeyHandler, ScreenContext } from "./hooks/screen-context.ts";
import { InkOutput } from "./terminal/ink-output.ts";
import type { Key, Paste } from "./terminal/keys.ts";
import { Screen, type TerminalStreams, type WindowSize } from "./terminal/screen.ts";
import { createTheme, type Theme } from "./theme.ts";

export interface ScreenOptions {
  readonly color: boolean;
  readonly ascii: boolean;
  /** Closes the screen when it is aborted. */
  readonly signal: AbortSignal;
  /**
   * Called first when Ctrl-C is pressed; returns whether the view handles it. Otherwise the screen closes and the
   * process gets SIGINT.
   */
  readonly onInterrupt?: () => boolean;
  readonly streams?: TerminalStreams;
}

/** Keys and sizes on their way to the views. */
interface Wiring {
  readonly listeners: Set<KeyHandler>;
  readonly resized: Set<(size: WindowSize) => void>;
}

/** Ink only lays out and passes whole frames; it neither draws nor reads keys. */
const LAYOUT_ONLY = { debug: true, exitOnCtrlC: false, patchConsole: false };

/**
 * Shows a view on the alternate screen until it calls `leave`, and restores the terminal. Resolves to what the
 * view left with, or to undefined when it was interrupted. Rejects when the view failed.
 */
export async function mountScreen<T>(
  view: (leave: (result: T) => void) => ReactNode,
  options: ScreenOptions,
): Promise<T | undefined> {
  const { signal, streams = { stdin: process.stdin, stdout: process.stdout } } = options;
  await prepareWidths(["é"]);
  // After the last wait: what is aborted before the listener below stands would never be heard of.
  if (signal.aborted) return undefined;
  const wiring: Wiring = { listeners: new Set(), resized: new Set() };
  const theme = createTheme(options);
  let result: T | undefined;
  let end: () => void = () => undefined;

  const output = new InkOutput({ columns: 80, rows: 24 }, (text) => screen.writer.frame(text));
  const screen = new Screen(streams, options.color, {
    onKey: (key) => dispatch(key),
    onResize(size) {
      output.resize(size);
      for (const listener of wiring.resized) listener(size);
    },
  });
  output.resize(screen.size());

  function dispatch(key: Key | Paste): void {
    if (key.name === "ctrl+c") interrupt();
    else if (key.name === "ctrl+l") screen.writer.redraw();
    else if (key.name === "ctrl+z") screen.suspend();
    else for (const listener of [...wiring.listeners]) listener(key);
  }

  function interrupt(): void {
    if (options.onInterrupt?.() === true) return;
    screen.close();
    // The program's own way of being stopped, which aborts the signal: exit 130, and a second Ctrl-C ends it at once.
    process.kill(process.pid, "SIGINT");
  }

  const leave = (value: T): void => {
    result = value;
    end();
  };
  const instance = render(
    <ScreenRoot screen={screen} wiring={wiring} theme={theme}>
      {view(leave)}
    </ScreenRoot>,
    { ...LAYOUT_ONLY, stdout: output as unknown as NodeJS.WriteStream, stdin: streams.stdin },
  );
  end = () => instance.unmount();
  signal.addEventListener("abort", end, { once: true });
  try {
    await instance.waitUntilExit();
    return result;
  } finally {
    signal.removeEventListener("abort", end);
    screen.close();
  }
}

interface RootProps {
  readonly screen: Screen;
  readonly wiring: Wiring;
  readonly theme: Theme;
  readonly children: ReactNode;
}

function ScreenRoot({ screen, wiring, theme, children }: RootProps): ReactNode {
  const [size, setSize] = useState(() => screen.size());
  useEffect(() => {
    wiring.resized.add(setSize);
    return () => {
      wiring.resized.delete(setSize);
    };
  }, [wiring]);
  const access = useMemo(
    () => ({
      size,
      theme,
      listen(handler: KeyHandler) {
        wiring.listeners.add(handler);
        return () => {
          wiring.listeners.delete(handler);
        };
      },
      async lend<T>(use: () => Promise<T>): Promise<T> {
        screen.release();
        try {
          return await use();
        } finally {
          screen.take();
        }
      },
    }),
    [size, theme, wiring, screen],
  );
  return (
    <ScreenContext.Provider value={access}>
      <Box width={size.columns} height={Math.max(1, size.rows - 1)} overflow="hidden" flexDirection="column">
        {children}
      </Box>
    </ScreenContext.Provider>
  );
}
