import type { NewId } from "./engine.ts";

const PREFIX_WORDS = 2;
let prefix: string | undefined;
let count = 0;

/** Ids that are unique within the process and, by a random beginning, in practice everywhere. */
export const uniqueId: NewId = () => {
  prefix ??= Array.from(crypto.getRandomValues(new Uint32Array(PREFIX_WORDS)), (word) => word.toString(36)).join("");
  count += 1;
  return `${prefix}${count.toString(36)}`;
};
