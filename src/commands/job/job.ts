import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { columns, jobCommand, onQueue, options, related } from "./on-job.ts";

export const listJobs = defineCommand({
  path: ["list"],
  aliases: ["ls"],
  summary: "List the jobs of the profile in a queue, the newest first",
  options,
  groups: ["limit"],
  effect: "reads",
  result: rows(columns),
  examples: [
    "iot job list --queue redis://127.0.0.1:6379/0",
    "iot job list --queue redis://127.0.0.1:6379/0 --json --jq '.[].id'",
  ],
  exitCodes: [10],
  related,
  run: (ctx, input) =>
    onQueue(ctx, input, async (queues, { jobRow }) => {
      const { limit = Number.POSITIVE_INFINITY } = ctx.flags;
      const last = Number.isFinite(limit) ? limit - 1 : -1;
      const jobs = limit === 0 ? [] : await queues.jobs.getJobs(undefined, 0, last);
      const found = await Promise.all(jobs.map((job) => jobRow(queues, job)));
      found.sort((one, other) => other.created_at.getTime() - one.created_at.getTime());
      await ctx.out.list(found.slice(0, limit), { columns, empty: `No jobs in ${queues.label}.` });
    }),
});

export const getJob = jobCommand("get", "Show one job", {}, async () => undefined);
