import type { JobKind } from "../../kit/jobs/job.ts";
import { writeItem } from "./dataset-item.ts";
import { finishDataset } from "./dataset-manifest.ts";
import type { DatasetArgs, DatasetRow, DatasetShared } from "./dataset-types.ts";

/** The export of a dataset. */
export const datasetKind: JobKind<DatasetShared, DatasetArgs, DatasetRow> = {
  name: "device data export",
  version: 2,
  columns: ["device", "records", "counted", "there", "part", "devices", "differing"],
  run: writeItem,
  finish: finishDataset,
};
