import { parquetBounds } from "../../../kit/rows/parquet-file.ts";

/** Smallest and largest values by column, as strings. */
export type TableBounds = Readonly<Record<string, readonly [string, string]>>;

/** Path of a part in a table: its content is in the name, because a file of a table never changes. */
export const tableFile = (part: string, sha256: string): string => `${part}.${sha256.slice(0, 16)}.parquet`;

/** By what engines find the files they need. */
export async function tableBounds(path: string): Promise<TableBounds> {
  const bounds = await parquetBounds(path, ["time", "device", "variable"]);
  const text = (value: string | Date): string => (typeof value === "string" ? value : value.toISOString());
  return Object.fromEntries(Object.entries(bounds).map(([name, [least, most]]) => [name, [text(least), text(most)]]));
}
