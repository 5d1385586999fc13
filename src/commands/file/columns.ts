import type { Column } from "../kit/command/columns.ts";
import type { OptionSpec } from "../kit/command/define.ts";

/** Flags of transfers. */
export const transferOptions = [
  { name: "resume", summary: "resume an interrupted transfer" },
  { name: "checksum", summary: "compare sizes only, not MD5 checksums", negatable: true },
] as const satisfies readonly OptionSpec[];

export const uploadOptions: readonly OptionSpec[] = [
  { name: "public", summary: "anyone can read the file" },
  { name: "private", summary: "only profile tokens and signed URLs can read the file" },
  { name: "chunk-size", value: "size", summary: "size of a part: 7MB, 5242880; at least 5 MiB (7MiB)" },
  ...transferOptions,
];

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
