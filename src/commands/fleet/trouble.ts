/** Words of a console line about a failed run. */
const trouble =
  /error\b|\bexception\b|\bfailed\b|could not|cannot|\bstopped\b|ended by|not connected|no script|left out|timed? ?out/i;
/** A line with which a run starts. */
const start = /^analysis started/i;
/** Newest lines looked at where no line says when the last run started. */
const MOST_LINES = 20;

/**
 * The newest console line about a failure in the last run. The platform stores no result of a run, so nothing more can
 * be known.
 */
export function troubleIn(lines: readonly string[]): string | undefined {
  const begin = lines.findLastIndex((line) => start.test(line));
  const last = begin < 0 ? lines.slice(-MOST_LINES) : lines.slice(begin);
  return last.findLast((line) => trouble.test(line));
}
