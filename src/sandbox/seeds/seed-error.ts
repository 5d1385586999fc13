/** A seed cannot be used: there is none of the name, a file of it is wrong, or a record of it cannot be stored. */
export class SeedError extends Error {
  override readonly name = "SeedError";
  /** What to do about it. */
  readonly next: string;

  constructor(message: string, next = "Fix the file and start again.", options?: ErrorOptions) {
    super(message, options);
    this.next = next;
  }
}
