/** A stretch of time, both ends included, and how many records of it are in a dataset. */
export interface Slot {
  readonly fromMs: number | undefined;
  readonly toMs: number;
  readonly known: number;
}

type Count = (range: Pick<Slot, "fromMs" | "toMs">) => Promise<number>;

/**
 * The slots of which the platform has other counts than the dataset. All are counted at once; where that differs, each
 * half is, so that a device of which nothing is new takes one request.
 *
 * @param slots one after the other, without gaps
 * @param isChanged what the counts of a single slot say
 */
export async function changedSlots<S extends Slot>(
  count: Count,
  slots: readonly S[],
  isChanged: (there: number, known: number) => boolean,
): Promise<S[]> {
  const rangeOf = (some: readonly S[]) => ({ fromMs: some[0]?.fromMs, toMs: some.at(-1)?.toMs ?? 0 });
  async function within(some: readonly S[], there: number): Promise<S[]> {
    const known = some.reduce((sum, slot) => sum + slot.known, 0);
    if (there === known) return [];
    if (some.length === 1) return isChanged(there, known) ? [...some] : [];
    // Nothing is left there, as after the time that the platform stores records for: no need to look where.
    if (there === 0) return some.filter((slot) => isChanged(0, slot.known));
    const half = some.length >> 1;
    const first = await count(rangeOf(some.slice(0, half)));
    const found = await within(some.slice(0, half), first);
    return [...found, ...(await within(some.slice(half), Math.max(0, there - first)))];
  }
  return slots.length === 0 ? [] : within(slots, await count(rangeOf(slots)));
}
