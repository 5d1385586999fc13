/** Rows of a query. The package is installed in this folder alone, so the types of the tests do without it. */
export function query(sql: string): Promise<Record<string, unknown>[]>;
