export type ParserKind = "network" | "connector" | "device" | "entity";

/** A decoder and its input. The payloads, the device and the globals are JSON text. */
export interface DecodeJob {
  /** Decoders of different profiles never share a process. */
  readonly profile: string;
  /** Owner of the parser; its errors name it. */
  readonly parser: ParserKind;
  readonly source: string;
  readonly payload: string;
  readonly raw: string;
  readonly device: string;
  /** Further global variables by name. */
  readonly globals: string;
}

/**
 * Offsets in a decoder's source from start to end, and 1 if that range ran, else 0. Inner ranges come after outer ones.
 */
export type CoveredRange = readonly [start: number, end: number, ran: number];

export interface DecodeAnswer {
  /** What the decoder wrote to its console. */
  readonly lines: readonly string[];
  /** `payload` after the decoder, as JSON text. */
  readonly payload?: string;
  readonly error?: string;
  /** Coverage of the source, if requested from the runner. */
  readonly coverage?: readonly CoveredRange[];
}

/** First message to a decoder's process. */
export interface DecoderSetUp {
  readonly prelude: string;
  readonly timeLimitMs: number;
  readonly coverage: boolean;
}

/** A job as sent: `raw` is omitted if it equals the payload. */
export type SentJob = Omit<DecodeJob, "profile" | "raw"> & { readonly raw?: string };
