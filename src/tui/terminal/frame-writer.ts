import { createPacer, type Pacer } from "./pacer.ts";

export interface FrameWriter {
  /** Takes the next frame. Frames that follow too soon replace each other; the last one is always drawn. */
  frame(text: string): void;
  /** Draws everything again with the next frame: the terminal shows something else now. */
  forget(): void;
  /** Draws the last frame again, whole. */
  redraw(): void;
  stop(): void;
}

export interface FrameTarget {
  write(text: string): void;
  rows(): number;
  readonly color: boolean;
}

const styles = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
const SYNC_START = "\u001b[?2026h";
const SYNC_END = "\u001b[?2026l";

/**
 * Puts frames on the screen, line by line and only the lines that changed. At most height minus one lines are used: a frame
 * as tall as the terminal would scroll it.
 */
export function createFrameWriter(target: FrameTarget): FrameWriter {
  let shown: string[] | undefined;
  let next = "";
  const pacer: Pacer = createPacer(draw);

  function draw(): void {
    if (next === "") return;
    const text = target.color ? next : next.replace(styles, "");
    const lines = text.split("\n").slice(0, Math.max(1, target.rows() - 1));
    const before = shown;
    const parts = before === undefined ? ["\u001b[H\u001b[2J"] : [];
    for (let i = 0; i < Math.max(lines.length, before?.length ?? 0); i += 1) {
      const line = lines[i] ?? "";
      if (before !== undefined && before[i] === line) continue;
      // Erased first: at the end of a full line the cursor still stands on its last cell.
      parts.push(`\u001b[${i + 1};1H\u001b[K${line}${target.color ? "\u001b[0m" : ""}`);
    }
    shown = lines;
    if (parts.length > 0) target.write(`${SYNC_START}${parts.join("")}${SYNC_END}`);
  }

  return {
    frame(text) {
      if (text === next && shown !== undefined) return;
      next = text;
      pacer.request();
    },
    forget() {
      shown = undefined;
    },
    redraw() {
      shown = undefined;
      pacer.request();
    },
    stop: () => pacer.stop(),
  };
}
