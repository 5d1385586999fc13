/**
 * Behaviour the sandbox chose because no source shows the platform's. `/__sandbox/gaps` lists it,
 * so that nobody takes it for the vendor's.
 */
export interface Gap {
  /** What no source shows. */
  readonly subject: string;
  /** What the sandbox does. */
  readonly choice: string;
}
