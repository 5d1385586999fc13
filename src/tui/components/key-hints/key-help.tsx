import type { ReactNode } from "react";
import { padEnd } from "../../../text/width.ts";
import { Lines } from "../lines/lines.tsx";
import type { KeyHint } from "./fit-hints.ts";

interface KeyHelpProps {
  readonly lines: readonly KeyHint[];
  readonly width: number;
  readonly height: number;
}

/** All keys of a screen. */
export function KeyHelp({ lines, width, height }: KeyHelpProps): ReactNode {
  const widest = Math.max(...lines.map(([key]) => key.length));
  const texts = lines.map(([key, does]) => ({ text: `  ${padEnd(key, widest)}  ${does}` }));
  return <Lines lines={[{ text: "Keys", bold: true }, ...texts]} width={width} height={height} />;
}
