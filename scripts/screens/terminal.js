// The program in a pseudo-terminal, and the screen a person would see.
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { programArgs } from "./place.js";

const TIMEOUT_MS = 20_000;

/** Starts `iot`. Each step is the keys to type, or what happens elsewhere, and the pattern to wait for. `onStep` gets the screen after each. */
export async function runInTerminal(place, { args, columns, rows, steps, before = "", onStep }) {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  screen.write(before);
  const child = spawn(process.execPath, [...programArgs, ...args], {
    cols: columns,
    rows,
    cwd: place.folder,
    env: place.env,
  });
  const ended = new Promise((resolve) => child.onExit(resolve));
  child.onData((data) => screen.write(data));
  try {
    for (const [action, pattern] of steps) {
      if (typeof action === "function") await action();
      else child.write(action);
      await waitFor(screen, (text) => pattern.test(text), pattern);
      if (onStep === undefined) continue;
      await waitUntilStill(screen);
      onStep(screen);
    }
    await waitUntilStill(screen);
    return screen;
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** Lines of the screen as text. */
export function textOf(screen) {
  const lines = Array.from({ length: screen.rows }, (_, y) => screen.buffer.active.getLine(y)?.translateToString(true));
  return lines.join("\n").replaceAll(/ +$/gm, "").trimEnd();
}

/** Waits until nothing is half drawn: the screen has been the same for a while. */
async function waitUntilStill(screen) {
  let last = "";
  const isStill = (text) => {
    const isSame = text === last;
    last = text;
    return isSame;
  };
  await waitFor(screen, isStill, "the same twice", 150);
}

async function waitFor(screen, isThere, what, everyMs = 10) {
  const endMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    // An empty write comes back once everything before it was drawn.
    await new Promise((resolve) => screen.write("", resolve));
    const text = textOf(screen);
    if (isThere(text)) return;
    if (performance.now() > endMs) throw new Error(`The screen never showed ${what}:\n${text}`);
  }
}
