import type { ReactNode } from "react";
import { cleanText } from "../../../text/clean.ts";
import { ScrollLines } from "../../components/lines/scroll-lines.tsx";
import { clockText } from "../words.ts";
import type { TallPartProps } from "./part.ts";

/** The selected record as it came. */
export function Detail({ model, options, width, height }: TallPartProps): ReactNode {
  const kept = model.rows()[model.selectedIndex()]?.kept;
  const texts =
    kept === undefined || kept.kind !== "row"
      ? ["The record is no longer in the buffer."]
      : [
          `${clockText(kept.row.timeMs, options.zone)}  ${kept.row.device}  ${kept.row.variable}`,
          ...cleanText(JSON.stringify(kept.row.record, null, 2) ?? "", 20_000).split("\n"),
        ];
  return <ScrollLines lines={texts.map((text) => ({ text }))} width={width} height={height} />;
}
