/** Work that continues after the response, such as backups and imports. Stops with the sandbox. */
export class Jobs {
  readonly #log: (message: string) => void;
  readonly #running = new Map<Promise<void>, string | undefined>();
  readonly #abort = new AbortController();

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  /**
   * Starts a job. An error is passed to `failed`; an error in `failed` goes to the log. `about` identifies what the job
   * reads.
   */
  start(work: (signal: AbortSignal) => Promise<void>, failed: (error: unknown) => void, about?: string): void {
    if (this.#abort.signal.aborted) return;
    const job = this.#run(work, failed)
      .catch((error: unknown) => this.#log(`Defect in a job of the sandbox: ${String(error)}`))
      .finally(() => this.#running.delete(job));
    this.#running.set(job, about);
  }

  /** Resolves when the running jobs with this `about` have ended; `undefined` when there are none. */
  settled(about: string): Promise<void> | undefined {
    const jobs = [...this.#running].filter(([, each]) => each === about).map(([job]) => job);
    return jobs.length === 0 ? undefined : Promise.all(jobs).then(() => undefined);
  }

  /** True while something runs. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Stops running jobs, and resolves when they have stopped. */
  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#running.keys());
  }

  async #run(work: (signal: AbortSignal) => Promise<void>, failed: (error: unknown) => void): Promise<void> {
    try {
      await work(this.#abort.signal);
    } catch (error) {
      if (!this.#abort.signal.aborted) failed(error);
    }
  }
}
