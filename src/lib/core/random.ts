/** Numbers from 0 up to 1: the same seed returns the same row of them on every machine. */
export type Random = () => number;

/** A small generator (mulberry32). With `stream`, each user of one seed gets numbers of its own. */
export function createRandom(seed: number, stream: string): Random {
  let state = seed >>> 0;
  for (const char of stream) state = (Math.imul(state, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
