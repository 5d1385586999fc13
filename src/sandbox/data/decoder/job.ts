/** One decoder and what it works on. Everything but the source and the profile is JSON text. */
export interface DecodeJob {
  /** Decoders of different profiles never share a process. */
  readonly profile: string;
  readonly source: string;
  readonly payload: string;
  readonly raw: string;
  readonly device: string;
}

export interface DecodeAnswer {
  /** What the decoder wrote to its console. */
  readonly lines: readonly string[];
  /** `payload` after the decoder, as JSON text. */
  readonly payload?: string;
  readonly error?: string;
}
