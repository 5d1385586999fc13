/** A record on its way to an engine. */
export interface SinkRecord {
  /** The same whenever it is sent: engines and readers recognize a repetition by it. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/**
 * What became of a record: stored by the engine; rejected, and it would be again; or not known, for which it is sent
 * again.
 */
export type Ack = "stored" | { readonly rejected: string } | { readonly unknown: unknown };

/** An engine that records are sent to. */
export interface RecordSink {
  /**
   * Sends records and waits for the engine's word on each, in their order. Connects again by itself.
   *
   * @throws CommandError where no record can be delivered, such as for a wrong password
   */
  send(records: readonly SinkRecord[]): Promise<readonly Ack[]>;
  close(): Promise<void>;
}

/** Sends records one by one, all at once, and turns what fails into its meaning. */
export async function acksOf(
  records: readonly SinkRecord[],
  send: (record: SinkRecord) => Promise<unknown>,
  meaning: (error: unknown) => Ack,
): Promise<Ack[]> {
  const results = await Promise.allSettled(records.map(send));
  return results.map((result) => (result.status === "fulfilled" ? "stored" : meaning(result.reason)));
}

/** How a connection is opened and ended. */
interface Lifecycle<Connection> {
  open(): Promise<Connection>;
  isOpen(connection: Connection): boolean;
  end(connection: Connection): Promise<unknown>;
}

/** A connection that is opened on use, and again after it was lost. */
export class Line<Connection> {
  readonly #life: Lifecycle<Connection>;
  #current: Connection | undefined;

  constructor(life: Lifecycle<Connection>) {
    this.#life = life;
  }

  async get(): Promise<Connection> {
    if (this.#current !== undefined && !this.#life.isOpen(this.#current)) await this.drop();
    this.#current ??= await this.#life.open();
    return this.#current;
  }

  /** Ends the connection; the next use opens another one. */
  async drop(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current !== undefined) await this.#life.end(current).catch(() => undefined);
  }
}
