/** Differences to the official types by reason. */
export type Known = Readonly<Record<string, readonly string[]>>;
/** The page that lists them. */
export function pageOf(known: Known): string;
/** The known differences, as known.json has them. */
export function readKnown(): Known;
