/** Work that goes on after its request was answered: backups, imports. */
export interface Jobs {
  /** Starts it. A failure is handed to `failed`; one of `failed` itself goes to the log. `about` names what it reads. */
  start(work: (signal: AbortSignal) => Promise<void>, failed: (error: unknown) => void, about?: string): void;
  /** Resolves when nothing that was started before is at work on it; `undefined` when nothing is. */
  settled(about: string): Promise<void> | undefined;
  /** True while something runs. */
  readonly busy: boolean;
  /** Stops what runs, and resolves when it has stopped. */
  close(): Promise<void>;
}

/** Makes the jobs of one sandbox. They run side by side and end with it. */
export function createJobs(log: (message: string) => void): Jobs {
  const running = new Map<Promise<void>, string | undefined>();
  const abort = new AbortController();

  const run = async (work: (signal: AbortSignal) => Promise<void>, failed: (error: unknown) => void): Promise<void> => {
    try {
      await work(abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) failed(error);
    }
  };

  return {
    start: (work, failed, about) => {
      if (abort.signal.aborted) return;
      const job = run(work, failed)
        .catch((error: unknown) => log(`Defect in a job of the sandbox: ${String(error)}`))
        .finally(() => running.delete(job));
      running.set(job, about);
    },
    settled: (about) => {
      const jobs = [...running].filter(([, each]) => each === about).map(([job]) => job);
      return jobs.length === 0 ? undefined : Promise.all(jobs).then(() => undefined);
    },
    get busy() {
      return running.size > 0;
    },
    close: async () => {
      abort.abort();
      await Promise.all(running.keys());
    },
  };
}
