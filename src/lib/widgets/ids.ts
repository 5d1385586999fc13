import type { NewId } from "./engine.ts";

const PREFIX_WORDS = 2;
let prefix: string | undefined;
let count = 0;

/** Ids unique within the process; a random prefix makes them unique elsewhere too. */
export const uniqueId: NewId = () => {
  prefix ??= Array.from(crypto.getRandomValues(new Uint32Array(PREFIX_WORDS)), (word) => word.toString(36)).join("");
  count += 1;
  return `${prefix}${count.toString(36)}`;
};
