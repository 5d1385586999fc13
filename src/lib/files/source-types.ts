/** Content that is read part by part. */
export interface Source {
  /** Bytes in all; undefined for a stream, whose parts must be read in order. */
  readonly size: number | undefined;
  /** When the content was last changed, milliseconds since 1970; undefined if unknown. */
  readonly modifiedMs: number | undefined;
  /** The content itself, if fetch can send it without reading it into memory. */
  readonly blob?: Blob;
  /** Fills the target from the given offset and returns the number of bytes; fewer only at the end. */
  read(offset: number, target: Uint8Array, signal: AbortSignal): Promise<number>;
  /** Name for errors. */
  readonly name: string;
  /** Rejects with an UploadError when the content has changed since the source was opened. */
  check(): Promise<void>;
  /** Releases what the source holds. */
  close(): Promise<void>;
}
