import type { ReactNode } from "react";
import { padEnd } from "../../../text/width.ts";
import { wrapped } from "../lines/fit.ts";
import { ScrollLines } from "../lines/scroll-lines.tsx";
import type { KeyHint } from "./fit-hints.ts";

interface KeyHelpProps {
  readonly lines: readonly KeyHint[];
  readonly width: number;
  readonly height: number;
}

/** Narrower text says nothing. */
const LEAST_ROOM = 12;

/** All keys of a screen. */
export function KeyHelp({ lines, width, height }: KeyHelpProps): ReactNode {
  const widest = Math.max(...lines.map(([key]) => key.length));
  const room = Math.max(LEAST_ROOM, width - widest - 4);
  const texts = lines.flatMap(([key, does]) =>
    wrapped(does, room).map((part, i) => ({ text: `  ${padEnd(i === 0 ? key : "", widest)}  ${part}` })),
  );
  return <ScrollLines lines={[{ text: "Keys", bold: true }, ...texts]} width={width} height={height} />;
}
