/** A route that has a handler. */
export interface ServedRoute {
  /** HTTP method. */
  readonly method: string;
  /** Path with a `:name` for every part. */
  readonly path: string;
}
