const TIMES = 8;
/** Least processor time of a few runs, milliseconds; at least 1, since less cannot be compared. */
const leastMs = (times: readonly number[]): number => Math.max(1, Math.min(...times));

/**
 * How many times the work grows when its input is eight times as large: about 8 for work in proportion to it, 64 for its
 * square. Processor time, and the least of several runs, says the same on a busy machine as on a quiet one; and eight small
 * inputs one after the other leave as much behind for the collector of garbage as the large one.
 */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  const runMs = async (amount: number, times: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let n = 0; n < times; n += 1) await work(amount);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const [small, large]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    small.push(await runMs(size, TIMES));
    large.push(await runMs(TIMES * size, 1));
  }
  return (TIMES * leastMs(large)) / leastMs(small);
}

/** A growth that only work worse than in proportion to its input reaches; what collects garbage may triple the 8. */
export const IN_PROPORTION = 25;
