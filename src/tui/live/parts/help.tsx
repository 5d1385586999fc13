import type { ReactNode } from "react";
import { padEnd } from "../../../text/width.ts";
import { Lines } from "../../components/lines/lines.tsx";
import { helpLines } from "../live-keys.ts";

/** All keys. */
export function Help({ width, height }: { readonly width: number; readonly height: number }): ReactNode {
  const widest = Math.max(...helpLines.map(([key]) => key.length));
  const lines = helpLines.map(([key, does]) => ({ text: `  ${padEnd(key, widest)}  ${does}` }));
  return <Lines lines={[{ text: "Keys", bold: true }, ...lines]} width={width} height={height} />;
}
