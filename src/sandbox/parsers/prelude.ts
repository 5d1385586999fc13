import { dayjsExpression } from "./dayjs.ts";
import { exportsOf } from "./exports-of.ts";
import { decoderGlobals } from "./program-text.ts";

/** All globals of decoders beside the language, as one script that runs in each context. */
export const prelude = (timeLimitMs: number): string =>
  `${exportsOf(decoderGlobals())}(${timeLimitMs}, () => ${dayjsExpression()});`;
