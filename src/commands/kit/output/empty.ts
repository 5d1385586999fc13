/** Why a list is empty: the limit may be the reason, not what there is. */
export const emptyText = (limit: number | undefined, empty: string, flag = "--limit"): string =>
  limit === 0 ? `No rows shown: ${flag} is 0.` : empty;
