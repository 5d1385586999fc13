/** A behaviour the sandbox had to choose, because no source shows what the platform does. */
export interface Gap {
  /** What it is about. ASCII, because it is sent as a header. */
  readonly subject: string;
  /** What the sandbox does. */
  readonly choice: string;
  /** Not tied to single requests: never refused and never named in a response. */
  readonly general?: true;
}
