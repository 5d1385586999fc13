import { defined } from "../lib/core/defined.ts";
import { type Command, defineCommand } from "./kit/command/define.ts";
import { queueOption } from "./kit/jobs/run-job.ts";

export const commands: readonly Command[] = [
  defineCommand({
    path: [],
    summary: "Run a worker for queued jobs",
    details:
      "Runs until stopped and does the items of every unfinished job of the profile, together with all other workers of the " +
      "same queue. Needs the queue's address, a token of its own for the same profile, and the folder the jobs write to. " +
      "Items of a worker that dies are given to another within about 15 seconds. Jobs may change and delete: a protected " +
      "environment asks for its name at the start (--confirm). Ctrl-C or SIGTERM finishes the running items " +
      "first; a second one ends at once. Where Redis does not respond for 10 seconds then, the worker ends without it: " +
      "what was under way is done once more by another. See docs/scale.md.",
    options: [
      queueOption,
      { name: "name", value: "name", summary: "name of this worker in the list of Redis clients" },
      {
        name: "folder",
        file: "in",
        value: "folder",
        summary: "where the folder of the jobs is mounted on this machine",
      },
      { name: "drain", summary: "exit when no job has anything left to do" },
    ],
    // Whatever the jobs do: they delete devices as well.
    effect: { most: "deletes", of: () => "deletes" },
    result: { shape: "none" },
    examples: [
      "iot worker --queue redis://127.0.0.1:6379/0",
      "iot worker --queue rediss://queue.example.com:6380/0 --concurrency 8 --name pump-hall --folder /mnt/data",
    ],
    exitCodes: [1, 10],
    related: ["iot job list", "iot device data export"],
    async run(ctx, input, { jobKinds }) {
      const [{ queueUrl, withQueues }, { runWorker }] = await Promise.all([
        import("./kit/jobs/queue/connect.ts"),
        import("./kit/jobs/queue/worker.ts"),
      ]);
      const folder = input.options.folder;
      const setup = {
        kinds: jobKinds,
        concurrency: ctx.flags.concurrency ?? 4,
        isDrained: input.options.drain,
        ...defined({
          name: input.options.name,
          folder: folder === undefined ? undefined : ctx.path(folder),
        }),
      };
      return withQueues(ctx, queueUrl(ctx, input), (queues) => runWorker(ctx, queues, setup), true);
    },
  }),
];
