import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { args, columns, exitCodes, onJob, options, print, related } from "./on-job.ts";

export const reportJob = defineCommand({
  path: ["report"],
  summary: "Write what became of each item of a job to a file",
  args,
  options: [
    ...options,
    {
      name: "out",
      file: "out",
      value: "file",
      required: "--out report.csv",
      summary: "file to write: .csv, or .ndjson for JSON lines",
    },
  ],
  effect: "local",
  result: one(columns),
  examples: [
    "iot job report j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0 --out report.csv",
    "iot job report j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0 --out report.ndjson",
  ],
  exitCodes,
  related,
  run: async (ctx, input, { jobKinds }) => {
    const out = input.options.out;
    await onJob(ctx, input, async (queues, job, { resultsOf, jobRow }) => {
      const kind = await jobKinds.find(({ name }) => name === job.data.kind)?.load();
      const { writeReport } = await import("../kit/jobs/report.ts");
      await writeReport(ctx, out, kind ?? { columns: [] }, resultsOf(job));
      await print(ctx, await jobRow(queues, job));
    });
  },
});
