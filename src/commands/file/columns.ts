import type { Column } from "../kit/command/columns.ts";

/** A file after a transfer. */
export interface TransferRow {
  /** Path inside the profile. */
  readonly filename: string;
  /** Path on this machine, of a download. */
  readonly file?: string;
  readonly size: number;
  readonly md5: string | null;
  readonly result: string;
  /** Bytes that an earlier run had brought over. */
  readonly resumed_bytes: number;
}

export const transferColumns: readonly Column<TransferRow>[] = [
  { key: "filename", kind: "id" },
  { key: "size", kind: "number" },
  { key: "md5", kind: "id" },
  { key: "result" },
  { key: "resumed_bytes", kind: "number", hidden: true },
];
