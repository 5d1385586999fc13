import type { Gap } from "./core/gap.ts";
import { httpGaps } from "./http/gaps.ts";
import { kitGaps } from "./resource.ts";
import { resources } from "./resources.ts";
import { listGaps } from "./store/gaps.ts";

/** All assumptions of the sandbox. */
export const gaps: readonly Gap[] = [
  ...Object.values<Gap>(httpGaps),
  ...Object.values<Gap>(listGaps),
  ...Object.values<Gap>(kitGaps),
  ...resources.flatMap(({ gaps: own = {} }) => Object.values(own)),
];

/** An assumption in the list. */
export interface ListedGap {
  /** Subject. */
  readonly subject: string;
  /** What the sandbox does. */
  readonly choice: string;
  /** `request`: named in responses and rejected in strict mode. `general`: only listed. */
  readonly scope: "request" | "general";
}

/** All assumptions, with what they apply to. */
export const listedGaps: readonly ListedGap[] = gaps.map(({ subject, choice, general: isGeneral }) => ({
  subject,
  choice,
  scope: isGeneral === true ? "general" : "request",
}));
