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

export interface DecodeAnswer {
  /** What the decoder wrote to its console. */
  readonly lines: readonly string[];
  /** `payload` after the decoder, as JSON text. */
  readonly payload?: string;
  readonly error?: string;
}
