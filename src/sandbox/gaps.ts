import type { Gap } from "./core/gap.ts";
import { httpGaps } from "./http/gaps.ts";
import { kitGaps } from "./resource.ts";
import { resources } from "./resources.ts";
import { listGaps } from "./store/gaps.ts";

/** All choices of the sandbox. */
export const gaps: readonly Gap[] = [
  ...Object.values<Gap>(httpGaps),
  ...Object.values<Gap>(listGaps),
  ...Object.values<Gap>(kitGaps),
  ...resources.flatMap(({ gaps: own = {} }) => Object.values(own)),
];

/** A choice as it is listed. */
export interface ListedGap {
  /** What it is about. */
  readonly subject: string;
  /** What the sandbox does. */
  readonly choice: string;
  /** `request`: named in responses and refused in strict mode. `general`: only listed. */
  readonly scope: "request" | "general";
}

/** All choices, with what they apply to. */
export const listedGaps: readonly ListedGap[] = gaps.map(({ subject, choice, general: isGeneral }) => ({
  subject,
  choice,
  scope: isGeneral === true ? "general" : "request",
}));
