export type ParserKind = "network" | "connector" | "device" | "entity";

/** One decoder and what it works on. The payloads, the device and the globals are JSON text. */
export interface DecodeJob {
  /** Decoders of different profiles never share a process. */
  readonly profile: string;
  /** Whose parser it is; its errors name it. */
  readonly parser: ParserKind;
  readonly source: string;
  readonly payload: string;
  readonly raw: string;
  readonly device: string;
  /** Further global variables by name. */
  readonly globals: string;
}

/** Offsets in a decoder's source from start to end, and 1 if they ran, else 0. Inner ranges come after outer ones. */
export type CoveredRange = readonly [start: number, end: number, ran: number];

export interface DecodeAnswer {
  /** What the decoder wrote to its console. */
  readonly lines: readonly string[];
  /** `payload` after the decoder, as JSON text. */
  readonly payload?: string;
  readonly error?: string;
  /** What ran of the source, where the runner was asked for it. */
  readonly coverage?: readonly CoveredRange[];
}

/** What a decoder's process is sent first. */
export interface DecoderSetUp {
  readonly prelude: string;
  readonly timeLimitMs: number;
  readonly coverage: boolean;
}

/** A job as it is sent: `raw` is left out where it is the payload. */
export type SentJob = Omit<DecodeJob, "profile" | "raw"> & { readonly raw?: string };
