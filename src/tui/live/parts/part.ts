import type { LiveModel } from "../live-model.ts";
import type { LiveOptions } from "../types.ts";

/** What every part of the view is drawn from, and how wide. */
export interface PartProps {
  readonly model: LiveModel;
  readonly options: LiveOptions;
  readonly width: number;
}

/** A part that may use this many lines. */
export interface TallPartProps extends PartProps {
  readonly height: number;
}
