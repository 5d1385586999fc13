/** A behaviour the sandbox had to assume, because no source shows what the platform does. */
export interface Gap {
  /** Subject. ASCII, because it is sent as a header. */
  readonly subject: string;
  /** What the sandbox does. */
  readonly choice: string;
  /** Does not concern single requests: never rejected and never named in a response. */
  readonly general?: true;
}
