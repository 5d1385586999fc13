import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { args, columns, exitCodes, onJob, options, print, related } from "./on-job.ts";

export const watchJobs = defineCommand({
  path: ["watch"],
  summary: "Show the progress of a job until it ends",
  details: "Ctrl-C leaves the job running. Exits with 8 when items of the job failed.",
  args,
  options,
  effect: "reads",
  result: one(columns),
  examples: [
    "iot job watch j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0",
    "iot job watch j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0 --json",
  ],
  exitCodes: [...exitCodes, 1, 8],
  related,
  run: (ctx, input) =>
    onJob(ctx, input, async (queues, { id = "" }) => {
      const [{ watchJob }, { endedBadly, partialJob }] = await Promise.all([
        import("../kit/jobs/queue/watch.ts"),
        import("../kit/jobs/run-job.ts"),
      ]);
      const row = await watchJob(ctx, queues, id);
      await print(ctx, row);
      if (row.state === "failed" || row.state === "cancelled") throw endedBadly(id, row.state, row.reason);
      if (row.state === "partly") throw partialJob({ ...row, isEnded: true });
    }),
});
