/** A seed cannot be used: it was not found, a file is invalid, or a record cannot be stored. */
export class SeedError extends Error {
  override readonly name = "SeedError";
  /** How to fix it. */
  readonly next: string;

  constructor(message: string, next = "Fix the file and start again.", options?: ErrorOptions) {
    super(message, options);
    this.next = next;
  }
}
