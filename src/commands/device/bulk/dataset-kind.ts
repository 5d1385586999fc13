import type { JobKind } from "../../kit/jobs/job.ts";
import { DatasetItem } from "./dataset-item.ts";
import { finishDataset } from "./dataset-manifest.ts";
import type { DatasetArgs, DatasetRow, DatasetShared } from "./dataset-types.ts";

/** The export of a dataset. */
export const datasetKind: JobKind<DatasetShared, DatasetArgs, DatasetRow> = {
  name: "device data export",
  version: 2,
  columns: ["device", "records", "counted", "there", "part", "devices", "differing"],
  run: async (work, shared, item) => new DatasetItem(work, shared, item).run(),
  finish: finishDataset,
};
