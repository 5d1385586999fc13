import type { Gap } from "./core/gap.ts";
import { httpGaps } from "./http/gaps.ts";
import { resources } from "./resources/index.ts";
import { kitGaps } from "./resources/kit.ts";
import { listGaps } from "./store/gaps.ts";

/** All choices of the sandbox. */
export const gaps: readonly Gap[] = [
  ...Object.values<Gap>(httpGaps),
  ...Object.values<Gap>(listGaps),
  ...Object.values<Gap>(kitGaps),
  ...resources.flatMap(({ gaps: own = {} }) => Object.values(own)),
];
