/** An address where nothing listens: the port of discard. */
export const DEAD_END = "http://127.0.0.1:9";
